"""Commands that a repository installs: console scripts of pyproject.toml, setup.cfg and setup.py."""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.files import FileTable
from ml_agent.repo.oldpython import parse_old_python

MAX_FILES = 20
MAX_BYTES = 200_000
MAX_SCRIPTS = 1_000

_ENTRY = re.compile(r"\s*([\w.-]+)\s*=\s*([\w.]+)(?:\s*:\s*(\w+)|\s*$)")


@dataclass(frozen=True, slots=True)
class ConsoleScript:
    """A command that exists once the repository is installed."""

    name: str
    path: str
    """The file of the function that it calls."""
    function: str | None
    """None: it names a module alone, which does its work when it is imported."""


def console_scripts(files: FileTable) -> dict[str, ConsoleScript]:
    """By name. Those whose module is not found in the repository are left out."""
    sources = Sources(files)
    found: dict[str, ConsoleScript] = {}
    for name, module, function, folder in _declared(files):
        place = sources.imported_from(folder, Import(module, 0, None))
        if place is not None and len(found) < MAX_SCRIPTS:
            found.setdefault(name, ConsoleScript(name, place, function))
    return found


def by_path(scripts: Mapping[str, ConsoleScript]) -> dict[str, Sequence[ConsoleScript]]:
    """The commands that call a function of each file, one of each function."""
    found: dict[str, dict[str | None, ConsoleScript]] = {}
    for script in scripts.values():
        found.setdefault(script.path, {}).setdefault(script.function, script)
    return {path: list(functions.values()) for path, functions in found.items()}


def _declared(files: FileTable) -> Iterator[tuple[str, str, str | None, str]]:
    """Name, module, function, and the folder of the file that says so."""
    for base, read in (("pyproject.toml", _of_toml), ("setup.cfg", _of_cfg), ("setup.py", _of_setup)):
        for path in files.find(base)[:MAX_FILES]:
            try:
                text = files.read(path, MAX_BYTES)
            except OSError:
                continue
            for line in read(text.text) if not text.cut else ():
                if match := _ENTRY.match(line):
                    yield match[1], match[2], match[3], path.rpartition("/")[0] or "."


def _of_toml(text: str) -> list[str]:
    try:
        data: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    found = []
    for keys in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"), ("tool", "flit", "scripts")):
        table = data
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        found += [f"{name} = {target}" for name, target in (table.items() if isinstance(table, dict) else ())]
    return found


def _of_cfg(text: str) -> list[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    return [line for key in ("console_scripts", "gui_scripts") for line in parser.get("options.entry_points", key, fallback="").split("\n")]


def _of_setup(text: str) -> list[str]:
    """The texts below `console_scripts` in `setup(entry_points=...)`, a dictionary or the text of a section, as far as they are
    written out."""
    try:
        tree = parse_old_python(text)
    except SyntaxError:
        return []
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "[console_scripts]" in node.value:
            found += node.value.partition("[console_scripts]")[2].partition("\n[")[0].split("\n")
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in ("console_scripts", "gui_scripts"):
                    found += [n.value for n in ast.walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return found
