"""Programs that merge `OmegaConf.from_cli()` into their settings: each key of those can be given as `a.b=c`."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.hydra_reader import dict_keys, key_options
from ml_agent.repo.entrypoints.structured import class_keys
from ml_agent.repo.entrypoints.values import Class, Foreign, Given, Instance, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk
from ml_agent.repo.entrypoints.yaml_keys import Key, read_yaml


@dataclass(eq=False, slots=True)
class Settings(Foreign):
    source: str
    keys: dict[str, Key] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    from_cli: bool = False
    closed: bool = False
    """It takes no keys that it does not have (a dataclass)."""

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        if name == "merge_with":
            self.take(given.arguments)
        elif name == "merge_with_cli":
            self.from_cli = True
            walk.ran.append(self)
        return Unknown()

    def take(self, others: Any) -> None:
        for other in others:
            if isinstance(other, Settings):
                self.keys.update(other.keys)
                self.unread += other.unread
                self.from_cli = self.from_cli or other.from_cli
                self.closed = self.closed or other.closed
            elif isinstance(other, Unknown):
                self.unread.append(f"settings that are made at run time at {self.source}")


def _from_cli(walk: Walk, given: Given) -> Any:
    if given.arguments and isinstance(given.arguments[0], (list, tuple)):
        return Unknown()
    made = Settings(given.source, from_cli=True)
    walk.ran.append(made)
    return made


def _load(walk: Walk, given: Given) -> Any:
    made = Settings(given.source)
    path = given.get("file_", 0)
    if not isinstance(path, str) or path.startswith("/"):
        made.unread.append(f"the file of settings at {given.source}")
        return _made(walk, made)
    folder = walk.program.module.folder
    files = walk.program.sources.files
    places = [posixpath.normpath(p) for p in (path, posixpath.join(folder, path))]
    place = next((p for p in places if files.is_file(p)), None)
    document = read_yaml(files, place) if place is not None else "is not in the repository"
    if isinstance(document, str):
        made.unread.append(f"{path}: {document} at {given.source}")
    else:
        made.keys = {k.name: k for k in document.keys}
    return _made(walk, made)


def _create(walk: Walk, given: Given) -> Any:
    made = Settings(given.source)
    value = given.get("obj", 0, {})
    cls = value.cls if isinstance(value, Instance) else value
    if isinstance(cls, Class):
        made.keys = {k.name: k for k in class_keys(cls, walk)}
        made.closed = True
    elif isinstance(value, dict):
        made.keys = {k.name: k for k in dict_keys(value, given.source)}
    else:
        made.unread.append(f"settings that are made at run time at {given.source}")
    return _made(walk, made)


def _merge(walk: Walk, given: Given) -> Any:
    made = Settings(given.source)
    made.take(given.arguments)
    return _made(walk, made)


def _made(walk: Walk, settings: Settings) -> Settings:
    walk.made.append(settings)
    return settings


MAKERS: Mapping[str, Maker] = {
    "omegaconf.OmegaConf.from_cli": _from_cli,
    "omegaconf.OmegaConf.load": _load,
    "omegaconf.OmegaConf.create": _create,
    "omegaconf.OmegaConf.structured": _create,
    "omegaconf.OmegaConf.merge": _merge,
    "omegaconf.OmegaConf.unsafe_merge": _merge,
}


def entry(walk: Walk) -> EntryPoint | None:
    read = next((s for s in walk.ran if isinstance(s, Settings)), None)
    if read is None or not (walk.program.guarded or walk.program.acts):
        return None
    all_made = [s for s in walk.made if isinstance(s, Settings)]
    merged = [s for s in all_made if s.from_cli] or all_made
    whole = Settings(read.source)
    whole.take(merged)
    command = Command(read.source, options=key_options(whole.keys))
    command.unread = list(dict.fromkeys([*walk.unread, *whole.unread]))
    command.open_ended = bool(command.unread) or not whole.closed
    return entry_point(walk.program, "omegaconf", command, "assign")
