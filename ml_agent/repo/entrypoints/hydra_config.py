"""The configuration that hydra composes: a primary file, its defaults list, the groups beside it."""

import posixpath
import re
from dataclasses import dataclass, field, replace
from typing import Any

from ml_agent.repo.entrypoints.yaml_keys import Document, Key, read_yaml
from ml_agent.repo.files import FileTable

MAX_FILES = 200
MAX_DEPTH = 10

_PACKAGE = re.compile(r"#\s*@package\s+(\S+)")
_ENTRY = re.compile(r"(?:(override|optional)\s+)*(/?[^@\s]*)(?:@(\S+))?")


@dataclass(slots=True)
class Choice:
    """A group that the defaults list chooses from."""

    group: str
    chosen: str | None
    """None: nothing, or what only a run can tell."""
    source: str
    required: bool = False
    """`???`: the command line has to say."""


@dataclass(slots=True)
class Composed:
    keys: dict[str, Key] = field(default_factory=dict)
    """Leaves by their dotted names."""
    choices: dict[str, Choice] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Every group with the names of its files."""
    unread: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Structured:
    """A configuration that the program itself brings, as a class or a dictionary."""

    keys: list[Key]
    defaults: tuple[Any, ...] = ()
    source: str = ""


class Composer:
    def __init__(self, files: FileTable, folder: str, stored: dict[str, dict[str, Structured]]) -> None:
        """`folder` holds the configuration; `stored` are those of the program itself: group ('' at the top) -> name -> configuration."""
        self._files, self._folder, self._stored = files, folder, stored
        self._documents: dict[str, Document | str] = {}
        self.found = Composed(groups=self._groups())

    def compose(self, name: str) -> Composed:
        self._include("", name, (), 0)
        return self.found

    def _groups(self) -> dict[str, tuple[str, ...]]:
        prefix = "" if self._folder == "." else self._folder + "/"
        groups: dict[str, list[str]] = {g: sorted(names) for g, names in self._stored.items() if g}
        for file in self._files.files:
            if file.path.startswith(prefix) and file.path.endswith((".yaml", ".yml")):
                group, _, name = file.path[len(prefix) :].rpartition("/")
                if group:
                    groups.setdefault(group, []).append(name.rpartition(".")[0])
        return {g: tuple(dict.fromkeys(names)) for g, names in groups.items()}

    def _include(self, group: str, name: str, package: tuple[str, ...], depth: int) -> None:
        """Merge one configuration; its own values come last unless its defaults list says where they come."""
        structured = self._stored.get(group, {}).get(name)
        stored = structured.keys if structured else []
        document = self._document(group, name)
        if isinstance(document, str):
            if structured is None:
                self.found.unread.append(f"the configuration {posixpath.join(group, name)}: {document}")
                return
            self._merge(stored, package)
            for entry in structured.defaults if depth < MAX_DEPTH else ():
                if entry != "_self_":
                    self._default(entry, group, package, structured.source, depth)
            return
        if header := _PACKAGE.search(document.header):
            package = _package(header[1], package, group)
        merged = False
        for number, entry in enumerate(document.defaults or ()):
            if entry == "_self_":
                self._merge([*stored, *document.keys], package)
                merged = True
            elif depth < MAX_DEPTH:
                self._default(entry, group, package, f"{document.path}:{document.defaults_line + 1 + number}", depth)
        if not merged:
            self._merge([*stored, *document.keys], package)

    def _default(self, entry: Any, group: str, package: tuple[str, ...], source: str, depth: int) -> None:
        if isinstance(entry, str):
            path, _, where = entry.partition("@")
            inner, _, name = self._absolute(path, group).rpartition("/")
            into = package if not where else _package(where, package, inner)
            self._include(inner, name.removesuffix(".yaml"), into if inner == group or where else _below(package, group, inner), depth + 1)
            return
        for written, chosen in entry.items() if isinstance(entry, dict) else ():
            match = _ENTRY.fullmatch(written.strip())
            if match is None or not match[2]:
                continue
            inner = self._absolute(match[2], group)
            if inner.startswith("hydra/"):  # hydra's own
                continue
            if match[1] == "override" or re.match(r"override\s", written):
                if inner in self.found.choices:
                    self.found.choices[inner].chosen = chosen if isinstance(chosen, str) else None
                continue
            named = f"{inner}@{match[3]}" if match[3] else inner
            into = _package(match[3], package, inner) if match[3] else _below(package, group, inner)
            required = chosen == "???"
            known = chosen if isinstance(chosen, str) and not required and "${" not in chosen else None
            self.found.choices.setdefault(named, Choice(inner, known, source, required))
            for name in [known] if known else chosen if isinstance(chosen, list) else []:
                self._include(inner, name.removesuffix(".yaml"), into, depth + 1)

    def _absolute(self, path: str, group: str) -> str:
        return path.lstrip("/") if path.startswith("/") or not group else f"{group}/{path}"

    def _document(self, group: str, name: str) -> Document | str:
        for ending in ("", ".yaml", ".yml"):
            path = posixpath.normpath(posixpath.join(self._folder, group, name + ending))
            if ending == "" and not name.endswith((".yaml", ".yml")):
                continue
            if self._files.is_file(path):
                if path not in self._documents:
                    if len(self._documents) >= MAX_FILES:
                        return "too many files"
                    self._documents[path] = read_yaml(self._files, path)
                return self._documents[path]
        return "is not in the repository"

    def _merge(self, keys: list[Key], package: tuple[str, ...]) -> None:
        for key in keys:
            path = (*package, *key.path)
            name = ".".join(path)
            for depth in range(1, len(path)):  # what was a single value is a mapping now
                self.found.keys.pop(".".join(path[:depth]), None)
            if key.kind == "dict" and any(k.startswith(name + ".") for k in self.found.keys):
                continue
            self.found.keys[name] = replace(key, path=path)


def _below(package: tuple[str, ...], group: str, inner: str) -> tuple[str, ...]:
    """A group's values stand below the group's name."""
    if group and inner.startswith(group + "/"):
        return (*package, *inner[len(group) + 1 :].split("/"))
    return tuple(inner.split("/"))


def _package(text: str, package: tuple[str, ...], group: str) -> tuple[str, ...]:
    if text in ("_global_", "_here_"):
        return () if text == "_global_" else package
    parts = [p for p in re.split(r"[./]", text) if p]
    if parts[:1] == ["_global_"]:
        return tuple(parts[1:])
    if parts[:1] == ["_group_"]:
        return (*group.split("/"), *parts[1:])
    return tuple(parts)
