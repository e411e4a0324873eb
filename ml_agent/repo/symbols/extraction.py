"""What the matches of a query say: definitions with their parents, names that are called or used, imports, exports."""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ml_agent.repo.symbols.comments import comment_above, docstring
from ml_agent.repo.symbols.languages import Language
from ml_agent.repo.symbols.model import Definition, FileSymbols, Import, Problem
from ml_agent.repo.symbols.python import exported, imports

if TYPE_CHECKING:
    from tree_sitter import Node

SIGNATURE_CHARACTERS = 300
VALUE_CHARACTERS = 120
MAX_DEFINITIONS = 20_000
MAX_KEYS = 2_000
"""Of one file that are kept; keys, of a file of data."""
_CLASSES = frozenset({"class", "struct", "union", "interface", "trait", "impl", "record", "enum"})
_VALUES = frozenset({"variable", "field", "constant"})
_CAPITALS = frozenset({"python", "javascript", "typescript", "tsx"})
"""Languages in which a name in capitals is that of a constant."""
_WHOLE_HEAD = frozenset({"function", "method", "constructor", "declaration", "class"})
"""Kinds whose signature may go over several lines even where they have no body."""
_OPEN_END = re.compile(r"(?:\s*(?:[:{=]|=>|do|begin))+\s*$")
_COMMENT = re.compile(r"(?<=\s)(?:#|//)[^\n]*|:\s*#[^\n]*$")
_SPACE_INSIDE = re.compile(r"(?<=[(\[]) | (?=[)\]])|,(?= ?[)\]])")
_TEMPLATE = re.compile(r"<[^<>]*>")


Match = tuple[int, dict[str, list["Node"]]]
"""The number of the pattern, and the nodes of each capture."""
_Candidate = tuple[int, int, int, str, "Node", str, str]
"""Start, minus the end, order of the pattern, kind, node, name, name of the scope: they sort so that what contains comes first."""


@dataclass(slots=True)
class _Found:
    """What a query found, by role."""

    definitions: list[_Candidate] = field(default_factory=list)
    calls: list["Node"] = field(default_factory=list)
    uses: list["Node"] = field(default_factory=list)
    members: list["Node"] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    exporting: list["Node"] = field(default_factory=list)


class _Reader:
    """One file; offsets count the characters of `source`, which are bytes if some take more than one."""

    def __init__(self, language: Language, source: str | bytes) -> None:
        self.language = language
        self.source = source
        self.found = _Found()
        self._lines: list[str] | None = None
        self.cut: Callable[[int, int], str]
        if isinstance(source, str):
            self.cut = lambda start, end: source[start:end]
        else:
            self.cut = lambda start, end: source[start:end].decode("utf-8", "replace")

    def text_of(self, node: "Node") -> str:
        return self.cut(node.start_byte, node.end_byte)

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            whole = self.source if isinstance(self.source, str) else self.source.decode("utf-8", "replace")
            self._lines = whole.split("\n")
        return self._lines

    def sort(self, matches: Iterable[Match]) -> None:
        """Gives each match to the list of its role."""
        found = self.found
        calls, uses = found.calls, found.uses
        named: dict[int, int] = {}  # where a name begins: its definition's place among them
        for order, captured in matches:  # once for every reference: the most frequent first
            if "use" in captured:
                uses += captured["use"]
                if len(captured) > 1:
                    found.members += captured["member"]
            elif "call" in captured:
                calls += captured["call"]
            elif "name" in captured:
                self._definition(order, captured, named)
            elif "import" in captured:
                node = captured["import"][0]
                found.definitions.append((node.start_byte, -node.end_byte, order, "import", node, "", ""))
            elif "member" in captured:
                found.members += captured["member"]
            elif all(self.text_of(node) == role for role in ("module", "exports") for node in captured.get(role, ())):
                found.exports += map(self.text_of, captured["export"])
        if self.language.name != "python":  # whose patterns never take the name of a definition for a reference
            found.calls = [node for node in found.calls if node.start_byte not in named]
            found.uses = [node for node in found.uses if node.start_byte not in named]

    def _definition(self, order: int, captured: dict[str, list["Node"]], named: dict[int, int]) -> None:
        name_node = captured["name"][0]
        for kind, (node, *_) in captured.items():  # noqa: B007
            if kind not in ("name", "scope"):
                break
        name = self.text_of(name_node)
        if self.language.name == "python" and name == "__all__":
            self.found.exporting.append(node)
        elif kind != "exporting":
            scope = self.text_of(captured["scope"][0]) if "scope" in captured else ""
            if self.language.data or "::" in name:
                scope, name = _parted(name, self.language)
            found = (node.start_byte, -node.end_byte, order, kind, node, name, scope)
            place = named.setdefault(name_node.start_byte, len(self.found.definitions))
            if place == len(self.found.definitions):
                self.found.definitions.append(found)
            elif order < self.found.definitions[place][2]:
                self.found.definitions[place] = found

    def definitions(self, ordered: Iterable[_Candidate]) -> tuple[list[Definition], list[Import], list[Import]]:
        """Definitions and imports in the order of the file; of the imports first those at the top, then those inside of something."""
        made: list[Definition] = []
        outer: list[Import] = []
        inner: list[Import] = []
        around: list[tuple[int, str, str, int]] = []  # end, kind, qualified name, line
        for start, minus_end, _, kind, node, name, scope in ordered:
            while around and around[-1][0] <= start:
                around.pop()
            if kind == "import":
                bound = imports(self.cut(start, -minus_end), node.start_point[0] + 1)
                (inner if around else outer).extend(bound)
                continue
            parent = around[-1][2] if around else ""
            if scope:
                parent = f"{parent}.{scope}" if parent else scope
            if kind in ("function", "declaration") and ((around and around[-1][1] in _CLASSES) or scope):
                kind = "method"
            elif kind == "variable" and name.isupper() and self.language.name in _CAPITALS:
                kind = "constant"
            # By index: Point.row of tree-sitter 0.26.1 gives its number away one time too often.
            row, (last, column) = node.start_point[0], node.end_point
            body = node.child_by_field_name("body") if kind not in _VALUES else None
            doc = self._docstring(node, body) if self.language.name == "python" else ""
            if not doc and row and not (around and around[-1][3] == row):
                doc = comment_above(self.lines, row, self.language.comments)
            end_line = last + 1 if column or last == row else last
            definition = Definition(kind, name, parent, row + 1, end_line, self._signature(kind, name, node, body), doc)
            made.append(definition)
            if kind not in _VALUES:
                around.append((-minus_end, kind, definition.qualified, row))
        return made, outer, inner

    def _docstring(self, node: "Node", body: "Node | None") -> str:
        """Of a function or class in its body; of a variable right behind it."""
        start = body.start_byte if body else node.end_byte
        text = self.cut(start, start + 4 if body else start + 80).lstrip()
        if text.lstrip("rRuU")[:1] not in ('"', "'"):
            return ""
        return docstring(self.cut(start, min(body.end_byte, start + 2_000) if body else start + 2_000).lstrip())

    def _signature(self, kind: str, name: str, node: "Node", body: "Node | None") -> str:
        start, end = node.start_byte, node.end_byte
        if body is None and (value := node.child_by_field_name("value")) is not None:
            body = value.child_by_field_name("body")
        if body is not None:
            end = body.start_byte
        text = self.cut(start, min(end, start + 2 * SIGNATURE_CHARACTERS))
        limit = SIGNATURE_CHARACTERS
        if body is None and kind not in _WHOLE_HEAD:
            text = text.partition("\n")[0]
            limit = VALUE_CHARACTERS
        elif body is None and self.language.name == "julia":  # whose grammar has no body apart
            text = _first_lines(text)
        text = text.rstrip()
        if "\n" in text or "#" in text or text.endswith("  "):
            text = _SPACE_INSIDE.sub("", " ".join(_COMMENT.sub("", text).split()))
        if text.endswith(":"):
            text = text[:-1].rstrip()
        elif body is not None or text.endswith("{"):
            text = _OPEN_END.sub("", text)
        else:
            text = text.rstrip(" ;,")
        if name not in text:  # `typedef struct {` ... `} name;`
            text = f"{text} ... {name}"
        return text if len(text) <= limit else text[: limit - 3] + "..."

    def collect(self, nodes: Iterable["Node"], names: dict[str | bytes, list[int]], only: Set[str | bytes] | None = None) -> None:
        """Adds what is written at the nodes, as it stands in `source`, and the lines; if `only` is given nothing but what is in it."""
        source = self.source
        for node in nodes:
            name = source[node.start_byte : node.end_byte]
            if only is not None and name not in only:
                continue
            lines = names.get(name)
            line = node.start_point[0] + 1
            if lines is None:
                names[name] = [line]
            elif lines[-1] != line:
                lines.append(line)

    def as_written(self, names: Iterable[str]) -> list[str | bytes]:
        return list(names) if isinstance(self.source, str) else [name.encode() for name in names]


def extract(language: Language, source: str | bytes, matches: Iterable[Match], problems: list[Problem]) -> FileSymbols:
    """The symbols that the matches of a language's query in a file amount to."""
    reader = _Reader(language, source)
    reader.sort(matches)
    limit = MAX_KEYS if language.data else MAX_DEFINITIONS
    ordered = sorted(reader.found.definitions, key=lambda d: d[:3])
    if len(ordered) > limit:
        problems.append(Problem(ordered[limit][4].start_point[0] + 1, f"more than {limit} definitions: the others are not read"))
    definitions, outer, inner = reader.definitions(ordered[:limit])
    found = reader.found
    calls: dict[str | bytes, list[int]] = {}
    uses: dict[str | bytes, list[int]] = {}
    reader.collect(found.calls, calls)
    exports: tuple[str, ...] | None = tuple(dict.fromkeys(found.exports)) or None
    if language.name == "python":
        exports = exported(found.exporting, reader.text_of)
        bound = {one.name for one in (*outer, *inner)}
        # What is not bound here at all is a local variable, a parameter or a builtin.
        only = None if "*" in bound else frozenset(reader.as_written(bound.union(definition.name for definition in definitions)))
        reader.collect(found.uses, uses, only)
        reader.collect(found.members, uses)
        for one in (*outer, *inner):
            imported = dict.fromkeys((one.original or one.module.rpartition(".")[2], one.name))
            for name in reader.as_written(name for name in imported if name not in ("*", "")):
                uses.setdefault(name, []).append(one.line)
    else:
        reader.collect(found.uses, uses)
    return FileSymbols(language.name, tuple(definitions), _settled(calls), _settled(uses), tuple(outer), exports, tuple(problems))


def _settled(names: Mapping[str | bytes, list[int]]) -> dict[str, tuple[int, ...]]:
    return {
        name if isinstance(name, str) else name.decode("utf-8", "replace"): tuple(lines) if len(lines) == 1 else tuple(sorted(set(lines)))
        for name, lines in names.items()
    }


def _first_lines(text: str) -> str:
    """As many lines as it takes to close the parentheses."""
    lines = text.split("\n")
    for i in range(1, len(lines)):
        head = "\n".join(lines[:i])
        if head.count("(") == head.count(")"):
            return head
    return text


def _parted(name: str, language: Language) -> tuple[str, str]:
    """Scope and name of a qualified name, quotes and template arguments removed."""
    if not language.data:
        scope, _, name = _TEMPLATE.sub("", name).rpartition("::")
        return scope.replace("::", "."), name
    name = name.strip()
    if name[:1] in ("'", '"') and name[-1:] == name[:1]:
        return "", name[1:-1]
    scope, _, name = name.rpartition(".") if language.name == "toml" else ("", "", name)
    return scope, name
