"""Files that were not written to be read: each must end soon, keep the process alive, and say what was left out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.symbols import FileSymbols, parse_symbols
from ml_agent.repo.symbols.languages import LANGUAGES
from tests.pace import within

DEEP = 50_000
PATHS = sorted(f"a{one.suffixes[0]}" for one in LANGUAGES.values())


def messages(symbols: FileSymbols) -> list[str]:
    return [problem.message for problem in symbols.problems]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("unit", "end"), [("(\n", ")\n"), ("f(\n", ")\n"), ('{"a":\n', "}\n"), ("[\n", "")])
def test_deep_nesting(path: str, unit: str, end: str) -> None:
    """Each level on a line of its own: nothing here is dropped for its long lines. A query that sees all levels takes minutes."""
    with within(8):
        symbols = parse_symbols(path, unit * DEEP + end * DEEP)
    assert symbols.language


def test_what_stands_behind_deep_nesting_is_found() -> None:
    symbols = parse_symbols("a.py", "f(\n" * DEEP + ")\n" * DEEP + "def after(): pass\n")
    assert [d.name for d in symbols.definitions] == ["after"]


@pytest.mark.parametrize("text", ["".join(" " * i + "a:\n" for i in range(900)), "- " * 900 + "a\n", "? " * 900 + "a\n"])
def test_deep_yaml(text: str) -> None:
    """The grammar overflows its buffer at some 250 levels and takes the process with it."""
    symbols = parse_symbols("a.yaml", "top: 1\n" + text)
    assert symbols.definitions[0].name == "top"
    assert messages(symbols) == ["too long or too deeply nested: not read from here on"]


def test_yaml_lines_that_almost_nest_too_deep() -> None:
    with within(5):
        parse_symbols("a.yaml", ("a: " * 149 + "x" * 300 + "\n") * 100)


@pytest.mark.parametrize("path", ["a.js", "a.py", "a.json", "a.css.ts"])
def test_minified_of_20_megabytes(path: str) -> None:
    with within(2):
        symbols = parse_symbols(path, "var a=1;" * 2_500_000)
    assert messages(symbols) == ["minified or generated (very long lines): not read"]


def test_a_long_file_is_cut_and_said() -> None:
    symbols = parse_symbols("a.py", "def f(): pass\n" + "x = 'nothing more'\n" * 110_000 + "def g(): pass\n", seconds=20)
    assert symbols.definitions[0].name == "f"
    assert not symbols.uses and symbols.definitions[-1].name == "x"  # noqa: PT018
    first, _ = symbols.problems
    assert first.message == "too long or too deeply nested: not read from here on"
    assert first.line == 2_000_000 // 19 + 1


def test_many_definitions_are_cut_and_said() -> None:
    symbols = parse_symbols("a.json", "{" + ",\n".join(f'"k{i}": 1' for i in range(3_000)) + "}")
    assert [len(symbols.definitions), *symbols.problems] == [2_000, (2_001, "more than 2000 definitions: the others are not read")]


def test_pipes() -> None:
    """10,000 in an unfinished pipeline take a gigabyte."""
    symbols = parse_symbols("a.sh", "f() { g; }\n" + "a |\n" * 20_000)
    assert [d.name for d in symbols.definitions] == ["f"]
    assert messages(symbols) == ["too long or too deeply nested: not read from here on"]


def test_nul_and_lone_surrogates() -> None:
    symbols = parse_symbols("a.py", "def f(): pass  # \0\ndef g(): return '\ud800\0'\nclass B\udcff: pass\ndef h(): pass\n")
    assert {"f", "g", "h"} <= {d.name for d in symbols.definitions}
    json.dumps(symbols.as_data()).encode()
    for definition in symbols.definitions:
        "".join(map(str, definition)).encode()


def test_parsing_stops_when_it_is_time() -> None:
    text = "a(b(c));\n" * 200_000
    with within(2):
        symbols = parse_symbols("a.py", text, seconds=0.05)
    assert messages(symbols) == ["could not be parsed in 0.05 s"]


def test_long_stretches_that_do_not_parse() -> None:
    """A query takes time by the square of their length: here 20 seconds."""
    for unit in ("(\n", "-\n", "{\n"):
        with within(6):
            symbols = parse_symbols("a.py", unit * 200_000)
        assert messages(symbols) == ["is no python that can be parsed: not read"]


@given(st.text(max_size=200), st.sampled_from(PATHS))
def test_any_text(text: str, path: str) -> None:
    symbols = parse_symbols(path, text)
    assert FileSymbols.from_data(json.loads(json.dumps(symbols.as_data()))) == symbols
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= d.line <= d.end_line <= lines for d in symbols.definitions)


WORDS = "def class f A ( ) : = , . @ [ ] { } ' \" # \n \t import from as * __all__ é \\ / < > ; fn impl".split(" ")


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.sampled_from(PATHS))
def test_text_that_is_almost_code(words: list[str], path: str) -> None:
    symbols = parse_symbols(path, " ".join(words))
    assert FileSymbols.from_data(symbols.as_data()) == symbols
