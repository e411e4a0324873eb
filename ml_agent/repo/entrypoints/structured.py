"""Dataclasses as configurations: the dotted names of their fields."""

from ml_agent.repo.entrypoints.dataclass_fields import read_fields
from ml_agent.repo.entrypoints.names import Names
from ml_agent.repo.entrypoints.signatures import ABSENT
from ml_agent.repo.entrypoints.values import Class, Unknown
from ml_agent.repo.entrypoints.yaml_keys import Key

MAX_DEPTH = 8


def class_keys(cls: Class, names: Names, above: tuple[str, ...] = ()) -> list[Key]:
    """The leaves of a dataclass and of those in its fields."""
    found: list[Key] = []
    for each in read_fields(cls, names).fields.values():
        path = (*above, each.name)
        if each.nested is not None and len(above) < MAX_DEPTH:
            found += class_keys(each.nested, names, path)
            continue
        kind = each.annotation.type or "str"
        if each.annotation.mapping:
            kind = "dict"
        elif each.annotation.nargs is not None:
            kind = "list"
        value = "???" if each.default is ABSENT else each.default_text or ""
        if isinstance(each.default, str):
            value = each.default
        elif isinstance(each.default, Unknown) and value.endswith("MISSING"):
            value = "???"
        elif each.default is None:
            kind = "null" if kind not in ("int", "float", "bool", "str") else kind
        members = each.annotation.names or each.annotation.choices or ()
        known = kind if kind in ("int", "float", "bool", "list", "null", "dict") else "str"
        found.append(Key(path, each.source, known, value, each.help, members))
    return found
