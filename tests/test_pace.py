"""A limit of time allows what it says, and no more than the machine is slower."""

import time

import pytest

from tests.pace import slowness, within


def test_what_takes_far_longer_fails() -> None:
    with pytest.raises(AssertionError, match=r"^took 0\.\d+ s, at most 0\.\d+ s are allowed$"), within(0.001):
        time.sleep(0.3)


def test_what_is_quick_passes() -> None:
    with within(1, time.process_time):
        time.sleep(0.001)


def test_no_machine_is_faster_than_the_limits() -> None:
    assert slowness() >= 1
    assert slowness(time.process_time) >= 1
