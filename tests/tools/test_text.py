import json
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.tools.text import cap, numbered, plain, shorten


def test_short_text_is_left_alone() -> None:
    assert cap("a\nb\n", 4) == "a\nb\n"


def test_cap_says_what_was_cut_and_how_to_see_it() -> None:
    text = "".join(f"line {n} is {'long' * (n % 3)}\n" for n in range(100))
    capped = cap(text, 300, "give start")
    kept, _, note = capped.partition("\n[cut here: ")
    lines = kept.count("\n") + 1
    assert 200 < len(capped) <= 300
    assert text.startswith(kept + "\n")  # cut at the end of a line
    assert note == f"{len(text) - len(kept) - 1} characters, {100 - lines} lines more; give start]"


def test_one_long_line_is_cut_inside() -> None:
    capped = cap("x" * 1000, 200)
    assert capped.startswith("x" * 100)
    assert capped.endswith("1 lines more]")
    assert len(capped) <= 200


@given(st.text(max_size=400), st.integers(80, 200))
def test_cap_keeps_its_limit_and_the_beginning(text: str, limit: int) -> None:
    capped = cap(text, limit, "a hint")
    assert len(capped) <= limit
    if len(text) > limit:
        kept, _, note = capped.rpartition("\n[cut here: ")
        assert text.startswith(kept)
        assert int(note.split()[0]) in (len(text) - len(kept), len(text) - len(kept) - 1)


def test_plain_is_what_json_gives_back() -> None:
    @dataclass(frozen=True, slots=True)
    class Inner:
        pair: tuple[int, ...]

    @dataclass(frozen=True, slots=True)
    class Outer:
        inner: tuple[Inner, ...]
        table: dict[str, Inner]
        name: str | None = None

    value = plain(Outer((Inner((1, 2)),), {"k": Inner(())}))
    assert value == {"inner": [{"pair": [1, 2]}], "table": {"k": {"pair": []}}, "name": None}
    assert json.loads(json.dumps(value)) == value


def test_lines_are_numbered_from_start() -> None:
    assert numbered(["a", "", "b"], 9) == "     9\ta\n    10\t\n    11\tb"


def test_shorten_makes_one_line() -> None:
    assert shorten("a\n  b\tc", 10) == "a b c"
    assert shorten("abcdef", 4) == "abc…"
