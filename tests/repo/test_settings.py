import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.settings import Settings, Style, Value, read_couples, read_settings, read_words, write_settings, write_words

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=12)


def read(text: str) -> Settings:
    found = read_settings(text)
    assert found is not None
    return found


def plain(text: str) -> dict[str, str]:
    return {name: " ".join(value.parts) for name, value in read(text).values.items()}


def test_dictionaries_are_read_in_json_and_in_python() -> None:
    found = read('{"size": "base", "lr": 3e-5, "tags": ["a", "b"], "train": false, "inner": {"x": 1}}')
    assert found.style.kind == "json"
    assert found.values == {
        "size": Value(("base",), quoted=True),
        "lr": Value(("3e-5",)),
        "tags": Value(("a", "b"), quoted=True, many=True),
        "train": Value(("false",)),
        "inner": Value(('{"x": 1}',)),
    }
    assert read("{'size': 'base', 'train': True}").style.kind == "python"


@pytest.mark.parametrize(
    ("text", "values", "separator"),
    [
        ("lr=0.1,size=base", {"lr": "0.1", "size": "base"}, ","),
        ("a.lr=1e-4,,a.b='x'", {"a.lr": "1e-4", "a.b": "x"}, ",,"),
        ("lr=0.1;size=base", {"lr": "0.1", "size": "base"}, ";"),
        ("sides=1,2,lr=3", {"sides": "1,2", "lr": "3"}, ","),
        ("x.lr = 0.1", {"x.lr": "0.1"}, ","),
    ],
)
def test_lists_of_pairs_are_read_with_what_stands_between(text: str, values: dict[str, str], separator: str) -> None:
    assert plain(text) == values
    assert read(text).style.separator == separator
    assert write_settings(read(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "base", "{}", "{'a'}", "{1: 2}", "{", "runs/a=b/last.pt", "tcp://h:1?a=b", "b,a=1", "a = ", "f(a=1)", "{" * 3000 + "=", "=1"],
)
def test_anything_else_is_no_settings(text: str) -> None:
    assert read_settings(text) is None


def test_settings_in_words() -> None:
    assert read_words(["a=1", "b.c=x"]) == Settings(Style("words", " "), {"a": Value(("1",)), "b.c": Value(("x",))})
    assert read_words(["a:1", "b"], ":") is None
    couples = read_couples(["SOLVER.RATE", "0.1", "DEBUG", "True"])
    assert couples is not None
    assert write_words(couples) == ["SOLVER.RATE", "0.1", "DEBUG", "True"]
    assert read_couples(["rate", "0.1"]) is None
    assert read_couples(["SOLVER.RATE"]) is None


def test_what_is_new_is_written_as_its_kind() -> None:
    values = {"a": Value(("True",)), "b": Value((".5",)), "c": Value(("x y",)), "d": Value(("3",), quoted=True), "e": Value(("[oops",))}
    assert write_settings(Settings(Style("json"), values)) == '{"a": true, "b": 0.5, "c": "x y", "d": "3", "e": "[oops"}'
    assert write_settings(Settings(Style("python"), values)) == "{'a': True, 'b': .5, 'c': 'x y', 'd': '3', 'e': '[oops'}"
    assert write_settings(Settings(Style(), {"a": Value(("true",)), "b": Value(("1", "2"), many=True)})) == "a=true,b=[1,2]"


@given(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=4), st.booleans())
def test_dictionaries_are_written_so_that_their_program_can_read_them(texts: dict[str, str], json_style: bool) -> None:
    values = {name: Value((text,), quoted=True) for name, text in texts.items()}
    written = write_settings(Settings(Style("json" if json_style else "python"), values))
    assert (json.loads if json_style else ast.literal_eval)(written) == texts
    loose = write_settings(Settings(Style("json"), {name: Value((text,)) for name, text in texts.items()}))
    assert json.loads(loose).keys() == texts.keys()


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for tried in (text, f"{{{text}}}", f"a={text}"):
        found = read_settings(tried)
        assert found is None or found.values
