from ml_agent.benchmarks.impossible.figures import Judged, by_kind, by_verdict
from ml_agent.benchmarks.impossible.labels import Label
from ml_agent.verify import Check, Finding

ERROR = Check((Finding("option", "no such option", "--x", "train.py:3"),))
HINT = Check((Finding("unplaced", "not placed", "9", severity="warning"),))


def judged(number: int, kind: str | None, check: Check, *, accepted: bool = False) -> Judged:
    label = None if kind is None else Label("s", "1/2", number, kind, "train.py:3" if kind else "")
    return Judged("s", "1/2", number, accepted, label, check)


def test_what_is_caught_missed_and_refused_wrongly() -> None:
    ones = [judged(0, "option", ERROR), judged(1, "option", HINT), judged(2, "", ERROR), judged(3, "", Check()), judged(4, None, ERROR)]
    lines = list(by_kind(ones))
    assert "| option | 2 | 1 | 50.0 % |" in lines
    assert "| none (false alarms) | 2 | 1 | 50.0 % |" in lines
    assert "4 labelled answers; precision 50.0 %" in lines
    assert "- s 1/2 output 1: missed, option (train.py:3)" in lines
    assert "- s 1/2 output 2: false alarm: option: no such option (train.py:3)" in lines
    assert not any("output 4" in line for line in lines)


def test_findings_on_what_is_accepted_and_rejected() -> None:
    lines = list(by_verdict([judged(0, None, ERROR, accepted=True), judged(1, None, HINT), judged(2, None, Check())]))
    assert "| all | accepts | 1 | 1 | 1 | 100.0 % |" in lines
    assert "| all | rejects | 2 | 0 | 1 | 50.0 % |" in lines
    assert lines[-1] == "- accepted by strict and refused: s 1/2 output 0: option: no such option (train.py:3)"
