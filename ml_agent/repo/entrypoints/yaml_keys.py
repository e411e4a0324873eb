"""The keys of a YAML file with their lines and values, as far as they are those of a configuration."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.files import FileTable

MAX_BYTES = 300_000
MAX_KEYS = 3_000
MAX_DEPTH = 20
_ABOVE = 4
"""Lines of comment above a key that may be about it."""

_KINDS = {f"tag:yaml.org,2002:{kind}": kind for kind in ("int", "float", "bool", "str")}


@dataclass(frozen=True, slots=True)
class Key:
    path: tuple[str, ...]
    """`model`, `lr` of `model.lr`."""
    source: str
    kind: str
    """`int`, `float`, `bool`, `str`; `null`; `list`; `dict`, of which only the empty ones are listed."""
    value: str
    """As it stands in the file: without quotes; `[...]` for a list."""
    help: str = ""
    """The comment behind it, or the one above it."""
    members: tuple[str, ...] = ()
    """Of an Enum: what it takes, besides other ways to write them."""

    @property
    def name(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Document:
    path: str
    keys: tuple[Key, ...]
    """All leaves, in the order of the file."""
    defaults: tuple[Any, ...] | None
    """The list below the key `defaults`, as Python values: texts, and dictionaries of texts; None if there is none."""
    header: str
    """The comment lines at the top."""
    defaults_line: int = 1


def read_yaml(files: FileTable, path: str) -> Document | str:
    """The keys of a file, or why it could not be read."""
    import yaml

    try:
        text = files.read(path, MAX_BYTES)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if text.cut or text.binary:
        return f"more than {MAX_BYTES:,} bytes, or binary: not read"
    try:
        root = yaml.compose(text.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return f"is no YAML that can be read: {' '.join(str(error).split())[:100]}"
    lines = text.text.splitlines()
    header = "\n".join(line for line in lines[:5] if line.startswith("#"))
    if root is None:
        return Document(path, (), None, header)
    if not isinstance(root, yaml.MappingNode):
        return "is no mapping"
    defaults, line = None, 1
    for name, value in root.value:
        if getattr(name, "value", None) == "defaults" and isinstance(value, yaml.SequenceNode):
            defaults = tuple(_plain(v) for v in value.value[:200])
            line = name.start_mark.line + 1
    keys = []
    for key in _keys(root, (), path, lines, 0):
        if key.path[0] == "defaults" and defaults is not None:
            continue
        keys.append(key)
        if len(keys) >= MAX_KEYS:
            break
    return Document(path, tuple(keys), defaults, header, line)


def _plain(node: Any) -> Any:
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == "tag:yaml.org,2002:null" else str(node.value)
    if isinstance(node, yaml.MappingNode):
        return {str(getattr(k, "value", "")): _plain(v) for k, v in node.value[:50] if isinstance(v, (yaml.ScalarNode, yaml.SequenceNode))}
    if isinstance(node, yaml.SequenceNode):
        return [str(n.value) for n in node.value[:50] if isinstance(n, yaml.ScalarNode)]
    return None


_SETS = re.compile(r"[-\w. ]+:(?:\s|$)|- |@package|[-=#*]{3,}")
"""A comment that is a setting itself, put out of use, or no text."""
_LONGEST = 300


def _help(lines: Sequence[str], name: Any, value: Any) -> str:
    """What a comment says of a key: the one behind its value, else the lines above it that stand as far in as it does."""
    end = value.end_mark if value.start_mark.line == value.end_mark.line else name.end_mark
    behind = lines[end.line][end.column : end.column + _LONGEST] if end.line < len(lines) else ""
    found = re.match(r"[\s,]*#\s*(.*)", behind)
    if found is not None:
        return found[1].strip()
    above: list[str] = []
    start = name.start_mark
    for line in reversed(lines[max(0, start.line - _ABOVE) : start.line]):
        text = line.strip()
        if not text.startswith("#") or len(line) - len(line.lstrip()) != start.column or _SETS.match(text.lstrip("# ")):
            break
        above.insert(0, text.lstrip("# "))
    return " ".join(above)[:_LONGEST]


def _keys(node: Any, above: tuple[str, ...], path: str, lines: Sequence[str], depth: int) -> Iterator[Key]:
    import yaml

    if depth > MAX_DEPTH:
        return
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode) or _KINDS.get(name.tag) == "bool":
            continue
        here = (*above, str(name.value))
        source = f"{path}:{name.start_mark.line + 1}"
        if name.tag == "tag:yaml.org,2002:merge":
            for merged in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                if isinstance(merged, yaml.MappingNode):
                    yield from _keys(merged, above, path, lines, depth + 1)
        elif isinstance(value, yaml.MappingNode) and value.value:
            yield from _keys(value, here, path, lines, depth + 1)
        elif isinstance(value, yaml.MappingNode):
            yield Key(here, source, "dict", "{}", _help(lines, name, value))
        elif isinstance(value, yaml.SequenceNode):
            items = [str(v.value) if isinstance(v, yaml.ScalarNode) else "..." for v in value.value[:50]]
            yield Key(here, source, "list", f"[{', '.join(items)}]"[:500], _help(lines, name, value))
        else:
            kind = "null" if value.tag == "tag:yaml.org,2002:null" else _KINDS.get(value.tag, "str")
            yield Key(here, source, kind, "null" if kind == "null" else str(value.value)[:500], _help(lines, name, value))
