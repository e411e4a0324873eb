"""What the first page shows: the ranking and all figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.report import texts
from ml_agent.benchmarks.report.links import page_name
from ml_agent.benchmarks.report.model import FAMILIES, KS, Report
from ml_agent.benchmarks.report.order import Row, most_frequent, names

_TITLES = {"hit": "Ranked alternatives", "pass": "Independent attempts", "first": "The original's"}
_CLASSES = "Attempts that did not pass, by the paper's five classes; assigned by rule from verdict and findings."


def index_view(report: Report, rows: Sequence[Row], samples: Sequence[Sample]) -> dict[str, Any]:
    """As its template takes it; `rows` in the order of the ranking."""
    suite, figures = report.suite, [row.figures for row in rows]
    label = {row.index: row.label for row in rows}
    breakdowns = [
        _table("repositories", "Repository", "The score on the samples of each.", [one.by_repository for one in figures]),
        _table("types", "Type", "Whether a command line or a program is asked for.", [one.by_type for one in figures]),
        _table("errors", "Error class", _CLASSES, [one.by_error for one in figures], counts=True),
        _table("reasons", "Reason", "All attempts, by the scorer's reason.", [one.by_reason for one in figures], counts=True),
    ]
    return {
        "suite_title": texts.line(f"{suite.name} {suite.version}", 80),
        "samples": len(samples),
        "repositories": {sample.repository for sample in samples},
        "scorer": texts.line(f"{report.scorer} {report.scorer_version}", 80),
        "ranking": rows,
        "ks": KS,
        "families": [{"name": name, "title": _TITLES[name], "pattern": pattern} for name, pattern in FAMILIES.items()],
        "pairs": [(label[pair.first], label[pair.second], pair.comparison) for pair in report.pairs],
        "breakdowns": [table for table in breakdowns if table["rows"]],
        "unreachable": [
            {"key": one.key, "href": f"samples/{page_name(one.key)}", "why": one.unreachable} for one in samples if one.unreachable
        ],
    }


def _table(identity: str, head: str, text: str, of: Sequence[Mapping[str, Any]], *, counts: bool = False) -> dict[str, Any]:
    """A row for each name, a column for each run. What a run does not have is 0 of counts, nothing of rates."""
    order = most_frequent(of) if counts else names(of)
    rows = [(name, [one.get(name, 0 if counts else None) for one in of]) for name in order]
    return {"id": identity, "head": head, "title": f"Per {head.lower()}", "text": text, "counts": counts, "rows": rows}
