import time
from itertools import pairwise
from pathlib import Path

from ml_agent.benchmarks.runner.executor import Unit
from ml_agent.benchmarks.runner.schedule import Schedule
from tests.benchmarks.runner.support import suite_of

HERE = Path("/nowhere")


def schedule(count: int, repositories: int, attempts: int = 1, done: frozenset[tuple[str, int]] = frozenset()) -> Schedule:
    suite = suite_of(*["x"] * count, repositories=repositories)
    places = dict.fromkeys(suite.repositories, HERE)
    return Schedule(suite.samples, places, attempts, lambda key, number: (key, number) in done, lambda sample: sample)


def drain(schedule: Schedule, workers: int) -> list[list[str]]:
    """Units as workers take them in turn, each holding what it had last: the repositories of each."""
    held, taken = [""] * workers, [list[str]() for _ in range(workers)]
    while True:
        for number in range(workers):
            unit = schedule.next(held[number], {held[n] for n in range(workers) if n != number})
            if unit is None:
                return taken
            held[number] = unit.sample.repository
            taken[number].append(unit.sample.repository)


def units_of(schedule: Schedule) -> list[Unit]:
    found = []
    while (unit := schedule.next("", ())) is not None:
        found.append(unit)
    return found


def units(schedule: Schedule) -> list[tuple[str, int]]:
    return [(unit.sample.key, unit.attempt) for unit in units_of(schedule)]


def test_each_attempt_is_handed_out_once() -> None:
    assert sorted(units(schedule(7, 3, attempts=3))) == sorted((f"{n % 3}/{n}", a) for n in range(7) for a in range(3))


def test_what_is_done_is_not() -> None:
    done = frozenset({("0/0", 0), ("0/0", 1), ("1/1", 1), ("0/2", 0), ("0/2", 1)})
    assert units(schedule(3, 2, attempts=2, done=done)) == [("1/1", 0)]


def test_a_worker_stays_with_its_repository_as_long_as_it_can() -> None:
    taken = drain(schedule(40, 4), 2)
    changes = [sum(a != b for a, b in pairwise(one)) for one in taken]
    assert sum(changes) <= 3
    assert abs(len(taken[0]) - len(taken[1])) <= 1  # the last repository is shared


def test_the_end_of_a_repository_is_left_to_the_worker_that_has_it() -> None:
    one = schedule(6, 1)
    assert one.next("", ()) is not None
    assert one.next("", {"tiny0"}) is not None
    assert one.next("", {"tiny0"}) is None
    assert one.next("tiny0", {"tiny0"}) is not None
    assert len(units(one)) == 3


def test_what_is_put_back_comes_when_it_is_due() -> None:
    one = schedule(1, 1)
    unit = one.next("", ())
    assert unit is not None
    assert one.next("", ()) is None
    assert one.waiting is None
    one.put_back(unit, 0.05)
    assert one.next("", ()) is None
    time.sleep(one.waiting or 9.0)
    assert units_of(one) == [Unit(unit.sample, HERE, 0, tries=1)]
