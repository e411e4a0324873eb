import codecs
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ml_agent.errors import ToolError
from ml_agent.tools.replace import replace
from tests.pace import within

MARKS = {
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
}
ENDS = ("\n", "\r\n", "\r")
line = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=12)


Edit = tuple[bytes, str, str, str, str, str]


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """A file as bytes, in three parts, and a replacement for the middle one."""
    codec = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]))
    mark, codec = MARKS.get(codec, (b"", codec))
    ends = st.sampled_from(draw(st.sampled_from([("\n",), ("\r\n",), ("\r",), ENDS])))
    part = st.lists(st.tuples(line, ends), max_size=4).map(lambda pairs: "".join(a + b for a, b in pairs))
    before, after = draw(part), draw(part) + draw(line)
    old = draw(part) + draw(line)
    new = "\n".join(draw(st.lists(line, max_size=4)))
    return mark, codec, before, old, after, new


@settings(max_examples=300, deadline=None)
@given(edits())
def test_everything_outside_is_the_same_to_the_byte(edit: Edit) -> None:
    mark, codec, before, old, after, new = edit
    raw = before + old + after
    # A CR LF that two parts make together is one line end: there `old` ends in the middle of it.
    assume(not (before + old).endswith("\r") or not after.startswith("\n"))
    assume(not before.endswith("\r") or not old.startswith("\n"))
    given_old, plain = unified(old), unified(raw)
    assume(old and given_old != new and not raw.startswith("\ufeff"))
    first = plain.find(given_old)
    assume(plain.find(given_old, first + 1) < 0)
    data = mark + raw.encode(codec)
    changed, lines = replace(data, given_old, new)
    head, tail = mark + before.encode(codec), after.encode(codec)
    assert changed.startswith(head)
    assert changed.endswith(tail)
    middle = changed[len(head) : len(changed) - len(tail)].decode(codec)
    assert lines == [plain[:first].count("\n") + 1]
    if after or not new:
        assert unified(middle) == new
    else:  # at the end of the file the final newline, or that there is none, is kept
        wanted = new + "\n" if given_old.endswith("\n") and not new.endswith("\n") else new
        assert unified(middle) == (wanted if given_old.endswith("\n") else wanted.removesuffix("\n"))
    there = ends_of(old)[:1] or ends_of(raw) or ["\n"]
    assert set(ends_of(middle)) <= set(there)


def unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def ends_of(text: str) -> list[str]:
    return re.findall("\r\n|\r|\n", text)


def test_line_endings_of_a_windows_file_stay() -> None:
    changed, lines = replace(b"a = 1\r\nb = 2\r\nc = 3\r\n", "a = 1\nb = 2\n", "a = 1\nx = 0\nb = 3\n")
    assert changed == b"a = 1\r\nx = 0\r\nb = 3\r\nc = 3\r\n"
    assert lines == [1]


def test_mixed_line_endings_stay_where_they_are() -> None:
    changed, _ = replace(b"a\nb\r\nc\nd\n", "c\nd", "C\nD")
    assert changed == b"a\nb\r\nC\nD\n"


def test_one_line_end_is_not_taken_for_two() -> None:
    with pytest.raises(ToolError, match="not in the file"):
        replace(b"x\r\ny\r\n", "x\n\ny", "z")


@pytest.mark.parametrize(
    ("data", "old", "new", "result"),
    [
        (b"a\nb\n", "b\n", "c", b"a\nc\n"),
        (b"a\nb", "b", "c\n", b"a\nc"),
        (b"a\nb\n", "b", "c\n", b"a\nc\n\n"),  # not at the end: done as asked
        (b"a\nb\n", "b\n", "", b"a\n"),
        (b"a\r\nb\r\n", "b\n", "c", b"a\r\nc\r\n"),
        (b"a", "a", "", b""),
    ],
)
def test_the_final_newline_is_kept(data: bytes, old: str, new: str, result: bytes) -> None:
    assert replace(data, old, new)[0] == result


def test_the_byte_order_mark_stays_and_is_no_part_of_the_text() -> None:
    assert replace(codecs.BOM_UTF8 + b"abc", "abc", "d")[0] == codecs.BOM_UTF8 + b"d"


@pytest.mark.parametrize(
    ("codec", "text"), [("latin-1", "# größe\n"), ("cp1252", "# “größe” – naïve\n"), ("shift_jis", "# 設定を読み込む関数です\n" * 3)]
)
def test_another_encoding_stays(codec: str, text: str) -> None:
    data = f"# -*- coding: {codec} -*-\n{text}x = 1\n".encode(codec)
    assert replace(data, "x = 1", "x = 2", python=True)[0] == data.replace(b"x = 1", b"x = 2")


def test_bytes_that_are_no_utf8_stay() -> None:
    data = b"# \xff\xfe\x80 caf\xe9\nx = 1\n"
    assert replace(data, "x = 1", "x = 2")[0] == data.replace(b"= 1", b"= 2")


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(ToolError, match=r"(iso8859-1|latin).*lacks"):
        replace("# -*- coding: latin-1 -*-\n# é\nx\n".encode("latin-1"), "x", "→", python=True)
    with pytest.raises(ToolError, match="lacks"):
        replace(b"x\n", "x", "\udcff")


def test_a_file_that_is_broken_after_its_mark_is_refused() -> None:
    with pytest.raises(ToolError, match="without changing other bytes"):
        replace(codecs.BOM_UTF8 + b"a\xffb x", "x", "y")


def test_several_places_are_named_or_all_replaced() -> None:
    data = b"a\nx\nb\nx x\n"
    with pytest.raises(ToolError, match=r"3 times, at lines 2, 4, 4"):
        replace(data, "x", "y")
    assert replace(data, "x", "y", every=True) == (b"a\ny\nb\ny y\n", [2, 4, 4])


def test_nearest_lines_are_shown_with_their_numbers() -> None:
    data = b"import os\n\ndef train(model, lr=0.1):\n    model.fit(lr)\n    return model\n"
    with pytest.raises(ToolError) as caught:
        replace(data, "def train(model, lr = 0.1):\n  model.fit(lr)", "")
    assert str(caught.value).endswith("did you mean these lines?\n     3\tdef train(model, lr=0.1):\n     4\t    model.fit(lr)")


def test_nothing_alike_says_so() -> None:
    with pytest.raises(ToolError, match="nothing in it is like that"):
        replace(b"import os\n", "zzzzqqqq", "")


@pytest.mark.parametrize(
    ("data", "old", "new", "words"), [(b"a", "", "b", "empty"), (b"a", "a", "a", "the same"), (b"\0\1", "a", "b", "not a text")]
)
def test_what_makes_no_sense_is_refused(data: bytes, old: str, new: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        replace(data, old, new)


def test_a_large_file_is_searched_in_little_time() -> None:
    data = b"".join(b"value_%d = compute(%d) + offset\n" % (n, n) for n in range(60_000))
    with within(10):
        with pytest.raises(ToolError, match="value_59990 = compute"):
            replace(data, "value_59990 = compute(59990)+ offset\nvalue_59991 = compute(59991)  + offset\n", "x")
        replace(data * 5, "compute", "c", every=True)
