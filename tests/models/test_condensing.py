"""Shorter texts say what they lack, and how to see it again."""

import re
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.condensing import result_note, shortened, shortened_words
from ml_agent.models.messages import Message
from ml_agent.trajectory import ToolCall

READ = ToolCall("1", "read_file", {"path": "README.md", "start": 1})


def count(text: str) -> int:
    return ceil(len(text) / 4)


def test_a_result_is_reduced_to_its_first_line() -> None:
    lines = "\n".join(f"line {n}" for n in range(143))
    assert result_note(lines, READ) == (
        'line 0\n[142 more lines were left out here to make room; to see them again: read_file {"path": "README.md", "start": 1}]'
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * 500, "[380 more characters were left out"),
        ("x" * 500 + "\nend", "[384 more characters were left out"),
        ("a\nb\n", "[1 more lines"),
    ],
)
def test_a_long_first_line_is_cut_too(text: str, words: str) -> None:
    assert words in result_note(text, READ)


def test_a_long_call_is_not_written_out_again() -> None:
    call = ToolCall("1", "run", {"language": "python", "code": "print(1)\n" * 50})
    assert result_note("outcome: failed\nexit code: 1", call).endswith("to see them again: run with the same arguments]")
    assert "again" not in result_note("a\nb", None)


def test_a_text_keeps_its_beginning_and_its_end() -> None:
    text = "".join(f"{n:07}\n" for n in range(1000))
    made = shortened(text, 100, count, READ)
    assert made.startswith("0000000\n")
    assert made.endswith("0000999\n")
    left_out = re.search(r"\[(\d+) characters were left out here to make room; to see them again: read_file", made)
    assert left_out
    note = made[left_out.start() : made.index("]") + 1]
    assert len(text) == int(left_out[1]) + len(made) - len(note) - 2
    assert 80 <= count(made) <= 100


def test_a_text_that_fits_stays() -> None:
    assert shortened("short", 2, count) == "short"


@given(text=st.text(max_size=3_000), tokens=st.integers(0, 400))
def test_a_shortened_text_is_within_its_tokens_or_the_note_alone(text: str, tokens: int) -> None:
    made = shortened(text, tokens, count)
    assert count(made) <= tokens or re.fullmatch(r"\[\d+ characters were left out here to make room\]", made)
    assert made == text or "left out" in made


@given(text=st.text(max_size=600), code=st.text(max_size=600), other=st.lists(st.integers(), max_size=200))
def test_words_of_the_model_are_bounded(text: str, code: str, other: list[int]) -> None:
    call = ToolCall("9", "run", {"code": code, "other": other, "n": 3})
    made = shortened_words(Message("assistant", text, (call,)), 100)
    assert (made.calls[0].id, made.calls[0].tool, made.calls[0].arguments["n"]) == ("9", "run", 3)
    assert made.text[:100] == text[:100]
    for value in (made.text, *made.calls[0].arguments.values()):
        assert len(str(value)) <= 160
    assert shortened_words(made, 200) == made
