import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.base import Attempt, Repository, Sample, Suite, Usage
from ml_agent.benchmarks.codec import attempt_from_json, attempt_to_json, sample_from_json, suite_from_lines, suite_lines
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Evidence

TEXT = st.text(st.characters(), max_size=20)
ANSWERS = st.builds(
    Answer,
    st.sampled_from(["bash", "python"]),
    TEXT,
    TEXT,
    st.lists(st.builds(Evidence, TEXT, st.none() | TEXT, st.none() | TEXT), max_size=2).map(tuple),
    st.lists(TEXT, max_size=2).map(tuple),
)
RECORDS = st.builds(
    ExecutionRecord,
    st.sampled_from(["completed", "failed", "environment", "running_at_limit", "not_run"]),
    st.none() | st.integers(0, 255),
    st.floats(0, 100),
    st.none() | TEXT,
    TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
    st.none() | TEXT,
)
ATTEMPTS = st.builds(
    Attempt,
    TEXT,
    st.integers(0, 9),
    st.sampled_from(["answered", "no_answer", "limit", "infrastructure", "crashed", "killed"]),
    st.none() | ANSWERS,
    st.booleans(),
    st.lists(st.dictionaries(TEXT, st.none() | TEXT, max_size=2), max_size=2).map(tuple),
    st.none() | RECORDS,
    st.none() | st.lists(st.lists(TEXT, max_size=2).map(tuple), max_size=2).map(tuple),
    st.builds(Usage, st.floats(0, 1e6), st.integers(0, 99), st.integers(0, 10**9), st.none() | st.floats(0, 1e3)),
    TEXT,
    TEXT,
)


@given(ATTEMPTS)
def test_an_attempt_comes_back_as_it_was(attempt: Attempt) -> None:
    """Whatever the text: bytes that were no text, too."""
    line = json.dumps(attempt_to_json(attempt))
    assert "\n" not in line
    assert attempt_from_json(json.loads(line)) == attempt


@given(ATTEMPTS, st.data())
def test_a_damaged_attempt_is_a_value_error(attempt: Attempt, data: st.DataObject) -> None:
    value: dict[str, Any] = json.loads(json.dumps(attempt_to_json(attempt)))
    name = data.draw(st.sampled_from(sorted(set(value) - {"verified"})))
    if data.draw(st.booleans()):
        del value[name]
    else:
        value[name] = data.draw(st.sampled_from([[1], {"x": 1}]))
    with pytest.raises(ValueError, match=r"."):
        attempt_from_json(value)


@pytest.mark.parametrize("value", [None, [], "x", {}, {"sample": "x"}])
def test_what_is_none(value: Any) -> None:
    for read in (attempt_from_json, sample_from_json):
        with pytest.raises(ValueError, match=r"attempt|sample"):
            read(value)


def test_a_suite_comes_back_with_its_hash() -> None:
    samples = (
        Sample("1/1", "a", "do", "bash", "python x.py", arguments={"lr": 0.1, "names": ["x"]}, oracle="\ud800"),
        Sample("1/2", "b", "do\nmore", "python", "import x"),
    )
    suite = Suite("s", "2", samples, {"a": Repository("a", "https://example.org/a", "0" * 40), "b": Repository("b")}, runs=True)
    lines = list(suite_lines(suite))
    assert len(lines) == 3
    found = suite_from_lines(lines)
    assert found == suite
    assert found.hash == suite.hash
    with pytest.raises(ValueError, match="are not those that its hash names"):
        suite_from_lines(lines[:2])
    with pytest.raises(ValueError, match="suite"):
        suite_from_lines(["{}"])
    with pytest.raises(ValueError, match="Expecting value"):
        suite_from_lines([])


def test_arguments_that_json_does_not_have() -> None:
    suite = Suite("s", "1", (Sample("1/1", "a", "do", "bash", "x", arguments={"x": 1j, "y": (1, 2)}),), {"a": Repository("a")})
    assert suite_from_lines(suite_lines(suite)).hash == suite.hash
