"""Tables of names and versions: Pipfile, and poetry's part of pyproject.toml."""

import re
from typing import Any

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.lines import Lines
from ml_agent.repo.dependencies.versions import from_poetry

_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?")


def read_pipfile(found: Collector, path: str, group: str, data: dict[str, Any], lines: Lines) -> None:
    source = Source(path, "pipfile")
    for section, entries in data.items():
        header = lines.header(section)
        if section == "requires" and isinstance(entries, dict):
            version = entries.get("python_full_version") or entries.get("python_version")
            if isinstance(version, str):
                found.python(f"=={version}" if "python_full_version" in entries else f"=={version}.*", path, header + 1, group)
        elif isinstance(entries, dict) and section not in ("scripts", "pipenv", "requires"):
            own = "" if section == "packages" else section
            read_table(found, source, entries, lines, header, f"{group} {own}".strip())


def read_table(found: Collector, source: Source, entries: dict[str, Any], lines: Lines, header: int, group: str) -> None:
    """`name = "^1.2"` or `name = {version = ..., extras = [...], markers = ..., git = ...}`, or a list of such tables."""
    for name, value in entries.items():
        line = lines.key(name, header)
        if not _NAME.fullmatch(name):
            found.fault(f"{source.path}:{line}", f"`{name}` is no name of a distribution")
            continue
        for one in value if isinstance(value, list) else [value]:
            try:
                written = _written(name, one)
            except (TypeError, ValueError) as error:
                found.fault(f"{source.path}:{line}", f"`{name}`: {error}")
                continue
            if written:
                found.add(written, source, source.path, line, group)


def _written(name: str, value: Any) -> str:
    """As PEP 508; empty for a folder of the repository. Raises TypeError for what says nothing."""
    if isinstance(value, str):
        return f"{name}{from_poetry(value)}"
    if not isinstance(value, dict):
        raise TypeError("neither a version nor a table")
    if "path" in value:
        return ""
    extras = value.get("extras")
    name += f"[{','.join(map(str, extras))}]" if isinstance(extras, list) and extras else ""
    conditions = [str(value["markers"])] if "markers" in value else []
    if isinstance(value.get("python"), str):
        conditions += [
            f"python_full_version {part[:2].rstrip('0123456789')}{_number(part)}" for part in _parts(from_poetry(value["python"]))
        ]
    marker = f" ; {' and '.join(f'({c})' for c in conditions)}" if conditions else ""
    address = next((str(value[key]) for key in ("git", "url", "file") if key in value), "")
    if address:
        return f"{name} @ {'git+' if 'git' in value and not address.startswith('git+') else ''}{address}{marker}"
    return f"{name}{from_poetry(str(value.get('version', '*')))}{marker}"


def _parts(specifier: str) -> list[str]:
    return [part for part in specifier.split(",") if part]


def _number(part: str) -> str:
    return f"'{part.lstrip('<>=!~ ')}'"
