"""Requests for documented code, called by its section and by what it imports, sometimes with another number.

Each value of the snippet's calls is asked for: what the request does not say is to be kept.
"""

import ast
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.echoes.values import in_words
from ml_agent.benchmarks.echoes.whole import title_of
from ml_agent.benchmarks.scorers.python_program import Program
from ml_agent.benchmarks.scorers.static import unreachable
from ml_agent.policies.grounded.flows import Snippet, read_snippets
from ml_agent.repo.index import RepoIndex

_LONGEST, _FEWEST, _MOST = 45, 2, 10
"""Lines of a snippet; values that it has."""
_ELSEWHERE = frozenset("test tests docs examples setup utils src".split())
_WAYS = ("with {name} {value}", "set the {name} to {value}", "the {name} should be {value}")


def documented_code(index: RepoIndex, repository: str, count: int, seed: int) -> Iterator[Sample]:
    """At most `count`, of blocks of documents under a heading that no other has."""
    chance = random.Random(f"{seed} {repository}")  # noqa: S311 - what is asked for is no secret
    blocks = [b for s in index.sections for b in s.blocks if b.language in ("python", "pycon", "") and not b.path.endswith(".ipynb")]
    snippets = read_snippets(blocks)
    titles = Counter(title_of(s.block.headings) for s in snippets)
    own = _modules(index)
    made = 0
    for snippet in chance.sample(snippets, len(snippets)):
        if made == count:
            return
        title = title_of(snippet.block.headings)
        names = [full.rsplit(".", 1)[-1] for full in snippet.imported if full.split(".")[0] in own]
        values = _values(snippet)
        whole = not snippet.undefined and len(snippet.code.splitlines()) <= _LONGEST and bool(Program(snippet.code).packages())
        if title and titles[title] == 1 and names and whole and _FEWEST <= len(values) <= _MOST:
            sample = _sample(snippet, title, names, values, f"{repository}/{made + 1}", chance)
            if not unreachable(sample):
                made += 1
                yield sample


def _modules(index: RepoIndex) -> frozenset[str]:
    """Names that can be imported from the root, or from a folder of sources."""
    parts = [f.path.removesuffix(".py").split("/") for f in index.files.files if f.path.endswith(".py")]
    return (frozenset(p[0] for p in parts) | {p[1] for p in parts if p[0] == "src" and len(p) > 1}) - _ELSEWHERE


def _constants(snippet: Snippet) -> Iterator[tuple[str, ast.Constant]]:
    """Each constant that a call is given, with its keyword or an empty name."""
    for call in (n for n in snippet.nodes if isinstance(n, ast.Call)):
        given = [*(("", a) for a in call.args), *((k.arg or "", k.value) for k in call.keywords)]
        yield from ((name, value) for name, value in given if isinstance(value, ast.Constant))


def _values(snippet: Snippet) -> list[str]:
    """What stands in live code."""
    words = Program(snippet.code).words
    plain = [str(c.value) for _, c in _constants(snippet) if type(c.value) in (int, float, str)]
    return [v for v in dict.fromkeys(plain) if v.lower() in words and v not in ("0", "1", "") and re.fullmatch(r".{1,60}", v)]


def _sample(snippet: Snippet, title: str, names: Sequence[str], values: Sequence[str], key: str, chance: random.Random) -> Sample:
    who = " and ".join(dict.fromkeys(names[:2]))
    told = chance.choice(
        (
            f'Write Python code for what the documentation has under "{title}"',
            f"{title}: please write the Python code with {who}",
            f"I need Python code that uses {who} ({title})",
        )
    )
    code, values = snippet.code, list(values)
    numbers = [(n, c) for n, c in _constants(snippet) if len(n) > 2 and str(c.value) in values and type(c.value) in (int, float)]
    same = Counter(str(c.value) for _, c in _constants(snippet))
    once = [(n, c) for n, c in numbers if [name for name, _ in numbers].count(n) == 1 and same[str(c.value)] == 1]
    if once:
        name, constant = chance.choice(once)
        new = str(3 * constant.value) if isinstance(constant.value, int) else f"{0.5 * float(str(constant.value)):g}"
        if new not in values:
            values[values.index(str(constant.value))] = new
            code = _replaced(code, constant, new)
            said = chance.choice(_WAYS).format(name=in_words(name), value=new)
            told += f". {said[0].upper()}{said[1:]}"
    return Sample(
        key=key,
        repository=key.rpartition("/")[0],
        instruction=f"{told}.",
        language="python",
        output=code,
        workdir=".",
        arguments={f"argument{k}": value for k, value in enumerate(values)},
    )


def _replaced(code: str, constant: ast.Constant, text: str) -> str:
    lines = code.split("\n")
    line = lines[constant.lineno - 1].encode()
    lines[constant.lineno - 1] = (line[: constant.col_offset] + text.encode() + line[constant.end_col_offset :]).decode()
    return "\n".join(lines)
