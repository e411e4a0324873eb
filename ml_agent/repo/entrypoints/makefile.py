"""Makefiles: their targets, and the variables that `make NAME=VALUE` can set."""

import re

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.files import FileTable

NAMES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for them."""
MAX_BYTES = 500_000
MAX_TARGETS = 1_000

_RULE = re.compile(r"([^\s:#=][^:#=\n]*?)\s*::?(?![:=])([^=\n#]*)(?:#+\s*(.*))?$")
_VARIABLE = re.compile(r"(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(\?=|::?=|=)\s*(.*)$")
_OPEN = re.compile(r"^\s*-?(?:include|sinclude)\s|\$\(eval", re.MULTILINE)


def read_makefile(files: FileTable, path: str) -> EntryPoint | None:
    """The entry point of a Makefile: `target` is a positional argument, each variable of the top level an assigned option."""
    try:
        text = files.read(path, MAX_BYTES)
    except OSError:
        return None
    if text.binary or text.cut:
        return None
    targets: dict[str, tuple[int, str]] = {}
    variables: dict[str, Option] = {}
    unread: list[str] = []
    comment = ""
    for number, line in _lines(text.text):
        if line.startswith("#"):
            comment = line.lstrip("# ").strip()
            continue
        if line.startswith("\t"):
            continue
        if variable := _VARIABLE.match(line):
            name, _, value = variable.groups()
            value = value.partition(" #")[0].strip()
            variables.setdefault(name, Option(name, (name,), f"{path}:{number}", default=repr(value[:200]), help=comment, assigned=True))
        elif rule := _RULE.match(line):
            for name in rule[1].split():
                if "%" in name or "$" in name:
                    unread.append(f"targets that {name} makes at {path}:{number}")
                elif not re.fullmatch(r"\.[A-Z_]+", name) and len(targets) < MAX_TARGETS:
                    targets.setdefault(name, (number, (rule[3] or comment).strip()))
        comment = ""
    if _OPEN.search(text.text):
        unread.append(f"what it includes at {path}:1")
    if not targets:
        return None
    folder = path.rpartition("/")[0]
    helps = tuple((name, help_) for name, (_, help_) in targets.items() if help_)
    first = min(number for number, _ in targets.values())
    target = Option("target", ("target",), f"{path}:{first}", choices=tuple(targets), nargs="*", help="the first one if none is given")
    return EntryPoint(
        path, "make", ("make", "-C", folder) if folder else ("make",), (target, *variables.values()), line=first,
        open_ended=bool(unread), prefixes=False, flag_style="make", command_help=helps, unread=tuple(unread[:100]),
    )  # fmt: skip


def _lines(text: str) -> list[tuple[int, str]]:
    """Each line with its number; those that a backslash goes on with joined to it."""
    found: list[tuple[int, str]] = []
    number = 0
    lines = iter(enumerate(text.split("\n"), 1))
    for number, line in lines:
        parts = [line]
        while parts[-1].endswith("\\"):
            following = next(lines, None)
            if following is None:
                break
            parts.append(following[1])
        found.append((number, " ".join(p.removesuffix("\\").rstrip("\r") for p in parts)))
    return found
