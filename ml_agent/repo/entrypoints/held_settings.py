"""Settings that a program takes inside the value of one option, read from what it does with that value.

`Config(**json.loads(args.hparams))` takes what the class sets in its `__init__`, `make_hparams(args.hparams)` what the function
gives to `HParams(...)` or writes into a dictionary, `cfg.merge_from_list(args.opts)` what the module of `cfg` assigns below it.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.enumerated import enumerated
from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.held import key
from ml_agent.repo.entrypoints.module import Binding, Module
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.lexical import split_identifier
from ml_agent.repo.pysource import dotted_name, unparse, walk

MAX_SETTINGS = 300
MAX_HOPS = 5

_CALLED = frozenset(
    "hparams hparam hyperparams hyperparameters params parameters hps hp settings set config cfg conf options opts opt "
    "override overrides args kwargs".split()
)
"""What options that hold settings are called, as words of their names."""
_READS = frozenset("loads literal_eval eval safe_load parse_json load_json".split())
_TAKES = frozenset("merge_from_list parse parse_json parse_string update update_from_dict override override_from_dict merge".split())
_NODES = frozenset("CN CfgNode Config ConfigDict ConfigNode edict EasyDict AttrDict Namespace SimpleNamespace Munch".split())
_FEWEST = 3
"""Keywords of a call that are taken for settings."""

_Where = tuple[Module, Binding]


def with_held_settings(entry: EntryPoint, program: Program) -> EntryPoint:
    """The same program with what is known of the settings inside its options."""
    held = [
        o for o in entry.options if o.takes_value and not o.choices and not o.assigned and _CALLED.intersection(split_identifier(o.name))
    ]
    reading = _Reading(program)
    found = ((o.name, tuple(reading.settings(o))) for o in held)
    settings = tuple((name, inner) for name, inner in found if inner)
    return replace(entry, settings=settings) if settings else entry


class _Reading:
    """What one program does with the values of its options."""

    def __init__(self, program: Program) -> None:
        self._program, self._sources = program, program.sources

    def settings(self, option: Option) -> list[Option]:
        """Those of the first call that takes the option's value and tells of any."""
        name = key(option.name)
        module = self._program.module
        if f".{name}" not in module.text:
            return []
        nodes = list(walk(module.tree))
        read = {t.id for n in nodes if isinstance(n, ast.Assign) and _reads(n.value, name) for t in n.targets if isinstance(t, ast.Name)}
        for call in (n for n in nodes if isinstance(n, ast.Call)):
            given = (
                [*call.args, *(k.value for k in call.keywords)] if _is_for_settings(call) else [k.value for k in call.keywords if not k.arg]
            )
            if any(_is_use(g, name) or _reads(g, name) or (isinstance(g, ast.Name) and g.id in read) for g in given):
                found: dict[str, Option] = {}
                for inner in self._taken_by(call, nodes):
                    found.setdefault(inner.name, inner)
                if found:
                    return list(found.values())[:MAX_SETTINGS]
        return []

    def _taken_by(self, call: ast.Call, nodes: Iterable[ast.AST]) -> Iterator[Option]:
        module, function = self._program.module, call.func
        if isinstance(function, ast.Attribute) and function.attr in _TAKES and isinstance(function.value, ast.Name):
            made = next(
                (n.value for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)
                 and any(isinstance(t, ast.Name) and t.id == function.value.id for t in n.targets)),
                None,
            )  # fmt: skip
            where = self._resolve(module, made.func if made is not None else function.value)
        else:
            where = self._resolve(module, function)
        if where is not None:
            yield from self._defined(*where)

    def _resolve(self, module: Module, node: ast.expr) -> _Where | None:
        """What a name, or a name of a module, is bound to; its file must be of the repository."""
        dotted = dotted_name(node)
        if dotted is None:
            return None
        first, _, rest = dotted.partition(".")
        binding = module.names.get(first)
        for _ in range(MAX_HOPS):
            if not isinstance(binding, Import):
                return (module, binding) if binding is not None and not rest else None
            found = self._sources.followed(module, binding, self._program.module.folder)
            if found is None:
                return None
            source, name = found
            if name is None:
                name, _, rest = rest.partition(".")
            module, binding = source, source.names.get(name)
        return None

    def _defined(self, module: Module, binding: Binding, hops: int = MAX_HOPS) -> Iterator[Option]:
        match binding:
            case ast.ClassDef():
                for base in binding.bases if hops else ():
                    above = self._resolve(module, base)
                    if above is not None:
                        yield from self._defined(*above, hops - 1)
                yield from _fields(binding, module)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _given_in(binding, module) or _assigned_below(module)
            case ast.expr():
                yield from _given_in(binding, module) or _assigned_below(module)


def _is_for_settings(call: ast.Call) -> bool:
    """It makes settings or adds to some, by its name: what any other function does with a value is its own affair."""
    name = _last_name(call)
    return name in _TAKES or not _CALLED.isdisjoint(split_identifier(name))


def _is_use(node: ast.expr, name: str) -> bool:
    """`args.NAME`"""
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)


def _reads(node: ast.expr, name: str) -> bool:
    """`json.loads(args.NAME)`"""
    return isinstance(node, ast.Call) and _last_name(node) in _READS and any(_is_use(a, name) for a in node.args)


def _fields(cls: ast.ClassDef, module: Module) -> Iterator[Option]:
    """What a class declares, and what its `__init__` takes with a default or sets on the object."""
    for node in cls.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield from _option(target.id, node.value, node.lineno, module)
        elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
            given = node.args
            for argument, default in zip(given.args[len(given.args) - len(given.defaults) :], given.defaults, strict=True):
                yield from _option(argument.arg, default, argument.lineno, module)
            for argument, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
                yield from _option(argument.arg, value, argument.lineno, module)
            for inner in walk(node):
                if isinstance(inner, ast.Assign):
                    for target in inner.targets:
                        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                            yield from _option(target.attr, inner.value, inner.lineno, module)


def _given_in(node: ast.AST, module: Module) -> list[Option]:
    """The keywords of the call with the most, or the keys of the dictionary, if they are more."""
    best: list[Option] = []
    for inner in walk(node):
        found: list[Option] = []
        if isinstance(inner, ast.Call):
            found = [o for k in inner.keywords if k.arg for o in _option(k.arg, k.value, k.value.lineno, module)]
        elif isinstance(inner, ast.Dict):
            keys = [
                (k, v) for k, v in zip(inner.keys, inner.values, strict=True) if isinstance(k, ast.Constant) and isinstance(k.value, str)
            ]
            found = [o for k, v in keys for o in _option(str(k.value), v, k.lineno, module)]
        if len(found) >= _FEWEST and len(found) > len(best):
            best = found
    return best


def _assigned_below(module: Module) -> list[Option]:
    """`_C.SOLVER.BASE_LR = 0.1`, where `_C` is made as a node of settings."""
    found: list[Option] = []
    for node in module.tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else []:
            root, _, name = (dotted_name(target) or "").partition(".")
            if name and _is_node(module.names.get(root)) and isinstance(node, ast.Assign) and not _is_node(node.value):
                found += _option(name, node.value, node.lineno, module)
    return found


def _is_node(value: object) -> bool:
    return isinstance(value, ast.Call) and _last_name(value) in _NODES


def _last_name(call: ast.Call) -> str:
    """`loads` of `json.loads(...)`; empty if what is called has no name."""
    return (dotted_name(call.func) or "").rpartition(".")[2]


def _option(name: str, value: ast.expr | None, line: int, module: Module) -> Iterator[Option]:
    """The setting, if it is one that can be written down: its default is a literal, or there is none."""
    kind = default = nargs = None
    literal = value.operand if isinstance(value, ast.UnaryOp) else value
    if isinstance(literal, ast.Constant):
        kind = {bool: "bool", str: "str"}.get(type(literal.value))
        default = unparse(value) if value is not None else None
    elif isinstance(value, (ast.List, ast.Tuple)) and all(isinstance(e, (ast.Constant, ast.UnaryOp)) for e in value.elts):
        default, nargs = unparse(value), "+"
    elif value is not None and not isinstance(value, ast.Dict):
        return
    if name.startswith("_"):
        return
    comment = module.lines[line - 1].rpartition("  #")[2].strip() if "  #" in module.lines[line - 1] else ""
    listed = enumerated(comment, default or "") if kind == "str" else ()
    yield Option(name, (name,), f"{module.path}:{line}", kind, default, nargs=nargs, help=comment[:300], compared=listed)
