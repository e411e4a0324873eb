"""The fields of dataclasses that programs take from libraries, as far as one release of the library has them."""

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

from ml_agent.repo.entrypoints.annotations import Annotation
from ml_agent.repo.entrypoints.dataclass_fields import Field

_TABLE = Path(__file__).with_name("library_fields.json")
_EXTENDS = {"Seq2SeqTrainingArguments": "TrainingArguments"}


def library_fields(dotted: str, source: str) -> list[Field]:
    """Those of a class of a library, by its dotted name; empty for one that is not in the table.

    `source`: where the repository takes the class. Other releases have other fields: what takes these must stay open for more.
    """
    name = dotted.rpartition(".")[2]
    if dotted.partition(".")[0] not in ("transformers", "trl") and dotted != name:
        return []
    table = _table()
    if name not in table:
        return []
    entries: dict[str, list[Any]] = {**table.get(_EXTENDS.get(name, ""), {}), **table[name]}
    return [_field(each, kind, default, source) for each, (kind, default) in entries.items()]


def _field(name: str, kind: str, default: str | None, source: str) -> Field:
    value = ast.literal_eval(default) if default is not None else None
    annotation = Annotation(kind, optional=default is None)
    return Field(name, annotation, value, default or "None", source)


@cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return found
