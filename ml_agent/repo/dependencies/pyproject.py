"""pyproject.toml: [project], its extras, [dependency-groups], poetry and what setuptools reads from files."""

import tomllib
from typing import Any

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.groups import nested
from ml_agent.repo.dependencies.lines import Lines
from ml_agent.repo.dependencies.pipfile import read_table
from ml_agent.repo.dependencies.requirements_txt import RequirementsReader
from ml_agent.repo.dependencies.versions import from_poetry


def read_toml(found: Collector, path: str) -> tuple[dict[str, Any], Lines] | None:
    """The tables of a TOML file and its lines; None, which is then said, if it is none."""
    text = found.text(path)
    if text is None:
        return None
    try:
        return tomllib.loads(text.text), Lines(text.lines)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found.fault(path, f"it is no TOML: {str(error) or 'nested too deeply'}")
        return None


def table(data: Any, *keys: str) -> dict[str, Any]:
    """The table below these keys; empty if there is none."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


class Pyproject:
    def __init__(self, found: Collector, path: str, group: str = "") -> None:
        self._found, self._path, self._group = found, path, group
        self._source = Source(path, "project")

    def read(self) -> None:
        loaded = read_toml(self._found, self._path)
        if loaded is None:
            return
        self._data, self._lines = loaded
        self._project()
        self._groups()
        self._poetry()
        self._setuptools()

    def _project(self) -> None:
        project = table(self._data, "project")
        header = self._lines.header("project")
        if "requires-python" in project:
            self._found.python(str(project["requires-python"]), self._path, self._lines.key("requires-python", header), self._group)
        self._texts(project.get("dependencies"), self._lines.key("dependencies", header), self._group, "project.dependencies")
        for extra, texts in table(project, "optional-dependencies").items():
            line = self._lines.key(extra, self._lines.header("project.optional-dependencies"))
            self._texts(texts, line, nested(self._group, f"[{extra}]"), f"the extra `{extra}`")

    def _groups(self) -> None:
        header = self._lines.header("dependency-groups")
        for name, texts in table(self._data, "dependency-groups").items():
            plain = [text for text in texts if not isinstance(text, dict)] if isinstance(texts, list) else texts  # {include-group = ...}
            self._texts(plain, self._lines.key(name, header), nested(self._group, f"group {name}"), f"the group `{name}`")

    def _texts(self, texts: Any, line: int, group: str, what: str) -> None:
        if texts is None:
            return
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            self._found.fault(f"{self._path}:{line}", f"{what} is no list of texts")
            return
        for text in texts:
            line = self._lines.text(text, line)
            self._found.add(text, self._source, self._path, line, group)

    def _poetry(self) -> None:
        poetry = table(self._data, "tool", "poetry")
        extras = {str(name).lower() for names in table(poetry, "extras").values() if isinstance(names, list) for name in names}
        sections: list[tuple[tuple[str, ...], str]] = [
            (("dependencies",), self._group),
            (("dev-dependencies",), nested(self._group, "group dev")),
        ]
        sections += [(("group", name, "dependencies"), nested(self._group, f"group {name}")) for name in table(poetry, "group")]
        for keys, group in sections:
            entries = dict(table(poetry, *keys))
            header = self._lines.header(".".join(("tool.poetry", *keys)))
            python = entries.pop("python", None)
            if isinstance(python, str):
                self._found.python(from_poetry(python), self._path, self._lines.key("python", header), group)
            for name, value in entries.items():
                optional = name.lower() in extras or (isinstance(value, dict) and value.get("optional") is True)
                to = nested(self._group, "[extras]") if optional else group
                read_table(self._found, self._source, {name: value}, self._lines, header, to)

    def _setuptools(self) -> None:
        dynamic = table(self._data, "tool", "setuptools", "dynamic")
        listed = [(table(dynamic, "dependencies"), self._group)]
        listed += [
            (entry, nested(self._group, f"[{extra}]"))
            for extra, entry in table(dynamic, "optional-dependencies").items()
            if isinstance(entry, dict)
        ]
        for entry, group in listed:
            names = entry.get("file", [])
            for name in [names] if isinstance(names, str) else names if isinstance(names, list) else ():
                line = self._lines.text(str(name), self._lines.header("tool.setuptools.dynamic"))
                RequirementsReader(self._found, self._source, group).line(f"-r {name}", self._path, line)
