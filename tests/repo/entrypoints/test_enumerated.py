import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.entrypoints.enumerated import enumerated
from tests.pace import within


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Bird to draw (Heron, Egret or OurEgret)", ("Heron", "Egret", "OurEgret")),
        ("one of: heron, egret, owl-2.5", ("heron", "egret", "owl-2.5")),
        ("Must be one of heron and egret.", ("heron", "egret")),
        ("kind of bird: heron | egret | owl (default: owl)", ("heron", "egret", "owl")),
        ("bird, heron|egret", ("heron", "egret")),
        ("use 'heron' or 'egret' for water", ("heron", "egret")),
        ('"float", "double"', ("float", "double")),
        ("choose from [heron, egret]", ("heron", "egret")),
        ("bird {heron,egret}", ("heron", "egret")),
        ("bird (e.g. heron, egret)", ("heron", "egret")),
        ("birds (choices: heron/egret)", ("heron", "egret")),
        ("[heron] for water, [egret] for rice, or [owl]", ("heron", "egret", "owl")),
    ],
)
def test_lists_of_values(text: str, values: tuple[str, ...]) -> None:
    assert enumerated(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Size of the pond (height, width)",
        "path to the birds, ponds and reeds",
        "draws herons, egrets and owls",
        "one of the many birds",
        "a zip or a folder (directory or zip)",
        "where to save (ponds/reeds)",
        "the 'heron' option",
        "birds (if it is on or off)",
        "read from ponds/herons|",
        "options for drawing",
    ],
)
def test_prose_is_no_list(text: str) -> None:
    assert enumerated(text) == ()


def test_a_default_among_them_shows_a_list_in_brackets() -> None:
    assert enumerated("Bird (heron, egret)", "egret") == ("heron", "egret")
    assert enumerated("Bird (heron, egret)", "owl") == ()


@given(st.text(alphabet="ab,|/ ()[]'\"`or:.e", max_size=200))
def test_any_text(text: str) -> None:
    assert all(value and " " not in value for value in enumerated(text))


def test_long_texts_take_no_time() -> None:
    with within(2, time.perf_counter):
        for text in (
            "a, " * 100_000,
            "a" * 100_000,
            "(" * 100_000,
            "a.b-" * 50_000,
            "one of " * 30_000,
            "a | " * 50_000,
            "'a' " * 50_000,
            " " * 100_000,
        ):
            enumerated(text)


def test_either_or() -> None:
    assert enumerated("Either val or test.") == ("val", "test")
    assert enumerated("either a file or a folder of songs") == ()
    assert enumerated("either owls or wrens of the north") == ()
