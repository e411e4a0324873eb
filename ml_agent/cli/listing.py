"""What the commands that list things by name have in common: where each comes from, and what can be given to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ml_agent
from ml_agent.cli.printing import print_json
from ml_agent.errors import MlAgentError, UsageError
from ml_agent.plugins import OWN, Origin, reason

if TYPE_CHECKING:
    from ml_agent.console import Screen

_NAME = 16
_DEEPEST = 5
"""Of the parts of a type that are told; one may refer to itself."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A thing that has a name; `error` says why it cannot be had, in a line."""

    origin: Origin
    about: str = ""
    error: str | None = None
    more: "Mapping[str, Any] | None" = None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.origin.name,
            "about": self.about,
            "distribution": self.origin.distribution,
            "version": ml_agent.__version__ if self.origin.distribution == OWN else self.origin.version,
            "error": self.error,
            **(self.more or {}),
        }


def listed(found: Iterable[Origin], about: Callable[[str], "str | Listed"]) -> list[Listed]:
    """`about` says in a line what a name stands for, or describes it; what it raises is told of that one alone."""
    return [_listed(origin, about) for origin in found]


def _listed(origin: Origin, about: Callable[[str], "str | Listed"]) -> Listed:
    try:
        made = about(origin.name)
    except MlAgentError as error:
        return Listed(origin, error=str(error))
    except ImportError as error:  # of a package that an extra of ml-agent brings
        return Listed(origin, error=reason(error))
    return made if isinstance(made, Listed) else Listed(origin, made)


def show_listed(word: str, found: Sequence[Listed], mark: "Callable[[Listed], str]" = lambda one: "", *, as_json: bool) -> None:
    """All of them on the screen, or as JSON under `word`."""
    from ml_agent.console import Screen, written

    with written():
        if as_json:
            print_json({word: [one.to_json() for one in found]})
        else:
            show_all(Screen(), found, mark)


def show_all(screen: "Screen", found: Sequence[Listed], mark: "Callable[[Listed], str]" = lambda one: "") -> None:
    """A line each; `mark` stands between name and words."""
    from ml_agent.console import safe

    for one in found:
        name = (f"{safe(one.origin.name):<{_NAME}}", "bold")
        told = (safe(one.about), "") if one.error is None else (safe(one.error), "red")
        screen.line(name, (mark(one), "dim"), told, (_source(one.origin), "dim"))


def show_one(screen: "Screen", one: Listed, arguments: Sequence[Mapping[str, Any]]) -> None:
    """Its line, and one for each of what can be given to it."""
    from ml_agent.console import safe

    screen.line((safe(one.origin.name), "bold"), (_source(one.origin), "dim"))
    screen.line((safe(one.about), ""))
    width = max((len(argument["name"]) for argument in arguments), default=0)
    for argument in arguments:
        default = "required" if argument["required"] else "optional" if argument["default"] is None else f"default {argument['default']}"
        name = (f"  {safe(argument['name']):<{width}}", "cyan")
        screen.line(name, (f"  {safe(argument['type'])}, {safe(default)}", "dim"), (f"  {safe(argument['about'])}", ""))


def arguments_of(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a JSON schema of an object says of each of its properties: name, type in words, required, default, about."""
    definitions, required = schema.get("$defs", {}), schema.get("required", ())
    return [
        {
            "name": name,
            "type": _type(one, definitions),
            "required": name in required,
            "default": one.get("default"),
            "about": " ".join(str(one.get("description", "")).split()),
        }
        for name, one in schema.get("properties", {}).items()
    ]


def schema_of(model: Any) -> dict[str, Any]:
    """JSON schema of a pydantic model. Raises UsageError if it has none."""
    try:
        schema: dict[str, Any] = model.model_json_schema()
    except Exception as error:
        raise UsageError(f"{getattr(model, '__name__', model)} cannot be described: {reason(error)}") from error
    return schema


def _type(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> str:
    reference = schema.get("$ref")
    if isinstance(reference, str) and depth < _DEEPEST:
        return _type(definitions.get(reference.rpartition("/")[2], {}), definitions, depth + 1)
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    kinds = schema.get("anyOf") or schema.get("oneOf")
    if kinds and depth < _DEEPEST:
        return " or ".join(dict.fromkeys(_type(one, definitions, depth + 1) for one in kinds if one.get("type") != "null"))
    if schema.get("type") == "array" and depth < _DEEPEST:
        return f"list of {_type(schema.get('items', {}), definitions, depth + 1)}"
    return str(schema.get("format") or schema.get("type") or "anything")


def _source(origin: Origin) -> str:
    from ml_agent.console import safe

    return "" if origin.distribution in (OWN, "") else f"  ({safe(f'{origin.distribution} {origin.version}'.strip())})"
