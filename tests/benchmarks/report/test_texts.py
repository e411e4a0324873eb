"""Figures in words, and foreign text made fit for a page."""

import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.report import texts
from ml_agent.benchmarks.report.model import Figures, Judged, Rate, ScoredRun
from ml_agent.console import safe

ANY = st.text(st.characters(codec=None), max_size=300)


@given(ANY)
def test_nothing_shown_is_obeyed(text: str) -> None:
    shown = texts.shown(text)
    shown.encode("utf-8")
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c not in "\n\t"]
    assert texts.shown(shown) == shown


@pytest.mark.parametrize(
    "character", ["\u202e", "\u2066", "\u200b", "\u200f", "\u00ad", "\ufeff", "\u2028", "\x1b", "\x85", "\U000e0041", "\ud800"]
)
def test_the_screen_and_the_page_show_the_same(character: str) -> None:
    assert texts.shown(f"a{character}b") == safe(f"a{character}b")


@given(st.text(st.characters(categories=("L", "N", "P", "S")), max_size=100))
def test_harmless_text_is_left_alone(text: str) -> None:
    assert texts.shown(text) == text


def test_marks_that_pile_up_are_cut_and_those_of_scripts_are_not() -> None:
    assert texts.shown("e\u0301 Z" + "\u0300" * 50) == "e\u0301 Z" + "\u0300" * 4


@given(ANY, st.integers(10, 120))
def test_cut_keeps_both_ends_and_says_how_much_is_gone(text: str, limit: int) -> None:
    found = texts.cut(text, limit)
    if len(text) <= limit:
        assert found == text
        return
    head, said, tail = re.fullmatch(r"(.*)\n… ([\d,]+) characters left out …\n(.*)", found, re.DOTALL).groups()  # type: ignore[union-attr]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + len(tail) + int(said.replace(",", "")) == len(text)


@given(ANY, st.integers(2, 50))
def test_line_is_one_line(text: str, limit: int) -> None:
    found = texts.line(text, limit)
    assert len(found) <= limit
    assert len(found.splitlines()) <= 1


def test_output_is_shown_as_a_terminal_leaves_it() -> None:
    bar = "\r".join(f"{n}%|{'#' * n}" for n in range(4))
    printed = f"\x1b[1;31merror\x1b[0m: no\r\n{bar}\ndone\r\n\x1b]8;;https://x\x07link\x1b]8;;\x07"
    assert texts.terminal(printed) == "error: no\n3%|###\ndone\nlink"


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (texts.percent(0.33557), "33.6\u00a0%"),
        (texts.percent(None), "n/a"),
        (texts.interval(Rate(0.3, 9, 0.1, 0.281, 0.39)), "[28.1, 39.0]"),
        (texts.interval(Rate(0.3, 9)), ""),
        (texts.points(-0.051), "−5.1"),
        (texts.points(0.0), "+0.0"),
        (texts.points_interval(-0.01, 0.2), "[−1.0, +20.0]"),
        (texts.p_value(0.0004), "< 0.001"),
        (texts.p_value(None), "n/a"),
        (texts.money(None), "unknown"),
        (texts.money(0.0), "$0"),
        (texts.money(0.001), "< $0.01"),
        (texts.money(1234.5), "$1,234.50"),
        (texts.duration(0), "unknown"),
        (texts.duration(0.84), "0.8\u00a0s"),
        (texts.duration(75), "75\u00a0s"),
        (texts.duration(2520), "42\u00a0min"),
        (texts.duration(11_160), "3.1\u00a0h"),
        (texts.tokens(Figures(Rate(None, 0), "", money=None)), "unknown"),
        (texts.tokens(Figures(Rate(None, 0), "")), "0"),
        (texts.tokens(Figures(Rate(None, 0), "", tokens=1234, money=None)), "1,234"),
    ],
)
def test_figures_in_words(found: str, wanted: str) -> None:
    assert found == wanted


def nothing(key: str) -> Sequence[Judged]:
    return ()


def run(policy: str, model: str = "", setting: str = "agent", digest: str = "d" * 64) -> ScoredRun:
    return ScoredRun(policy, digest, True, Figures(Rate(None, 0), ""), nothing, setting, model)


def test_labels_say_no_more_than_tells_runs_apart() -> None:
    assert texts.labels([run("a"), run("b", "m")]) == ["a", "b"]
    assert texts.labels([run("a", "m"), run("a", "n"), run("b")]) == ["a · m", "a · n", "b"]
    assert texts.labels([run("a", "m"), run("a", "m", "oracle"), run("a")]) == ["a · m · agent", "a · m · oracle", "a"]
    assert texts.labels([run("a", digest="1" * 64), run("a", digest="2" * 64)]) == ["a · agent · 11111111", "a · agent · 22222222"]
    assert texts.labels([run("a"), run("a")]) == ["a · agent · dddddddd (1)", "a · agent · dddddddd"]


@given(
    st.lists(st.tuples(st.sampled_from(["a", "a (1)", "a · m", "a · m (1)"]), st.sampled_from(["", "m"]), st.sampled_from(["", "agent"])))
)
def test_no_two_labels_are_alike(given: list[tuple[str, str, str]]) -> None:
    found = texts.labels([run(*one) for one in given])
    assert len(set(found)) == len(given)
