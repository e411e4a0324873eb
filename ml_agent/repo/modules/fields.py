"""The constructor that dataclasses, and classes of the library attrs, are given by their fields."""

import ast
from collections.abc import Collection, Mapping, Sequence

from ml_agent.repo.modules.definitions import Parameter, Signature
from ml_agent.repo.pysource import dotted_name, unparse


def dataclass_init(
    fields: Sequence[ast.AnnAssign], keyword_only: bool, defaulted: Collection[str] = (), *, public: bool = False
) -> Signature | None:
    """`public`: parameters are called as the fields without underscores in front, as attrs does. `defaulted`: fields that a method gives
    a default.
    """
    found: dict[str, Parameter] = {}
    for node in fields:
        assert isinstance(node.target, ast.Name)
        annotation = unparse(node.annotation)
        if "ClassVar" in annotation:
            continue
        if annotation.endswith("KW_ONLY"):
            keyword_only = True
            continue
        default = unparse(node.value) if node.value is not None else None
        only = keyword_only
        if specifies(node.value) and isinstance(node.value, ast.Call):
            given = {k.arg: k.value for k in node.value.keywords}
            if "init" in given and not is_true(given["init"]):
                continue
            if "alias" in given:
                return None
            default = _default(node.value, given) or ("..." if node.target.id in defaulted else None)
            only = is_true(given["kw_only"]) if "kw_only" in given else only
        elif isinstance(node.value, ast.Call):
            return None  # a field specifier of another library
        name = node.target.id.lstrip("_") if public else node.target.id
        found[name] = Parameter(name, "keyword_only" if only else "positional", default, annotation)
    return Signature(tuple(sorted(found.values(), key=lambda p: p.kind == "keyword_only")))


def defaulted_by(decorator: ast.expr) -> str:
    """The field of `@field.default`, else nothing."""
    of = decorator.value if isinstance(decorator, ast.Attribute) and decorator.attr == "default" else None
    return of.id if isinstance(of, ast.Name) else ""


def specifies(value: ast.expr | None) -> bool:
    """`field(default=3)`, or `attr.ib(...)` of the library attrs."""
    return isinstance(value, ast.Call) and last_name(value) in ("field", "ib", "attrib")


def _default(specifier: ast.Call, given: Mapping[str | None, ast.expr]) -> str | None:
    if specifier.args and last_name(specifier) in ("ib", "attrib"):
        return unparse(specifier.args[0])
    return next((unparse(given[k]) for k in ("default", "default_factory", "factory") if k in given), None)


def last_name(node: ast.expr) -> str:
    """The last part of a decorator's name: `no_grad` of `@torch.no_grad()`."""
    name = dotted_name(node.func if isinstance(node, ast.Call) else node)
    return name.rsplit(".", 1)[-1] if name else ""


def is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
