"""Which modules an Environment has, and which distribution each is of. Nothing is imported."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from ml_agent.sandbox.environment import Environment
from ml_agent.sandbox.prefixes import is_covered

MAX_BYTES = 10_000_000
"""Of one file of metadata."""
_MODULE = re.compile(r"(\w+)(?:\.(?:cpython|abi3|pypy|cp)[\w.-]*)?\.(?:pyc?|so)")
_RECORDED = re.compile(r"^\"?([^/,\"\n]+)(/[^,\n]*)?,", re.MULTILINE)


def installed_modules(environment: Environment) -> dict[str, str]:
    """Top-level module -> the distribution that it is of, as that calls itself; empty where no metadata tells."""
    found: dict[str, str] = {}
    for folder in map(Path, environment.path):
        for module, distribution in _by_metadata(folder):
            found.setdefault(module, distribution)
        for place in (folder, *_paths_of_pth(folder, environment)):
            for module in _modules_in(place):
                found.setdefault(module, "")
    return found


def _by_metadata(folder: Path) -> Iterator[tuple[str, str]]:
    for info in _entries(folder):
        if not info.name.endswith((".dist-info", ".egg-info")):
            continue
        name = re.split(r"-\d", info.name.rpartition(".")[0])[0]
        # top_level.txt is of setuptools, and right for an editable installation too; other builders only list the files.
        if listed := _read(info / "top_level.txt").split():
            yield from ((module.partition("/")[0], name) for module in listed)
        else:
            for first, rest in _RECORDED.findall(_read(info / "RECORD")):
                if rest and first.isidentifier():
                    yield first, name
                elif not rest and (module := _MODULE.fullmatch(first)):
                    yield module[1], name


def _modules_in(folder: Path) -> Iterator[str]:
    for entry in _entries(folder):
        if module := _MODULE.fullmatch(entry.name):
            yield module[1]
        elif entry.name.isidentifier() and entry.name != "__pycache__" and entry.is_dir():
            yield entry.name


def _paths_of_pth(folder: Path, environment: Environment) -> Iterator[Path]:
    """Folders that .pth files add to the search path, as far as a run sees them."""
    for file in _entries(folder):
        if file.name.endswith(".pth"):
            for line in _read(folder / file.name).splitlines():
                path = folder / line.strip()
                if line.strip() and not line.startswith(("import ", "import\t", "#")) and is_covered(path, environment.mounts):
                    yield path


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (OSError, ValueError):
        return []


def _read(path: Path) -> str:
    """Empty for what is no regular file or cannot be read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(MAX_BYTES).decode("utf-8", "replace") if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else ""
    except (OSError, ValueError):
        return ""
