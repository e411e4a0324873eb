"""What one Python file says about itself, read from its tree alone: the names it binds, its classes and signatures."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ml_agent.repo.modules.definitions import DefinitionKind, Parameter, ParameterKind, Signature
from ml_agent.repo.modules.fields import dataclass_init, defaulted_by, is_true, last_name, specifies
from ml_agent.repo.oldpython import parse_old_python
from ml_agent.repo.pysource import dotted_name, parse_python, unparse

# Decorators after which a call still takes the arguments of the function below them.
_TRANSPARENT = frozenset({
    "staticmethod", "classmethod", "abstractmethod", "no_grad", "enable_grad", "inference_mode", "lru_cache", "cache", "contextmanager",
    "asynccontextmanager", "total_ordering", "final", "runtime_checkable", "deprecated", "override",
})  # fmt: skip
_MAY_ADD_NAMES = re.compile(r"\bglobals?\b|\bexec\b|\bmodules\b|[(,]\s*__name__")
_LOGGERS = frozenset({"getLogger", "get_logger", "getChild"})


@dataclass(frozen=True, slots=True)
class ClassSource:
    """A class as it stands: what is needed to know how it is called."""

    bases: tuple[str | None, ...]
    """Dotted names as written; None for what is no name."""
    init: Signature | None
    has_init: bool
    judgeable: bool
    """False with a metaclass, `__new__` or a decorator that may change how it is called."""
    dataclass: bool = False
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """One name that a module binds at its top level."""

    name: str
    kind: DefinitionKind
    line: int
    signature: Signature | None = None
    klass: ClassSource | None = None
    origin: tuple[int, str, str | None] | None = None
    """For an import: dots in front, module as written, imported name (None: the module itself)."""


@dataclass(slots=True)
class ModuleSource:
    bindings: dict[str, Binding] = field(default_factory=dict)
    """The last binding of each name; one without signature if there are several."""
    stars: list[tuple[int, str]] = field(default_factory=list)
    exported: tuple[str, ...] | None = None
    """`__all__`, if it is there and can be read."""
    open_ended: bool = False
    """It may have names that are not listed."""


def read_source(text: str) -> ModuleSource:
    """Read one file. What does not parse comes out open-ended: nothing can be said about it. So does what only an old Python takes,
    with the names that stand there."""
    found = ModuleSource()
    try:
        tree = parse_python(text)
    except SyntaxError:
        found.open_ended = True
        try:
            tree = parse_old_python(text)
        except SyntaxError:
            return found
    counts: dict[str, int] = {}
    for node in top_level(tree.body):
        for binding in _bind(node, found):
            counts[binding.name] = counts.get(binding.name, 0) + 1
            if counts[binding.name] > 1:  # which one holds is decided at run time
                binding = Binding(binding.name, binding.kind, binding.line, origin=binding.origin)
            found.bindings[binding.name] = binding
    for inner in ast.walk(tree) if _MAY_ADD_NAMES.search(text) else ():
        if isinstance(inner, ast.Global):
            for name in inner.names:
                found.bindings[name] = Binding(name, "variable", inner.lineno)
        elif _adds_names(inner):
            found.open_ended = True
    if "__getattr__" in found.bindings:
        found.open_ended = True
    found.exported = _exported(tree) if "__all__" in found.bindings else None
    return found


def top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the body runs, in order, those under if, try, with, for, while and match too."""
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(
            node, (ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.Match)
        ) or not isinstance(node, (ast.stmt, ast.expr)):
            below = [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.expr)]
            stack.extend(reversed(below))


def _bind(node: ast.stmt, found: ModuleSource) -> Iterator[Binding]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if any(last_name(d) == "overload" for d in node.decorator_list):
            return
        yield Binding(node.name, "function", node.lineno, signature=signature_of(node))
    elif isinstance(node, ast.ClassDef):
        source = class_source(node)
        yield Binding(node.name, "class", node.lineno, klass=source)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.split(".")[0]
            yield Binding(alias.asname or first, "import", node.lineno, origin=(0, alias.name if alias.asname else first, None))
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if alias.name == "*":
                found.stars.append((node.level, node.module or ""))
            else:
                yield Binding(alias.asname or alias.name, "import", node.lineno, origin=(node.level, node.module or "", alias.name))
    else:
        for name in stored_names(node):
            yield Binding(name, "variable", node.lineno)


def stored_names(node: ast.stmt) -> Iterator[str]:
    """Names that a statement itself assigns, in its targets and by `:=`; not those of the statements below it."""
    stack: list[ast.AST] = [n for n in ast.iter_child_nodes(node) if not isinstance(n, (ast.stmt, ast.ExceptHandler))]
    while stack:
        inner = stack.pop()
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, (ast.MatchAs, ast.MatchStar)) and inner.name:
            yield inner.name
        elif isinstance(inner, ast.MatchMapping) and inner.rest:
            yield inner.rest
        if isinstance(inner, ast.comprehension):  # its targets have a scope of their own
            stack.extend((inner.iter, *inner.ifs))
        elif not isinstance(inner, (ast.Lambda, ast.stmt)):
            stack.extend(ast.iter_child_nodes(inner))


def signature_of(node: ast.FunctionDef | ast.AsyncFunctionDef, *, drop_first: bool = False, decorated: bool = False) -> Signature | None:
    """The parameters of a function; None if a decorator may have changed them, unless `decorated`: most keep them."""
    if not decorated and any(last_name(d) not in _TRANSPARENT for d in node.decorator_list):
        return None
    arguments = node.args
    ordered = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [*[None] * (len(ordered) - len(arguments.defaults)), *arguments.defaults]
    found: list[Parameter] = []
    for i, (argument, default) in enumerate(zip(ordered, defaults, strict=True)):
        kind: ParameterKind = "positional_only" if i < len(arguments.posonlyargs) else "positional"
        found.append(_parameter(argument, kind, default))
    if drop_first and found:
        found.pop(0)
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, "args", None))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(argument, "keyword_only", default))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, "kwargs", None))
    return Signature(tuple(found))


_ATTRS = re.compile(r"attrs?\.(?:s|attrs|dataclass|define|frozen|mutable)")
"""Decorators of the library attrs that make a constructor of a class's fields."""


def class_source(node: ast.ClassDef) -> ClassSource:
    """How a class is made, as far as its own body tells."""
    bases = tuple(dotted_name(b.value if isinstance(b, ast.Subscript) else b) for b in node.bases)
    decorators = {last_name(d): d for d in node.decorator_list}
    of_attrs = next((d for d in node.decorator_list if _ATTRS.fullmatch(dotted_name(d.func if isinstance(d, ast.Call) else d) or "")), None)
    own_defaults = {name for f in node.body if isinstance(f, ast.FunctionDef) for d in f.decorator_list if (name := defaulted_by(d))}
    is_dataclass = "dataclass" in decorators or of_attrs is not None
    options = decorators.get("dataclass") or of_attrs
    given = {k.arg: k.value for k in options.keywords} if isinstance(options, ast.Call) else {}
    judgeable = (
        not node.keywords
        and all(name == "dataclass" or name in _TRANSPARENT or d is of_attrs for name, d in decorators.items())
        and not any(base is None or base.rsplit(".", 1)[-1].endswith(("Enum", "Flag")) for base in bases)
    )
    keyword_only = is_true(given.get("kw_only"))
    if is_dataclass and "init" in given and not is_true(given["init"]):
        is_dataclass = False
    init, count, fields = None, 0, []
    for statement in top_level(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name == "__new__":
                judgeable = False
            elif statement.name == "__init__" and not any(last_name(d) == "overload" for d in statement.decorator_list):
                count += 1
                init = signature_of(statement, drop_first=True)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            fields.append(statement)
        elif of_attrs is not None and isinstance(statement, ast.Assign) and specifies(statement.value):
            judgeable = is_dataclass = False  # fields without annotations, of which some may not be seen
        elif any(name in ("__init__", "__new__") for name in stored_names(statement)):
            judgeable = False
    if count == 0 and is_dataclass:
        explicit = of_attrs is not None and last_name(of_attrs) in ("s", "attrs") and not is_true(given.get("auto_attribs"))
        chosen = [f for f in fields if not explicit or specifies(f.value)]
        init = dataclass_init(chosen, keyword_only, own_defaults, public=of_attrs is not None) if "these" not in given else None
    return ClassSource(
        bases,
        init if count <= 1 else None,
        has_init=count > 0,
        judgeable=judgeable,
        dataclass=is_dataclass and count == 0,
        keyword_only=keyword_only,
    )


def _parameter(argument: ast.arg, kind: ParameterKind, default: ast.expr | None) -> Parameter:
    return Parameter(
        argument.arg, kind, unparse(default) if default is not None else None, unparse(argument.annotation) if argument.annotation else None
    )


def _exported(tree: ast.Module) -> tuple[str, ...] | None:
    names: list[str] = []
    for node in top_level(tree.body):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
        )
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            value = getattr(node, "value", None)
            if not isinstance(value, (ast.List, ast.Tuple)) or not all(
                isinstance(e, ast.Constant) and isinstance(e.value, str) for e in value.elts
            ):
                return None
            names.extend(e.value for e in value.elts if isinstance(e, ast.Constant) and isinstance(e.value, str))
    return tuple(names)


def _adds_names(node: ast.AST) -> bool:
    """Does this put names into a module in a way that only running it can tell?"""
    if isinstance(node, ast.Attribute):
        return node.attr == "modules" and isinstance(node.value, ast.Name) and node.value.id == "sys"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("globals", "exec"):
        return True
    if isinstance(node, ast.Call) and last_name(node) == "import_module":
        return any(isinstance(a, ast.Name) and a.id == "__name__" for a in node.args)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last_name(node.value) not in _LOGGERS:
        return any(isinstance(a, ast.Name) and a.id == "__name__" for a in node.value.args)
    return False
