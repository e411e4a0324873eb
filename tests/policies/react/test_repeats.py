"""A circle is noticed, and only a circle."""

from ml_agent.policies.react.repeats import Repeats
from ml_agent.trajectory import Observation, ToolCall


def times(*calls: tuple[dict[str, object], str]) -> list[int]:
    repeats, counted = Repeats(), []
    for number, (arguments, text) in enumerate(calls):
        repeats.note(ToolCall(str(number), "grep", arguments), Observation(text))
        counted.append(repeats.times)
    return counted


def test_equal_calls_with_equal_results() -> None:
    a: tuple[dict[str, object], str] = ({"pattern": "x", "glob": "y"}, "one")
    assert times(a, ({"glob": "y", "pattern": "x"}, "one"), a) == [1, 2, 3]
    assert times(a, a, ({"pattern": "z"}, "one"), a) == [1, 2, 1, 3]
    assert times(a, (a[0], "two"), (a[0], "two")) == [1, 1, 2]


def test_what_was_long_ago_does_not_count() -> None:
    a: tuple[dict[str, object], str] = ({"pattern": "x"}, "one")
    others: list[tuple[dict[str, object], str]] = [({"pattern": str(n)}, "one") for n in range(11)]
    assert times(a, *others[:10], a)[-1] == 2
    assert times(a, *others, a)[-1] == 1


def test_the_seconds_that_it_took_do_not_count() -> None:
    run: dict[str, object] = {"code": "python a.py"}
    assert times((run, "seconds: 0.3\nloss 2"), (run, "seconds: 11.4\nloss 2"), (run, "seconds: 0.3\nloss 3")) == [1, 2, 1]
