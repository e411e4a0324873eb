import io
import time
from collections import Counter

import pytest

from ml_agent.benchmarks.runner import Progress
from ml_agent.cli.benchmark import progress
from ml_agent.cli.benchmark.progress import describe, shown, span


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def made(**more: object) -> Progress:
    return Progress(745, before=10, done=27, seconds=13.5, last="1/7", **more)  # type: ignore[arg-type]


def test_what_is_said() -> None:
    assert describe(made()) == "37 of 745, 2/s, 5m54s left, last 1/7"
    assert describe(Progress(745)) == "0 of 745"
    endings = Counter({"infrastructure": 3, "answered": 20, "killed": 1})
    text = describe(made(endings=endings, tokens=5, money=1.5, retries=2))
    assert "$1.50, 1 killed, 3 infrastructure, 2 tried again" in text
    assert "price unknown" in describe(made(tokens=5, money=None))
    slow = Progress(100, done=2, seconds=120)
    assert "1/min, 1h38m left" in describe(slow)


def test_spans() -> None:
    assert [span(seconds) for seconds in (0, 59.4, 60, 338, 7500)] == ["0s", "59s", "1m00s", "5m38s", "2h05m"]


def test_a_line_now_and_then_when_piped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    with shown() as told:
        for _ in range(20):
            told(made())
        time.sleep(0.06)
        hostile = made()
        hostile.last = "[red]\x1b[31m\n/7"
        told(hostile)
        told(hostile)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["37 of 745, 2/s, 5m54s left, last [red]\\x1b[31m\\n/7"]


def test_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    with shown(stream) as told:
        told(made())
        hostile = made()
        hostile.last = "[/red]\x1b]0;title\x07"
        told(hostile)
        time.sleep(0.15)
    written = stream.getvalue()
    assert "37 of 745" in written
    assert "[/red]" in written
    assert "\x1b]0;title" not in written
