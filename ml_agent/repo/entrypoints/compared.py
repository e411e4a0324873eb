"""Which values of its options a program's own code asks for: it compares an option with them, or looks them up in a
dictionary or a module.

The program's file is read, and the functions and classes of the repository that it hands an option, or all of its options, to. An
option is known by the attribute of what holds the options (`args.model`, `FLAGS.model`, `cfg["model"]`), by a name that is bound to
that, or by the parameter that it is made of. Other values may be right as well: nothing is said of those.
"""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.enumerated import enumerated
from ml_agent.repo.entrypoints.held import ALL, Frame, key, plain
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.offered import chosen_from, offered
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.pysource import walk

MAX_VALUES = 100
MAX_BODIES = 60
"""Functions and classes of one program that are entered, each at most once."""
MAX_DEPTH = 4
MAX_NESTING = 200
_LONGEST = 80

_Body = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def with_compared(entry: EntryPoint, program: Program) -> EntryPoint:
    """The same program, with the values that its options are compared with, and that their help lists."""
    open_options = [o for o in entry.options if _is_open(o)]
    if not open_options:
        return entry
    keys: dict[str, str] = {}
    for option in open_options:
        for alias in (*option.aliases, option.name):
            keys.setdefault(key(alias), key(option.name))
    reader = _Reader(program.sources, keys, program.module.folder)
    reader.program(program.module, open_options, assigned=entry.flag_style == "assign")
    return dataclasses.replace(entry, options=tuple(_with_values(o, reader) if _is_open(o) else o for o in entry.options))


def _is_open(option: Option) -> bool:
    return option.takes_value and option.choices is None and option.type not in ("int", "float", "bool") and not option.selects


def _with_values(option: Option, reader: "_Reader") -> Option:
    usual, name = (option.default or "").strip("'\""), key(option.name)
    offers = reader.offers.get(name, {})
    taken = [one for one in offers if not usual or (usual in offers and one[:1].islower() == usual[:1].islower())]
    values = tuple(dict.fromkeys((*reader.found.get(name, ()), *taken, *enumerated(option.help, usual))))[:MAX_VALUES]
    return dataclasses.replace(option, compared=values) if values else option


class _Reader:
    def __init__(self, sources: Sources, keys: Mapping[str, str], start: str) -> None:
        self.found: dict[str, dict[str, None]] = {}
        self.offers: dict[str, dict[str, None]] = {}
        """What a module has by these names, of which the option chooses one."""
        self._sources, self._keys, self._start = sources, keys, start
        self._entered: set[tuple[str, int]] = set()
        self._made_of: dict[int, list[Option]] = {}

    def program(self, module: Module, options: Sequence[Option], *, assigned: bool) -> None:
        """Read the program's file. `assigned`: its options are the names of its own top level."""
        for option in options:
            path, _, line = option.source.rpartition(":")
            if path == module.path and line.isdecimal():
                self._made_of.setdefault(int(line), []).append(option)
        names = {key: key for key in self._keys.values()} if assigned else {}
        self._body(module.tree.body, Frame(module, self._keys, names, {}), 0)

    def _body(self, nodes: Sequence[ast.stmt], frame: Frame, nesting: int) -> None:
        for node in nodes if nesting < MAX_NESTING else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = dataclasses.replace(frame, names=self._names_within(node, frame), tables=dict(frame.tables))
                self._body(node.body, inner, nesting + 1)
                continue
            if isinstance(node, ast.ClassDef):
                self._body(node.body, dataclasses.replace(frame, names=dict(frame.names)), nesting + 1)
                continue
            for each in _own(node):
                self._expression(each, frame)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    frame.bind(target, node.value)
            if isinstance(node, ast.Match) and (reference := frame.reference(node.subject)):
                self._add(reference, (p.value for c in node.cases for p in walk(c.pattern) if isinstance(p, ast.MatchValue)))
            for name in ("body", "orelse", "finalbody"):
                self._body(getattr(node, name, []), frame, nesting + 1)
            for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
                self._body(part.body, frame, nesting + 1)

    def _names_within(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> dict[str, str]:
        """What the names of a function stand for: its parameters hide those around it, and some of them are options."""
        names = dict(frame.names)
        parameters = _parameters(node)
        for name in parameters:
            names.pop(name, None)
        first = min((d.lineno for d in node.decorator_list), default=node.lineno)
        last = max(node.body[0].lineno - 1, node.lineno)
        for line in range(first, min(last, first + 2_000) + 1) if frame.depth == 0 and self._made_of else ():
            for option in self._made_of.get(line, ()):
                names.update({key(a): key(option.name) for a in option.aliases if key(a) in parameters})
        return names

    def _expression(self, node: ast.expr, frame: Frame) -> None:
        for part in walk(node):
            if not isinstance(part, (ast.Compare, ast.Subscript, ast.Call)):
                continue
            if (chosen := chosen_from(part)) is not None and (reference := frame.reference(chosen[1])):
                self._add(reference, self._offered(chosen[0], frame), self.offers)
            if isinstance(part, ast.Compare):
                sides = [part.left, *part.comparators]
                for left, operator, right in zip(sides, part.ops, sides[1:], strict=False):
                    if isinstance(operator, (ast.Eq, ast.NotEq)):
                        self._add(frame.reference(left), [right])
                        self._add(frame.reference(right), [left])
                    elif isinstance(operator, (ast.In, ast.NotIn)):
                        self._add(frame.reference(left), self._members(right, frame))
            elif isinstance(part, ast.Subscript):
                self._add(frame.reference(part.slice), self._members(part.value, frame, keys=True))
            elif isinstance(part, ast.Call):
                if isinstance(part.func, ast.Attribute) and part.func.attr in ("get", "pop") and part.args:
                    self._add(frame.reference(part.args[0]), self._members(part.func.value, frame, keys=True))
                self._enter(part, frame)

    def _add(
        self, reference: str | None, values: Iterator[ast.expr] | Sequence[ast.expr], into: dict[str, dict[str, None]] | None = None
    ) -> None:
        """`into`: `found`, if it is not given."""
        if reference is None or reference == ALL:
            return
        kept = (self.found if into is None else into).setdefault(reference, {})
        for value in values:
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and 0 < len(text) <= _LONGEST and not re.search(r"\s", text) and len(kept) < MAX_VALUES:
                kept[text] = None

    def _members(self, node: ast.expr, frame: Frame, *, keys: bool = False) -> list[ast.expr]:
        """What a dictionary, list or tuple that is written out has in it; with `keys`, of a dictionary alone."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys":
            node = node.func.value
        table = self._table(node, frame)
        if isinstance(table, ast.Dict):
            return [k for k in table.keys if k is not None]
        if isinstance(table, (ast.List, ast.Tuple, ast.Set)) and not keys:
            return table.elts
        return []

    def _table(self, node: ast.expr, frame: Frame) -> ast.expr | None:
        name = plain(node)
        if name is None:
            return node
        if name in frame.tables:
            return frame.tables[name]
        found = self._named(frame.module, name)
        return found[1] if found is not None and isinstance(found[1], ast.expr) else None

    def _named(self, module: Module, dotted: str, depth: int = 0) -> tuple[Module, object] | None:
        """What a name of a module's top level is bound to, in which module; imports of the repository are followed."""
        first, _, rest = dotted.partition(".")
        binding = module.names.get(first)
        if binding is None or depth > MAX_DEPTH or "." in rest:
            return None
        if not isinstance(binding, tuple):
            return None if rest else (module, binding)
        followed = self._sources.followed(module, binding, self._start)
        if followed is None:
            return None
        other, name = followed
        if name is None:
            return self._named(other, rest, depth + 1) if rest else None
        return None if rest else self._named(other, name, depth + 1)

    def _offered(self, node: ast.expr, frame: Frame) -> list[ast.expr]:
        """The names that a module of the repository offers, if the expression is one."""
        name = plain(node)
        module = self._module(frame.module, name) if name is not None else None
        return [ast.Constant(n) for n in offered(module, self._sources, self._start)] if module is not None else []

    def _module(self, module: Module, dotted: str) -> Module | None:
        """The module of the repository that a name stands for."""
        binding = module.names.get(dotted)
        place = self._sources.imported(module, binding, self._start) if isinstance(binding, tuple) else None
        return self._sources.module(place[0]) if place is not None and place[1] is None else None

    def _enter(self, call: ast.Call, frame: Frame) -> None:
        """A function or class of the repository that is handed an option, or all of them."""
        given = [frame.handed(a) for a in call.args]
        named = {k.arg: r for k in call.keywords if k.arg and (r := frame.handed(k.value))}
        name = plain(call.func)
        if name is None or not (any(given) or named) or frame.depth >= MAX_DEPTH or len(self._entered) >= MAX_BODIES:
            return
        found = self._named(frame.module, name)
        if found is None:
            return
        module, body = found
        if not isinstance(body, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        names = _bound(body, given, named)
        if not names or (module.path, body.lineno) in self._entered:
            return
        self._entered.add((module.path, body.lineno))
        inner = Frame(module, self._keys, names, {}, frame.depth + 1)
        if not isinstance(body, ast.ClassDef):
            self._body(body.body, inner, 0)
            return
        for method in sorted((n for n in body.body if isinstance(n, ast.FunctionDef)), key=lambda m: m.name != "__init__"):
            own = {n: r for n, r in inner.names.items() if "." in n} if method.name != "__init__" else names
            scope = dataclasses.replace(inner, names=own, tables={})
            self._body(method.body, scope, 0)
            inner.names.update({n: r for n, r in scope.names.items() if "." in n})


def _bound(body: _Body, given: Sequence[str | None], named: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a function, or of a class's constructor, that stand for options."""
    if isinstance(body, ast.ClassDef):
        init = next((n for n in body.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        parameters = _parameters(init)[1:] if init else []
    else:
        parameters = _parameters(body)
    places = {p: r for p, r in zip(parameters, given, strict=False) if r is not None}
    return {**places, **{p: r for p, r in named.items() if p in parameters}}


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _own(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of one statement, without those of the statements in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr
