"""The JSON object of a report."""

import json
from dataclasses import replace

from ml_agent.benchmarks.report.figures import as_dict
from ml_agent.benchmarks.report.model import Pair, Report
from ml_agent.benchmarks.statistics import Comparison


def test_the_object_holds_every_figure_and_nothing_that_json_lacks(report: Report) -> None:
    pair = Pair(0, 2, Comparison(12, 0.2, 1.0, -0.8, None, None, None, None, 1, 10, 1, 0.01))
    told = json.loads(json.dumps(as_dict(replace(report, pairs=(pair,))), allow_nan=False))
    assert told["suite"]["hash"] == report.suite.hash
    assert [(run["place"], run["policy"], run["ranked"]) for run in told["runs"]] == [
        ("1", "grounded", True),
        ("2", "react", False),
        ("n/a", "nothing", False),
    ]
    figures = told["runs"][1]["figures"]
    assert figures["money"] is None
    assert figures["rates"]["pass"]["1"]["value"] == figures["score"]["value"] == report.runs[1].figures.score.value
    assert figures["score"]["error"] is None
    assert "hit" not in figures["rates"]
    assert told["runs"][2]["figures"]["score"]["value"] is None
    assert told["pairs"][0]["runs"] == [2, 0]  # by their places in `runs`
    assert told["pairs"][0]["difference"] == -0.8
