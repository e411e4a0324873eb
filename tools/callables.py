"""Classes and functions that fit a text, with what they take, as data: for the tool `search_symbols`."""

from typing import TYPE_CHECKING, Any, TypedDict

from ml_agent.repo.callables import Callee, find_callables
from ml_agent.tools.text import plain, shorten

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex


class CallablesData(TypedDict):
    callables: list[dict[str, Any]]
    """Each the fields of `repo.callables.Callee`, tuples as lists, and `score`: how well its name fits. Best first."""


def callables_data(index: "RepoIndex", text: str, limit: int) -> tuple[CallablesData, str]:
    """The data, and the same for a reader: one line each, and one for its documentation."""
    found = find_callables(index, text, limit)
    data: CallablesData = {"callables": [plain(callee) | {"score": score} for score, callee in found]}
    return data, "\n".join(_line(callee) for _, callee in found) or f"nothing that can be called fits {text!r}"


def _line(callee: Callee) -> str:
    brought = f"from {callee.module} import {callee.name}  " if callee.module else ""
    methods = "".join(f"\n    .{_call(m)}" for m in callee.methods)
    doc = f"\n    {shorten(callee.doc, 150)}" if callee.doc else ""
    return f"{callee.kind} {_call(callee)}  {brought}[{callee.source}]{doc}{methods}"


def _call(callee: Callee) -> str:
    stars = {"args": "*", "kwargs": "**"}
    takes = (stars.get(t.kind, "") + t.name + (f"={t.default}" if t.default is not None else "") for t in callee.takes)
    return shorten(f"{callee.name}({', '.join(takes)})", 300)
