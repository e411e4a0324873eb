"""What stands right beside a number says which option it is for."""

import pytest

from ml_agent.policies.grounded.counting import counts_something, is_measured, share_at
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import given, option

OWLS: tuple[Option, ...] = tuple(
    option(name, type="int")
    for name in ("--batch-size", "--image-size", "--patch-size", "--patience", "--epochs", "--workers", "--width", "--height", "--n-critic")
)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("a patience of 5 epochs", "--patience", "5"),
        ("a patch size of 8 pixels", "--patch-size", "8"),
        ("a total of 30 epochs", "--epochs", "30"),
        ("8 images per batch", "--batch-size", "8"),
        ("7 per device", "--batch-size", "7"),
        ("7 per step", "--batch-size", "7"),
        ("640 wide and 480 high", "--width", "640"),
        ("640 wide and 480 high", "--height", "480"),
        ("with 64 for the batch size, with 3 for the workers", "--batch-size", "64"),
        ("with 64 for the batch size, with 3 for the workers", "--workers", "3"),
        ("9 as the number of epochs, 4 as the patience", "--epochs", "9"),
        ("3 critic steps per iteration", "--n-critic", "3"),
        ("batch size (16), patience (2)", "--batch-size", "16"),
        ("batch size (16), patience (2)", "--patience", "2"),
    ],
)
def test_a_number_is_for_what_it_counts_or_measures(text: str, name: str, value: str) -> None:
    assert given(f"watch it, {text}", *OWLS).get(name) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5 epochs of a run", False), ("a run of 5 epochs", False), ("a window of 5 frames", True), ("of 5 frames", False)],
)
def test_what_is_measured_stands_before(text: str, expected: bool) -> None:
    tokens = read_request(text).tokens
    assert is_measured(tokens, next(i for i, t in enumerate(tokens) if t.kind == "number")) is expected


@pytest.mark.parametrize("text", ["3 times per iteration", "2 steps per batch", "4 epochs", "5 images"])
def test_what_is_done_is_no_share_of_a_batch(text: str) -> None:
    assert share_at(read_request(text).tokens, 0) is None


@pytest.mark.parametrize(("text", "counts"), [("owls on the first 30 nests", True), ("owls 30 nests", False), ("owls, 30 nests", True)])
def test_a_word_in_front_that_only_says_which(text: str, counts: bool) -> None:
    tokens = read_request(text).tokens
    (at,) = [i for i, t in enumerate(tokens) if t.kind == "number"]
    assert counts_something(tokens, at) is counts
