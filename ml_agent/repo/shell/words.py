"""Words of a shell command line: quotes removed, known variables put in, fields split as a shell splits them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_FIELDS = 10_000
"""Words that one array, loop or range may expand to."""
MAX_VALUE = 100_000
"""Characters of a variable's value; a longer one counts as unknown."""
MAX_NESTING = 200

Value = str | tuple[str, ...] | None
"""A variable's value: text, an array, or None if it is not known."""

_NAME = re.compile(r"\$\{?([A-Za-z_]\w*|[0-9@*#?!$-])")
_SINGLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command. A variable that holds several words gives several of these with one place."""

    text: str
    """Quotes removed and known variables put in. What is not known stays as `$NAME` or `$(...)`."""
    raw: str
    """As it is written."""
    start: int
    """Offset in bytes of the script's UTF-8 text; `end` likewise, exclusive."""
    end: int
    line: int
    """From 1."""
    dynamic: bool = False
    """The text still holds something that only a run can tell."""

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables that the text still holds."""
        return tuple(dict.fromkeys(_NAME.findall(self.text))) if self.dynamic else ()


@dataclass(slots=True)
class Field:
    """One word while it is put together."""

    text: str = ""
    dynamic: bool = False


@dataclass(slots=True)
class Fields:
    """Words while pieces are joined to them: an unquoted value is split, all else extends the last word."""

    done: list[Field] = field(default_factory=list)
    open: bool = False

    def add(self, text: str, *, dynamic: bool = False) -> None:
        if not self.open:
            self.done.append(Field())
            self.open = True
        last = self.done[-1]
        last.text += text
        last.dynamic = last.dynamic or dynamic

    def split(self, value: str) -> None:
        """Join an unquoted value: white space in it ends words."""
        if value[:1].isspace():
            self.open = False
        for number, part in enumerate(value.split()[:MAX_FIELDS]):
            if number:
                self.open = False
            self.add(part)
        if value[-1:].isspace():
            self.open = False

    def several(self, values: Sequence[str]) -> None:
        """Join an array: each element is a word of its own."""
        for number, value in enumerate(values[:MAX_FIELDS]):
            if number:
                self.open = False
            self.add(value)


class Expander:
    """Turns nodes of the syntax tree into words. `variables` is read at each call, so its owner may change it."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.variables: Mapping[str, Value] = {}

    def raw(self, start: int, end: int) -> str:
        part = self.source[start:end]
        try:
            return part.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # the grammar saw other characters in its place, and may cut one in two
            return part.decode("utf-8", "replace")

    def words(self, nodes: Sequence["Node"]) -> list[Word]:
        """The words that these touching nodes make up; none if they are variables without content."""
        start, end, line = nodes[0].start_byte, nodes[-1].end_byte, nodes[0].start_point[0] + 1
        fields = Fields()
        for node in nodes:
            self._expand(node, fields, quoted=False, depth=0)
        raw = self.raw(start, end)
        return [Word(f.text.replace("\0", ""), raw, start, end, line, f.dynamic) for f in fields.done]

    def text(self, node: "Node") -> Field:
        """The value of a node where no word is split: the right-hand side of an assignment, a `case` pattern."""
        fields = Fields()
        self._expand(node, fields, quoted=True, depth=0)
        return Field(" ".join(f.text for f in fields.done).replace("\0", ""), any(f.dynamic for f in fields.done))

    def _expand(self, node: "Node", fields: Fields, *, quoted: bool, depth: int) -> None:
        kind = node.type
        raw = self.raw(node.start_byte, node.end_byte)
        if depth > MAX_NESTING:
            fields.add(raw, dynamic=True)
        elif kind in ("word", "number", "variable_name", "extglob_pattern", "regex", "heredoc_start"):
            if node.named_child_count:  # a number with an expansion in it, such as 16#$X
                fields.add(raw, dynamic=True)
            else:
                fields.add(unescape(raw.lstrip() if depth == 0 else raw))
        elif kind == "raw_string":
            fields.add(raw[1:-1])
        elif kind == "ansi_c_string":
            fields.add(_unescape_ansi(raw[2:-1]))
        elif kind in ("string", "translated_string"):
            self._string(node, fields, depth)
        elif kind in ("concatenation", "command_name"):
            for child in node.children:
                self._expand(child, fields, quoted=quoted, depth=depth + 1)
        elif kind in ("simple_expansion", "expansion"):
            self._variable(node, fields, quoted=quoted, depth=depth)
        elif not quoted and (values := _range(raw) if kind == "brace_expression" and not fields.open else _sequence(raw)):
            fields.several(values)
        else:
            fields.add(raw.lstrip(), dynamic="$" in raw or "`" in raw)

    def _string(self, node: "Node", fields: Fields, depth: int) -> None:
        fields.add("")
        position = node.children[0].end_byte if node.children else node.start_byte
        last = node.end_byte - 1 if self.source[node.end_byte - 1 : node.end_byte] == b'"' else node.end_byte
        for child in node.named_children:
            if child.type in ("string_content", "string"):
                continue
            begin = child.start_byte
            while self.source[begin : begin + 1].isspace():  # the grammar counts white space into the expansion
                begin += 1
            fields.add(_unescape_double(self.raw(position, begin)))
            self._expand(child, fields, quoted=True, depth=depth + 1)
            position = child.end_byte
        fields.add(_unescape_double(self.raw(position, max(position, last))))

    def _variable(self, node: "Node", fields: Fields, *, quoted: bool, depth: int) -> None:
        raw = self.raw(node.start_byte, node.end_byte).lstrip()
        name = next((c for c in node.children if c.type in ("variable_name", "special_variable_name", "subscript")), None)
        operator = next((c for c in node.children if c.type in (":-", "-", ":=", "=")), None)
        plain = node.type == "simple_expansion" or operator is not None or len(node.children) == 3
        if name is None or not plain:
            fields.add(raw, dynamic=True)
            return
        value = self._lookup(self.raw(name.start_byte, name.end_byte))
        if operator is not None and (value is None or value == ""):
            self._default(node, operator, fields, quoted=quoted, depth=depth)
        elif value is None:
            whole = not fields.open or not fields.done[-1].text
            identifier = self.raw(name.start_byte, name.end_byte)
            fields.add(
                f"${identifier}" if whole and identifier.isidentifier() and not _name_follows(self.source, node.end_byte) else raw,
                dynamic=True,
            )
        elif isinstance(value, tuple):
            if quoted and "[*]" in raw:
                fields.add(" ".join(value))
            else:
                fields.several(value)
        elif quoted:
            fields.add(value)
        else:
            fields.split(value)

    def _default(self, node: "Node", operator: "Node", fields: Fields, *, quoted: bool, depth: int) -> None:
        defaults = [c for c in node.children if c.start_byte >= operator.end_byte and c.type != "}"]
        if not defaults and quoted:
            fields.add("")
        for child in defaults:
            if quoted or child.type != "concatenation":
                self._expand(child, fields, quoted=quoted, depth=depth + 1)
            else:
                inner = Fields()
                self._expand(child, inner, quoted=True, depth=depth + 1)
                if any(f.dynamic for f in inner.done):
                    fields.add(" ".join(f.text for f in inner.done), dynamic=True)
                else:
                    fields.split(" ".join(f.text for f in inner.done))

    def _lookup(self, name: str) -> Value:
        if not name.endswith("]"):
            value = self.variables.get(name)
            return value[0] if isinstance(value, tuple) and value else value
        base, _, key = name[:-1].partition("[")
        value = self.variables.get(base)
        if isinstance(value, str):
            value = (value,)
        if value is None or key in ("@", "*"):
            return value
        return value[int(key)] if key.isdecimal() and len(key) < 6 and int(key) < len(value) else None


def unescape(raw: str) -> str:
    """An unquoted word without its backslashes; a backslash before the end of a line vanishes with it."""
    return re.sub(r"\\(.)", lambda m: "" if m[1] == "\n" else m[1], raw, flags=re.DOTALL) if "\\" in raw else raw


def _unescape_double(raw: str) -> str:
    return re.sub(r'\\([$`"\\\n])', lambda m: "" if m[1] == "\n" else m[1], raw) if "\\" in raw else raw


def _unescape_ansi(raw: str) -> str:
    return re.sub(r"\\(.)", lambda m: _SINGLE_ESCAPES.get(m[1], m[0]), raw, flags=re.DOTALL)


def _name_follows(source: bytes, end: int) -> bool:
    following = source[end : end + 1]
    return following.isalnum() or following == b"_"


def _range(raw: str) -> list[str]:
    """The words of `{1..5}` or `{0..10..2}`; none if it is something else."""
    match = re.fullmatch(r"\{(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?\}", raw.strip())
    if not match:
        return []
    first, last, step = int(match[1]), int(match[2]), abs(int(match[3] or 1)) or 1
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [str(n) for n in numbers[:MAX_FIELDS]]


def _sequence(raw: str) -> list[str]:
    """The words of `$(seq 5)`, `$(seq 1 5)` or `$(seq 1 2 9)` in whole numbers; none if it is something else."""
    match = re.fullmatch(r"(?:\$\(|`)\s*seq((?:\s+-?\d{1,9}){1,3})\s*(?:\)|`)", raw.strip())
    if not match:
        return []
    numbers = [int(n) for n in match[1].split()]
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0:
        return []
    return [str(n) for n in range(first, numbers[-1] + (1 if step > 0 else -1), step)[:MAX_FIELDS]]
