from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.suites.written import asked


def test_options_positional_arguments_and_values_of_several_words() -> None:
    answer = {
        "language": "bash",
        "options": {"--lr": "0.1", "-v": "", "--sizes": "8 16", "--text": "two words", "--path": "a b", "--set": ["x=1", "y=2"], "--n": 3},
        "arguments": ["in.txt", "out dir"],
        "command": "python a.py --lr 0.1 -v --sizes 8 16 --text 'two words' --path='a b' --set x=1 --set y=2 --n 3 in.txt 'out dir'",
    }
    assert asked(answer) == {
        "lr": "0.1",
        "v": "",
        "sizes": "8",
        "sizes 2": "16",
        "text": "two words",
        "path": "a b",
        "set": "x=1",
        "set 2": "y=2",
        "n": 3,
        "argument1": "in.txt",
        "argument2": "out dir",
    }


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"cpu"', "cpu"),
        ("'a b'", "a b"),
        ("1e-4", 0.0001),
        ("3.", 3.0),
        ("-2", -2),
        ("True", True),
        ("(1, 2)", (1, 2)),
        ("nn.ReLU", "ReLU"),
        ("relu", "relu"),
        ("bias=True", True),
        ("mode = 'fast'", "fast"),
        ("faq.txt", "faq.txt"),  # a string of the program
        ("a == b", "a == b"),
        ("f(1)", "f(1)"),
        ("two words", "two words"),
        ("x; y", "x; y"),
        ("", ""),
        (7, 7),
    ],
)
def test_values_of_code_are_what_they_stand_for(written: Any, value: object) -> None:
    found = asked({"language": "python", "code": "open('faq.txt')", "values": [written], "keywords": {"name": written}})
    assert found == {"argument1": value, "name": value}
    assert type(found["name"]) is type(value)


@given(st.text(max_size=30))
def test_any_text_is_a_value(text: str) -> None:
    assert set(asked({"language": "python", "code": "pass", "values": [text]})) == {"argument1"}
    found = asked({"language": "bash", "command": text, "options": {"--x": text}})
    assert found["x"] in (text, *text.split())
