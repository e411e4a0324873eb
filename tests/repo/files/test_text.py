"""Bytes into text: every file gets a text, and the right one."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.repo.files.text import decode


@pytest.mark.parametrize(
    ("data", "encoding", "bom"),
    [
        ("naïve".encode(), "utf-8", False),
        (codecs.BOM_UTF8 + "naïve".encode(), "utf-8-sig", True),
        ("naïve".encode("utf-16"), "utf-16", True),
        (codecs.BOM_UTF16_BE + "naïve".encode("utf-16-be"), "utf-16", True),
        ("naïve".encode("utf-32"), "utf-32", True),
    ],
)
def test_unicode_with_and_without_a_mark(data: bytes, encoding: str, bom: bool) -> None:
    text = decode(data)
    assert (text.text, text.encoding, text.bom, text.binary) == ("naïve", encoding, bom, False)
    assert data.decode(text.encoding) == text.text


def test_python_coding_comment() -> None:
    data = "#!/usr/bin/python\n# -*- coding: cp1251 -*-\ns = 'привет'\n".encode("cp1251")
    assert decode(data, python=True).encoding == "cp1251"
    assert "привет" in decode(data, python=True).text


@pytest.mark.parametrize("codec", [b"rot13", b"hex", b"zlib", b"unicode_escape", b"idna", b"no-such-codec", b"undefined", b"utf\xff"])
def test_a_coding_comment_that_names_no_encoding_of_files_is_passed_over(codec: bytes) -> None:
    data = b"# coding: " + codec + b"\nx = 'abc\\n'\n"
    assert "x = 'abc\\n'" in decode(data, python=True).text


def test_coding_comment_counts_in_python_only_and_in_the_first_two_lines_only() -> None:
    data = "x = 'é'\n# coding: latin-1\n".encode()
    assert decode(data, python=True).encoding == "utf-8"
    assert decode("# coding: latin-1\né".encode()).encoding == "utf-8"


def test_legacy_encoding_is_guessed() -> None:
    words = "Это описание нейронной сети, которую можно обучить на своих данных.\n" * 20
    assert decode(words.encode("cp1251")).text == words
    chinese = "本项目用于训练图神经网络,请先安装依赖,然后运行训练脚本。\n" * 20
    assert decode(chinese.encode("gbk")).text == chinese


def test_binary_is_told_by_a_nul_in_its_beginning() -> None:
    assert decode(b"\x89PNG\r\n\x00\x00").binary
    assert decode(b"\x89PNG\r\n\x00\x00").text == ""
    late = decode(b"a" * 8192 + b"\0")
    assert not late.binary


def test_cut_within_a_character() -> None:
    data = "aé".encode()
    text = decode(data[:2], cut=1)
    assert (text.text, text.encoding, text.cut) == ("a", "utf-8", 1)


@pytest.mark.parametrize(
    ("raw", "newline", "lines"),
    [
        ("a\nb\n", "\n", ("a", "b")),
        ("a\r\nb\r\nc\n", "\r\n", ("a", "b", "c")),
        ("a\rb", "\r", ("a", "b")),
        ("a", "\n", ("a",)),
        ("", "\n", ()),
        ("a\x0cb\u2028c\x85d\n", "\n", ("a\x0cb\u2028c\x85d",)),
    ],
)
def test_line_endings(raw: str, newline: str, lines: tuple[str, ...]) -> None:
    text = decode(raw.encode())
    assert (text.raw, text.newline, text.lines) == (raw, newline, lines)
    assert "\r" not in text.text


@given(
    st.binary(max_size=300),
    st.booleans(),
    st.sampled_from([b"", b"# coding: utf-7\n", b"# coding: utf-16\n", b"\xff\xfe", b"\xef\xbb\xbf"]),
)
def test_any_bytes_are_decoded(data: bytes, python: bool, start: bytes) -> None:
    text = decode(start + data, python=python)
    assert text.binary or text.encoding
    text.text.encode("utf-8", "surrogatepass")
