"""Programs that the repository builds: what its Makefiles and CMake files say that they make."""

import re
from collections.abc import Iterator

from ml_agent.repo.files import FileTable

MAX_FILES = 50
MAX_BYTES = 300_000
MAX_LINE = 5_000
"""Characters; no rule is longer."""

_RULE = re.compile(r"([^\s:#=][^:#=]{0,200}?)\s*::?(?!=)([^=]*)$")
_COMPILES = re.compile(r"\$[({](?:CC|CXX|LD|NVCC|CPP)[)}]|\b(?:gcc|g\+\+|clang(?:\+\+)?|nvcc|cc|c\+\+)\b")
_OUTPUT = re.compile(r"\s-o\s+(?:\./)?([\w./$(){}@-]+)")
_EXECUTABLE = re.compile(r"^[ \t]*(?:add_executable|cuda_add_executable)\s*\(\s*([\w.-]+)", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w-]*")


def built_programs(files: FileTable) -> frozenset[str]:
    """The names of the executables, without their folders."""
    found: set[str] = set()
    for base, read in (("Makefile", _of_make), ("makefile", _of_make), ("GNUmakefile", _of_make), ("CMakeLists.txt", _of_cmake)):
        for path in files.find(base)[:MAX_FILES]:
            try:
                text = files.read(path, MAX_BYTES)
            except OSError:
                continue
            found.update(name for place in read(text.text) if _NAME.fullmatch(name := place.rpartition("/")[2]))
    return frozenset(found)


def _of_make(text: str) -> Iterator[str]:
    """The targets of rules whose recipe compiles, and what the recipes write."""
    targets: list[str] = []
    for line in text.replace("\\\n", " ").replace("\r", "").split("\n"):
        if len(line) > MAX_LINE:
            continue
        if not line.startswith("\t"):
            rule = _RULE.match(line)
            targets = rule[1].split() if rule else targets if not line.strip() else []
        elif _COMPILES.search(line):
            outputs = _OUTPUT.findall(line)
            yield from (o for o in outputs if o != "$@")
            if not outputs or "$@" in outputs:
                yield from targets


def _of_cmake(text: str) -> Iterator[str]:
    yield from _EXECUTABLE.findall(text)
