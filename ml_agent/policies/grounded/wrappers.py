"""Programs that run other programs of the repository: shell scripts around one command, and launchers that are told which."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.evidence import path_pieces, verb_match
from ml_agent.policies.grounded.fill import Fill
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import split_identifier, stem

_AS_IT_IS = re.compile(
    r"\b(?:stock|ready(?:-made)?|as (?:it )?(?:is|stands)|as they (?:are|stand)|unchanged|nothing changed|without (?:any )?changes?|"
    r"shipped|supplied|bundled|(?:example|launch|shell|bash|training|experiment|provided|its|their|own|corresponding|\w+'s) scripts?|"
    r"which (?:\w+ )?script|scripts?,? please|recipes?|out of the box)\b",
    re.IGNORECASE,
)
"""The request wants what is there, not a command that is put together from it."""
_A_SCRIPT = re.compile(r"\b(\w+) scripts?\b")
_ON_SEVERAL = re.compile(
    r"\b(?:distributed|multi-?(?:gpu|node|process)\w*|data[- ]parallel|several (?:\w+ ){0,2}(?:gpus?|cards?|[a-z]\d+s)|all of them|"
    r"all (?:the )?(?:\w+ )?(?:gpus|cards)|across (?:\w+ ){0,3}(?:gpus|cards)|"
    r"(?:both|two|four|eight|[2-9]|\d\d+) (?:\w+ )?(?:gpus|cards|[a-z]\d+s))\b",
    re.IGNORECASE,
)
_CLUSTER = frozenset("submitit slurm sbatch qsub lsf pbs".split())
_ON_CLUSTER = re.compile(r"\b(?:submitit|slurm|sbatch|qsub|lsf|pbs|clusters?|queue|partition|submit\w*|nodes)\b", re.IGNORECASE)
_HANDS_ON = re.compile(r"\$\{?[@*]")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A shell script and the program that it runs last."""

    inner: str
    workdir: str
    """The folder that the script has to be started from."""
    takers: tuple[str, ...] = ()
    """The programs that get what the script is given behind its own arguments."""
    bare: bool = False
    """The program gets nothing else: also its positional arguments are given to the script."""


def read_wrappers(programs: Sequence[EntryPoint], commands: Sequence[Command]) -> dict[str, Wrapper]:
    """Shell scripts without options of their own that run another program, by path.

    Also those that have positional arguments (`bash run.sh train ...`, `./distributed.sh 8 ...`), if they hand the rest on.
    """
    scripts = {p.path: p for p in programs if p.kind == "shell"}
    found: dict[str, Wrapper] = {}
    for command in commands:
        script = command.source.rpartition(":")[0]
        if script not in scripts or command.target in scripts:
            continue
        takers = found[script].takers if script in found else ()
        if _HANDS_ON.search(command.text):
            takers = tuple(dict.fromkeys((*takers, command.target)))
        bare = bool(takers) and all(map(_HANDS_ON.search, command.arguments))
        found[script] = Wrapper(command.target, command.workdir, takers, bare)
    return {path: w for path, w in found.items() if not scripts[path].options or (w.takers and _first(scripts[path]))}


def _first(script: EntryPoint) -> tuple[Option, ...]:
    """The script's own arguments, if they are positional, as far as they are needed."""
    return script.options if all(o.positional and o.nargs is None for o in script.options) else ()


def _mode(script: EntryPoint) -> Option | None:
    """The only argument of a script, if it says what is to be done: one of a few words."""
    only = script.options[0] if len(script.options) == 1 else None
    return only if only and only.positional and only.choices else None


def wanted_as_it_is(program: EntryPoint, request: Request) -> float:
    """0..1: how much of the script's name is said by a request that wants a ready script, or names the script by a part of its name."""
    pieces = {stem(p) for p in (*split_identifier(program.path.rpartition("/")[2].rpartition(".")[0]), *path_pieces(program.path))}
    pieces = {p for p in pieces if len(p) > 1 and p not in ("run", "script", "exampl")}
    if not _AS_IT_IS.search(request.text) and pieces.isdisjoint(stem(w.lower()) for w in _A_SCRIPT.findall(request.text)):
        return 0.0
    said = {p for p in pieces if p in request.stems or squeeze(p) in request.grams or _shortened(p, request)}
    return len(said) / len(pieces) if pieces else 0.0


def _shortened(piece: str, request: Request) -> bool:
    """`unsup` in a name is `unsupervised` in a sentence."""
    return len(piece) > 3 and piece.isalpha() and any(s.startswith(piece) for s in request.stems)


def with_inner_options(script: EntryPoint, wrapper: Wrapper, programs: Mapping[str, EntryPoint]) -> EntryPoint:
    """A script that hands its arguments on takes those of the programs inside; none is required, for it gives them itself."""
    inner = [programs[path] for path in wrapper.takers or (wrapper.inner,) if path in programs]
    if not script.open_ended or not inner:
        return script
    mode = _mode(script)
    first = (replace(mode, nargs="A..."),) if mode else _first(script)
    given = bool(first) and not mode and wrapper.bare
    options = {o.name: replace(o, required=False, group=None) for p in reversed(inner) for o in p.options if given or not o.positional}
    return replace(script, options=(*first, *options.values()), flag_style=inner[0].flag_style, prefixes=inner[0].prefixes)


def bare_commands(script: EntryPoint, wrapper: Wrapper, documented: Sequence[Command], request: Request) -> list[tuple[float, Command]]:
    """The script, started from the folder that it expects: as it is, or with each word that says what to do and is not documented.

    Each with 1 if the request has that word, or a longer form of it, else 0.
    """
    start = ("bash", _below(script.path, wrapper.workdir))
    mode = _mode(script)
    if script.options and not mode:
        return []
    choices = (mode.choices or ()) if mode else ()
    words: list[tuple[str, ...]] = [(choice,) for choice in choices] or [()]
    have = {c.arguments[:1] for c in documented}
    source = mode.source if mode else f"{script.path}:1"
    return [
        (float(bool(w) and _begins(w[0], request)), Command((*start, *w), script.path, 1, wrapper.workdir, source))
        for w in words
        if w not in have and (w or not documented)
    ]


def _begins(choice: str, request: Request) -> bool:
    return any(token.text.lower().startswith(choice.lower()) for token in request.tokens)


def without_named(program: EntryPoint, filled: Fill, named: Collection[int]) -> Fill:
    """A script gives its program what it needs, and the values that its own name tells of: what names the script, or is but
    guessed to be for the program inside, is not given again."""
    if program.kind != "shell":
        return filled
    told = set(map(squeeze, re.split(r"[/_.-]", program.path)))
    again = [p for p in filled.placed if p.positions and set(named).issuperset(p.positions) and any(squeeze(v) in told for v in p.values)]
    kept = [p for p in filled.placed if p.option.source.startswith(f"{program.path}:") or not (p.guessed or p in again)]
    left = [m for m in filled.left if m.kind == "number" or squeeze(m.value) not in told]
    return replace(filled, placed=kept, left=left)


def _below(path: str, folder: str) -> str:
    if folder == ".":
        return path
    if path.startswith(folder + "/"):
        return path[len(folder) + 1 :]
    return "../" * (folder.count("/") + 1) + path


def launched(program: EntryPoint, commands: Sequence[Command], programs: dict[str, EntryPoint]) -> EntryPoint | None:
    """The other program that its documented commands name as their first argument."""
    if program.options:
        return None
    for command in commands:
        first = command.arguments[0] if command.arguments else ""
        if first.endswith(".py"):
            path = first if command.workdir == "." else f"{command.workdir}/{first}"
            if path in programs and path != program.path:
                return programs[path]
    return None


def launching(program: EntryPoint, inner: EntryPoint) -> EntryPoint:
    """A launcher takes the path of a program and that program's options behind it."""
    script = Option("script", ("script",), f"{program.path}:1", required=True)
    return replace(program, options=(script, *(o for o in inner.options)), flag_style=inner.flag_style, prefixes=inner.prefixes)


def on_several(request: Request) -> bool:
    """It is to run on more than one device."""
    return _ON_SEVERAL.search(request.text) is not None


def for_cluster(path: str, request: Request) -> bool:
    """The program hands jobs to a cluster, and the request knows of none."""
    return not _CLUSTER.isdisjoint(split_identifier(path.rpartition("/")[2].rpartition(".")[0])) and not _ON_CLUSTER.search(request.text)


def launches(
    retrieved: float, inner: EntryPoint, wanted: frozenset[str], request: Request, retrieval: Mapping[str, float], several: bool
) -> float:
    """A launcher is what is wanted where its program is, on several devices."""
    if not several:
        return -1.0
    return 0.6 + 1.2 * max(0.0, retrieval[inner.path] - retrieved) + 0.6 * verb_match(wanted, inner.path, request)
