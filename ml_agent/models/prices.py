"""What a reply costs, by a dated table; a price that is not in it is unknown, not zero."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ml_agent.models.messages import Usage

_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens, as of `date`."""

    input: float
    output: float
    date: str

    def of(self, usage: Usage) -> float:
        return (usage.input * self.input + usage.output * self.output) / 1_000_000


def price_of(name: str) -> Price | None:
    """The list price of `provider:model`, also under a dated name; a model on this machine (`gguf:`) costs nothing; else None."""
    if name.startswith("gguf:"):
        return Price(0.0, 0.0, "")
    table = _table()
    found = table["models"].get(name) or table["models"].get(_DATED.sub("", name))
    return Price(float(found[0]), float(found[1]), table["date"]) if found else None


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(files("ml_agent.models").joinpath("prices.json").read_text(encoding="utf-8"))
    return table
