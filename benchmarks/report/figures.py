"""The report as a JSON object: every figure, uncut and unrounded."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from ml_agent.benchmarks.report.model import Figures, Rate, Report
from ml_agent.benchmarks.report.order import ranking

SCHEMA = 1


def as_dict(report: Report) -> dict[str, Any]:
    """Runs in the order of the ranking, which the pairs name them by, from 0. A figure that cannot be known is null."""
    suite, rows = report.suite, ranking(report.runs)
    of = {row.index: number for number, row in enumerate(rows)}
    return {
        "schema": SCHEMA,
        "suite": {"name": suite.name, "version": suite.version, "hash": suite.hash, "samples": len(suite.samples)},
        "samples": len(report.samples),
        "scorer": {"name": report.scorer, "version": report.scorer_version},
        "runs": [
            {
                "place": row.place,
                "policy": row.run.policy,
                "digest": row.run.digest,
                "setting": row.run.setting,
                "model": row.run.model,
                "ranked": row.run.ranked,
                "settings": dict(row.run.settings),
                "notes": list(row.run.notes),
                "figures": figures_dict(row.figures),
            }
            for row in rows
        ],
        "pairs": [{"runs": [of[pair.first], of[pair.second]], **asdict(pair.comparison)} for pair in report.pairs],
    }


def figures_dict(figures: Figures) -> dict[str, Any]:
    """The JSON object of a run's figures."""
    return {field.name: _plain(getattr(figures, field.name)) for field in fields(figures)}


def _plain(value: Any) -> Any:
    if isinstance(value, Rate):
        return asdict(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return value
