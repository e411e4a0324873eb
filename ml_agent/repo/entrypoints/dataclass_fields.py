"""The fields of dataclasses (and of classes like them: attrs, pydantic, NamedTuple), inherited ones too."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.annotations import Annotation, read_annotation
from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.names import Names
from ml_agent.repo.entrypoints.signatures import ABSENT
from ml_agent.repo.entrypoints.values import Class, External, Scope
from ml_agent.repo.pysource import dotted_name

MAX_FIELDS = 1_000
MAX_BASES = 20

_FACTORIES = {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()"}


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    annotation: Annotation
    default: Any
    """As far as it is known; ABSENT if there is none."""
    default_text: str | None
    source: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    help: str = ""
    init: bool = True
    nested: Class | None = None
    """The dataclass that a `default_factory` or an instance as the default makes, or that the annotation names."""

    @property
    def required(self) -> bool:
        return self.default is ABSENT


@dataclass(slots=True)
class Fields:
    fields: dict[str, Field] = field(default_factory=dict)
    """By name, those of the bases first."""
    unseen: list[str] = field(default_factory=list)
    """Bases from outside the repository, whose fields are not known."""


def read_fields(cls: Class, names: Names) -> Fields:
    found = Fields()
    _collect(cls, names, found, set())
    return found


def is_dataclass(cls: Class, names: Names, depth: int = 0) -> bool:
    """Whether the class, or one above it, is one whose annotated names are its constructor's parameters."""
    if any((dotted_name(_callee(d)) or "").rpartition(".")[2] in _DECORATORS for d in cls.node.decorator_list):
        return True
    for base in names.bases(cls) if depth < 10 else ():
        if isinstance(base, External) and base.dotted.rpartition(".")[2] in ("BaseModel", "NamedTuple", "TypedDict", "BaseSettings"):
            return True
        if isinstance(base, Class) and base.node is not cls.node and is_dataclass(base, names, depth + 1):
            return True
    return False


_DECORATORS = frozenset(("dataclass", "define", "frozen", "attrs", "s", "config_dataclass"))
_PLAIN_BASES = frozenset(
    "object ABC Generic Protocol Enum BaseModel NamedTuple BaseSettings Serializable JsonSerializable FrozenSerializable".split()
)


def _callee(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _collect(cls: Class, names: Names, found: Fields, seen: set[ast.ClassDef]) -> None:
    if cls.node in seen or len(seen) >= MAX_BASES:
        return
    seen.add(cls.node)
    for node, base in zip(reversed(cls.node.bases), reversed(names.bases(cls)), strict=False):
        if isinstance(base, Class):
            _collect(base, names, found, seen)
            continue
        written = base.dotted if isinstance(base, External) else dotted_name(_unsubscripted(node)) or "a base"
        if written.rpartition(".")[2] not in _PLAIN_BASES and written not in found.unseen:
            found.unseen.append(written)
    scope = cls.closure or Scope(cls.module)
    following = [*cls.node.body[1:], None]
    for statement, after in zip(cls.node.body, following, strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and len(found.fields) < MAX_FIELDS:
            one = _field(statement, after, cls, names, scope)
            if one is not None:
                found.fields[one.name] = one
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            if name in found.fields:  # another default for an inherited field
                value = names.evaluate(statement.value, scope)
                old = found.fields[name]
                source = f"{cls.module.path}:{statement.lineno}"
                found.fields[name] = Field(
                    name, old.annotation, value, text_of(value, statement.value), source, old.metadata, old.help, old.init, old.nested
                )


def _unsubscripted(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _comment_behind(statement: ast.stmt, module: Module) -> str:
    """`lr: float = 0.1  # learning rate`"""
    last = module.lines[(statement.end_lineno or statement.lineno) - 1].encode()[statement.end_col_offset or 0 :]
    found = re.match(r"\s*#(?!\s*(?:noqa|type:|pylint|pyright|(?:Union|Optional|List|Dict)\[))(.+)", last.decode("utf-8", "replace"))
    return found[1].strip() if found else ""


def _field(statement: ast.AnnAssign, after: ast.stmt | None, cls: Class, names: Names, scope: Scope) -> Field | None:
    assert isinstance(statement.target, ast.Name)
    annotation = read_annotation(statement.annotation, names, scope)
    if annotation.once:
        return None
    source = f"{cls.module.path}:{statement.lineno}"
    name = statement.target.id
    text = _words_behind(after) or _comment_behind(statement, cls.module)
    nested = annotation.cls if annotation.cls is not None and annotation.choices is None and is_dataclass(annotation.cls, names) else None
    node = statement.value
    if node is None:
        return Field(name, annotation, ABSENT, None, source, help=text, nested=nested)
    if isinstance(node, ast.Call) and (dotted_name(node.func) or "").rpartition(".")[2] in _FIELD_CALLS:
        return _from_call(name, annotation, node, source, text, nested, names, scope)
    value = names.evaluate(node, scope)
    return Field(name, annotation, value, text_of(value, node), source, help=text, nested=nested)


_FIELD_CALLS = frozenset("field Field attrib ib HfArg mutable_field list_field dict_field set_field choice flag option".split())


def _from_call(
    name: str, annotation: Annotation, node: ast.Call, source: str, text: str, nested: Class | None, names: Names, scope: Scope
) -> Field:
    given = {k.arg: k.value for k in node.keywords if k.arg is not None}
    metadata_node = given.get("metadata")
    metadata = names.evaluate(metadata_node, scope) if metadata_node is not None else {}
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    for key in ("help", "description", "aliases", "alias", "choices"):
        if key in given and key not in metadata:
            metadata[key] = names.evaluate(given[key], scope)
    called = (dotted_name(node.func) or "").rpartition(".")[2]
    default = given.get("default", node.args[0] if node.args and called in ("Field", "field", "HfArg", "flag") else None)
    factory = given.get("default_factory", given.get("factory", node.args[0] if node.args and called == "mutable_field" else None))
    value: Any = ABSENT
    shown = None
    if default is not None and not (isinstance(default, ast.Constant) and default.value is ...):
        value = names.evaluate(default, scope)
        shown = text_of(value, default)
    elif factory is not None:
        value, shown = _made(factory, names, scope)
    elif called in ("list_field", "dict_field", "set_field"):
        value = list(names.items(node.args, scope)) if hasattr(names, "items") else []
        shown = text_of(value, node)
    help_text = metadata.get("help", metadata.get("description", text))
    init = given.get("init")
    return Field(
        name, annotation, value, shown, source, metadata, " ".join(help_text.split()) if isinstance(help_text, str) else "",
        init=not (isinstance(init, ast.Constant) and init.value is False), nested=nested,
    )  # fmt: skip


def _made(factory: ast.expr, names: Names, scope: Scope) -> tuple[Any, str]:
    """What a `default_factory` makes, and its text."""
    if isinstance(factory, ast.Lambda):
        value = names.evaluate(factory.body, scope)
        return value, text_of(value, factory.body) or ""
    value = names.evaluate(factory, scope)
    written = dotted_name(factory) or "..."
    return value, _FACTORIES.get(written, f"{written}()")


def _words_behind(after: ast.stmt | None) -> str:
    """A text that stands alone behind a field documents it."""
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
        return " ".join(after.value.value.split())
    return ""
