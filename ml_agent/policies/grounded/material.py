"""What the tools brought back about programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from ml_agent.policies.grounded.folders import Folders
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint


@dataclass(frozen=True)
class Material:
    """What the tools brought back about programs: each with its retrieval score, 0 to 1."""

    programs: Sequence[tuple[float, EntryPoint]]
    commands: Sequence[tuple[float, Command]]
    files: Sequence[str] = ()
    """Paths of the repository's files."""
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """See `shown.shown_values`."""

    @cached_property
    def folders(self) -> Folders:
        return Folders(self.files)


def with_built(material: Material) -> Material:
    """Also the programs that only documented commands tell of, for the repository builds them: with what their sources say, where
    those could be read (a program of C is called as its file). None is started by its source."""
    sources = {PurePosixPath(p.path).stem: p for _, p in material.programs if p.kind == "c"}
    material = replace(material, programs=[(s, p) for s, p in material.programs if p.kind != "c"])
    have = {p.path for _, p in material.programs}
    scores: dict[str, float] = {}
    for score, command in material.commands:
        if command.target not in have and command.words[command.target_index].removeprefix("./") in command.target:
            scores[command.target] = max(0.5 * score, scores.get(command.target, 0.0))
    built = [(score, _built(path, sources.get(PurePosixPath(path).name))) for path, score in scores.items()]
    return replace(material, programs=[*material.programs, *built])


def _built(path: str, source: EntryPoint | None) -> EntryPoint:
    run = (path if "/" in path else f"./{path}",)
    if source is not None:
        return replace(source, path=path, kind="built", run=run)
    return EntryPoint(path, "built", run, open_ended=True, prefixes=False)
