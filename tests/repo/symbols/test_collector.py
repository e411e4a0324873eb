"""The garbage collector held off: on again afterwards, and circles do not pile up."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from ml_agent.repo.symbols import collector
from ml_agent.repo.symbols.collector import paused, seldom


class Circle:
    def __init__(self) -> None:
        self.self = self


@pytest.fixture(autouse=True)
def on() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_it_is_on_again_as_it_was() -> None:
    with paused():
        assert not gc.isenabled()
        with paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    with paused():
        pass
    assert not gc.isenabled()


def test_it_is_off_for_each_thing_and_on_afterwards() -> None:
    assert [(thing, gc.isenabled()) for thing in seldom("ab")] == [("a", False), ("b", False)]
    assert gc.isenabled()
    for _ in seldom("ab"):
        break
    gc.collect()
    assert gc.isenabled()


def test_circles_are_freed_once_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_MANY", 1000)
    first = weakref.ref(Circle())
    alive = []
    for _ in seldom(range(20)):
        alive.append(first() is not None)
        keep = [[] for _ in range(300)]  # type: ignore[var-annotated]
        del keep
        more = [Circle() for _ in range(300)]
        del more
    assert alive[0]
    assert not alive[-1]


def test_few_are_left_alone() -> None:
    gc.collect()
    first = weakref.ref(Circle())
    for _ in seldom(range(20)):
        pass
    assert first() is not None
