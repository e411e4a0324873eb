"""The environments of tox and the sessions of nox."""

import ast
import configparser
import itertools
import re
import tomllib
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.files import FileTable
from ml_agent.repo.pysource import dotted_name, parse_python

MAX_BYTES = 300_000
MAX_NAMES = 500


def read_tox(files: FileTable, path: str) -> EntryPoint | None:
    """`tox -e NAME` of a tox.ini, setup.cfg, tox.toml or pyproject.toml; None if it says nothing of tox."""
    text = _text(files, path)
    if text is None or "tox" not in path + text:
        return None
    names = _of_toml(text, path) if path.endswith(".toml") else _of_ini(text, path)
    if not names:
        return None
    choice = Option("-e", ("-e", "-m"), f"{path}:1", choices=tuple(names), help="the environment to run")
    return _entry(path, "tox", choice)


def read_nox(files: FileTable, path: str) -> EntryPoint | None:
    """`nox -s NAME` of a noxfile.py."""
    text = _text(files, path)
    try:
        tree = parse_python(text) if text is not None else None
    except SyntaxError:
        return None
    if tree is None:
        return None
    names: dict[str, int] = {}
    unread: list[str] = []
    helps: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            dotted = dotted_name(call.func if call else decorator) or ""
            if dotted.rpartition(".")[2] != "session":
                continue
            given = {k.arg: k.value for k in call.keywords} if call else {}
            named = given.get("name")
            name = named.value if isinstance(named, ast.Constant) and isinstance(named.value, str) else node.name
            names[name] = node.lineno
            if doc := ast.get_docstring(node):
                helps.append((name, " ".join(doc.split("\n\n")[0].split())[:300]))
            if named is not None and not isinstance(named, ast.Constant):
                unread.append(f"the name of a session at {path}:{node.lineno}")
    if not names:
        return None
    first = min(names.values())
    aliases = ("-s", "--session", "--sessions", "-e")
    choice = Option("-s", aliases, f"{path}:{first}", choices=tuple(names), nargs="+", help="the sessions to run")
    return _entry(path, "nox", choice, tuple(unread), tuple(helps), first)


def _entry(
    path: str, kind: str, choice: Option, unread: tuple[str, ...] = (), helps: tuple[tuple[str, str], ...] = (), line: int = 1
) -> EntryPoint:
    return EntryPoint(path, kind, (kind,), (choice,), line=line, open_ended=True, prefixes=False, command_help=helps, unread=unread)


def _text(files: FileTable, path: str) -> str | None:
    try:
        text = files.read(path, MAX_BYTES)
    except OSError:
        return None
    return None if text.binary or text.cut else text.text


def _of_ini(text: str, path: str) -> list[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return []
    main = "tox:tox" if path.endswith("setup.cfg") else "tox"
    listed = [parser.get(main, key, fallback="") for key in ("envlist", "env_list")] if parser.has_section(main) else []
    names = [n for text in listed for part in _parts(text) for n in _expanded(part)]
    for section in parser.sections():
        if section.startswith("testenv:"):
            names += _expanded(section.removeprefix("testenv:"))
    return list(dict.fromkeys(names))[:MAX_NAMES]


def _parts(text: str) -> list[str]:
    """Separated by commas and line ends, but not within braces."""
    return [p.strip() for p in re.split(r"[\n,](?![^{}]*\})", text) if p.strip()]


def _expanded(text: str) -> list[str]:
    """`py{38,39}-{cpu,gpu}` -> four names."""
    pieces = re.split(r"\{([^{}]*)\}", text.strip())
    choices = [[c.strip() for c in p.split(",")] if i % 2 else [p] for i, p in enumerate(pieces)]
    return ["".join(combined) for combined in itertools.islice(itertools.product(*choices), MAX_NAMES)]


def _of_toml(text: str, path: str) -> list[str]:
    try:
        data: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    if not path.endswith("tox.toml"):
        tool = data.get("tool")
        data = tool.get("tox") if isinstance(tool, dict) else None
    if not isinstance(data, dict):
        return []
    if isinstance(data.get("legacy_tox_ini"), str):
        return _of_ini(data["legacy_tox_ini"], "tox.ini")
    names = [n for n in data.get("env_list", ()) if isinstance(n, str)] if isinstance(data.get("env_list"), list) else []
    environments = data.get("env")
    return list(dict.fromkeys([*names, *(environments if isinstance(environments, dict) else ())]))[:MAX_NAMES]
