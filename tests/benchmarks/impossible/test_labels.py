import json
from collections import Counter

import pytest

from ml_agent.benchmarks.impossible.labels import LABELS, read_labels

LINE = {"source": "s", "github_id": 1, "id": 2, "output": 0, "impossible": True, "kind": "option", "why": "train.py:3"}


def test_a_label_is_read() -> None:
    labels = read_labels([json.dumps(LINE), "", json.dumps({**LINE, "output": 1, "impossible": False, "kind": "", "why": ""})])
    assert labels["s", "1/2", 0].impossible
    assert labels["s", "1/2", 0].why == "train.py:3"
    assert not labels["s", "1/2", 1].impossible


@pytest.mark.parametrize(
    ("change", "message"),
    [({"impossible": False}, "has a kind"), ({"why": ""}, "has a kind"), ({"kind": ""}, "has a kind"), ({}, "already")],
)
def test_what_contradicts_itself_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=f"line 2 .*{message}"):
        read_labels([json.dumps(LINE), json.dumps({**LINE, **change})])


def test_the_labels_are_even_and_hold_no_text_of_answers() -> None:
    lines = LABELS.read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line).keys() == LINE.keys() and len(line) < 300 for line in lines)
    groups = Counter((label.source, label.key.split("/")[0]) for label in read_labels(lines).values())
    assert len(lines) >= 120
    assert max(groups.values()) - min(groups.values()) <= 1
