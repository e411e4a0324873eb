"""Programs that run other programs of the repository: shell scripts around one command, and launchers that are told which."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.evidence import path_pieces
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import split_identifier, stem

_AS_IT_IS = re.compile(
    r"\b(?:stock|ready(?:-made)?|as (?:it )?(?:is|stands)|as they (?:are|stand)|unchanged|nothing changed|without (?:any )?changes?|"
    r"shipped|supplied|bundled|(?:example|launch|shell|bash|training|provided) scripts?|recipes?|out of the box)\b",
    re.IGNORECASE,
)
"""The request wants what is there, not a command that is put together from it."""
_ON_SEVERAL = re.compile(
    r"\b(?:distributed|multi-?(?:gpu|node|process)\w*|data[- ]parallel|several (?:\w+ ){0,2}(?:gpus?|cards?|[a-z]\d+s)|all of them|"
    r"all (?:the )?(?:\w+ )?(?:gpus|cards)|across (?:\w+ ){0,3}(?:gpus|cards)|"
    r"(?:both|two|four|eight|[2-9]|\d\d+) (?:\w+ )?(?:gpus|cards|[a-z]\d+s))\b",
    re.IGNORECASE,
)
_CLUSTER = frozenset("submitit slurm sbatch qsub lsf pbs".split())
_ON_CLUSTER = re.compile(r"\b(?:submitit|slurm|sbatch|qsub|lsf|pbs|clusters?|queue|partition|submit\w*|nodes)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A shell script and the program that it runs last."""

    inner: str
    workdir: str
    """The folder that the script has to be started from."""


def read_wrappers(programs: Sequence[EntryPoint], commands: Sequence[Command]) -> dict[str, Wrapper]:
    """Shell scripts without options of their own that run another program, by path."""
    plain = {p.path for p in programs if p.kind == "shell" and not p.options}
    found: dict[str, Wrapper] = {}
    for command in commands:
        script = command.source.rpartition(":")[0]
        if script in plain and command.target not in plain:
            found[script] = Wrapper(command.target, command.workdir)
    return found


def wanted_as_it_is(program: EntryPoint, request: Request) -> float:
    """0..1: how much of the script's name is said by a request that wants a ready script."""
    if not _AS_IT_IS.search(request.text):
        return 0.0
    pieces = {stem(p) for p in (*split_identifier(program.path.rpartition("/")[2].rpartition(".")[0]), *path_pieces(program.path))}
    pieces = {p for p in pieces if len(p) > 1 and p not in ("run", "script", "exampl")}
    said = {p for p in pieces if p in request.stems or squeeze(p) in request.grams or _shortened(p, request)}
    return len(said) / len(pieces) if pieces else 0.0


def _shortened(piece: str, request: Request) -> bool:
    """`unsup` in a name is `unsupervised` in a sentence."""
    return len(piece) > 3 and piece.isalpha() and any(s.startswith(piece) for s in request.stems)


def with_inner_options(program: EntryPoint, inner: EntryPoint | None) -> EntryPoint:
    """A script that hands its arguments on takes those of the program inside; none is required, for it gives them itself."""
    if not program.open_ended or inner is None:
        return program
    return replace(
        program,
        options=tuple(replace(o, required=False, group=None) for o in inner.options if not o.positional),
        flag_style=inner.flag_style,
        prefixes=inner.prefixes,
    )


def bare_command(program: EntryPoint, wrapper: Wrapper) -> Command:
    """The script, started from the folder that it expects."""
    return Command(("bash", _below(program.path, wrapper.workdir)), program.path, 1, wrapper.workdir, f"{program.path}:1")


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
