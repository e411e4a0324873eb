"""The parameters of functions and constructors, for frameworks that make options of them."""

import ast
from dataclasses import dataclass
from typing import Any, Literal

from ml_agent.repo.entrypoints.annotations import Annotation, read_annotation
from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.names import Names
from ml_agent.repo.entrypoints.values import Class, Function, Scope

MAX_PARAMETERS = 500

ABSENT = object()
"""There is no default."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: Literal["any", "positional", "keyword", "args", "kwargs"]
    annotation: Annotation
    default: Any
    """Its value as far as it is known, or ABSENT."""
    default_text: str | None
    source: str
    node: ast.expr | None = None
    """The default's expression."""

    @property
    def required(self) -> bool:
        return self.default is ABSENT and self.kind in ("any", "positional", "keyword")


def parameters(function: Function, names: Names) -> list[Parameter]:
    """Those that a caller gives: not `self` or `cls`."""
    spec = function.node.args
    around = function.closure or Scope(function.module)
    listed: list[tuple[ast.arg, ast.expr | None, Literal["any", "positional", "keyword"]]] = []
    positional = [*spec.posonlyargs, *spec.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
    for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        listed.append((argument, default, "positional" if index < len(spec.posonlyargs) else "any"))
    if _is_bound(function):
        listed = listed[1:]
    listed += [(a, d, "keyword") for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)]
    found = [_parameter(a, d, kind, function, names, around) for a, d, kind in listed[:MAX_PARAMETERS]]
    for extra, kind in ((spec.vararg, "args"), (spec.kwarg, "kwargs")):
        if extra is not None:
            annotation = read_annotation(extra.annotation, names, around)
            source = f"{function.module.path}:{extra.lineno}"
            found.append(Parameter(extra.arg, kind, annotation, ABSENT, None, source))  # type: ignore[arg-type]
    return found


def _is_bound(function: Function) -> bool:
    if function.owner is None or isinstance(function.node, ast.Lambda):
        return False
    kinds = {d.id for d in function.node.decorator_list if isinstance(d, ast.Name)}
    return "staticmethod" not in kinds


def _parameter(
    argument: ast.arg,
    default: ast.expr | None,
    kind: Literal["any", "positional", "keyword"],
    function: Function,
    names: Names,
    around: Scope,
) -> Parameter:
    value = names.evaluate(default, around) if default is not None else ABSENT
    return Parameter(
        argument.arg,
        kind,
        read_annotation(argument.annotation, names, around),
        value,
        text_of(value, default) if default is not None else None,
        f"{function.module.path}:{argument.lineno}",
        default,
    )


def constructor(cls: Class, names: Names) -> Function | None:
    """The `__init__` that making an instance runs, of the class or of one above it; None if the repository has none."""
    found = names.class_attribute(cls, "__init__", None)
    return found if isinstance(found, Function) else None


def methods(cls: Class, names: Names, depth: int = 0) -> dict[str, Function]:
    """Public methods by name, inherited ones too."""
    found: dict[str, Function] = {}
    for base in names.bases(cls) if depth < 10 else ():
        if isinstance(base, Class) and base.node is not cls.node:
            found.update(methods(base, names, depth + 1))
    for node in cls.node.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            found[node.name] = Function(cls.module, node, cls.closure, cls)
    return found


def docstring(node: ast.AST) -> str:
    """The first paragraph, on one line."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
        return ""
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())[:500]
