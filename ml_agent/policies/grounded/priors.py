"""What a program's place in the repository says of it, before any request is looked at closely."""

from collections import Counter
from collections.abc import Sequence

from ml_agent.policies.grounded.evidence import verbs_in
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.vocabulary import VERBS
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier, stem

_SUPPORT = frozenset(
    "test tests testing setup conftest docs doc tools ci benchmark benchmarks unittest unittests third_party thirdparty vendor".split()
)


def sibling_prior(programs: Sequence[EntryPoint]) -> dict[str, float]:
    """Of programs that differ only in an upper folder (a framework, a version), the folder with the most programs leads."""
    parents = Counter("/".join(p.path.split("/")[:k]) for p in programs for k in range(1, p.path.count("/") + 1))
    tails: dict[str, list[str]] = {}
    for program in programs:
        tails.setdefault("/".join(program.path.split("/")[-2:]), []).append(program.path)
    prior = dict.fromkeys((p.path for p in programs), 0.0)
    for paths in tails.values():
        if len(paths) < 2:
            continue
        best = max(paths, key=lambda p: parents["/".join(p.split("/")[:-2])])
        for path in paths:
            prior[path] = 0.0 if path == best else -1.0
    return prior


_WORKSHOPS = frozenset({"tools", "benchmark", "benchmarks"})
"""Folders of what serves the developers, or of the programs themselves."""


def is_support(path: str, request: Request, wanted: frozenset[str], *, documented: bool = False) -> bool:
    """Tests, set-up and build scripts are seldom what is asked for, unless they are named; nor are tools that no document starts."""
    words = {w for part in path.lower().rsplit(".", 1)[0].split("/") for w in [part, *part.split("_")[:1]]}
    if "compile" in wanted and path.endswith("setup.py"):
        return False
    hit = words & (_SUPPORT - _WORKSHOPS if documented else _SUPPORT)
    said = {stem(w) for w in VERBS["evaluate"]} & request.stems
    return bool(hit) and not any(stem(w) in request.stems for w in hit) and not (said and path.rsplit("/", 1)[-1].startswith("test"))


_STARTS = frozenset("run execute exec main start launch reproduce".split())
"""First words of the names of scripts that are there to be run, besides those of what is done."""


def is_demo(program: EntryPoint) -> float:
    """A file without options that no document runs is most often a module with an example at its end."""
    if program.options or program.kind != "plain":
        return 0.0
    first = split_identifier(program.path.rpartition("/")[2].rpartition(".")[0])[:1]
    return -0.2 if verbs_in(first) or not _STARTS.isdisjoint(first) else -1.2
