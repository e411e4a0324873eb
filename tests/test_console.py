import io
import shlex
import subprocess
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from ml_agent.console import Screen, continued, safe, status, tolerant, written, written_if_possible
from ml_agent.errors import InfrastructureError


class Stream(io.TextIOWrapper):
    """A file of one encoding, in memory."""

    def __init__(self, encoding: str = "utf-8", errors: str = "strict") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors=errors, newline="\n")

    def written(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


def terminal(width: int = 60) -> tuple[Stream, Screen]:
    stream = Stream()
    return stream, Screen(stream, rich=Console(file=stream, force_terminal=True, width=width, highlight=False, markup=False, emoji=False))


def test_what_a_terminal_obeys_is_written_out() -> None:
    assert safe("a\x1b[31mb\x07\x9bc\u202ed\u2028e\udcfff\nz\t") == "a\\x1b[31mb\\x07\\x9bc\\u202ed\\u2028e\\udcfff\\nz\t"
    assert safe("two\nlines\r", lines=True) == "two\nlines\\r"
    assert safe("日本語 🧑\u200d🔬 [/bold]") == "日本語 🧑\u200d🔬 [/bold]"


@given(st.text())
def test_safe_text_is_one_line_of_what_is_harmless(text: str) -> None:
    out = safe(text)
    assert out.splitlines() in ([], [out])
    assert {unicodedata.category(c) for c in out if c not in "\t\u200c\u200d"}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert safe(out) == out


def test_piped_output_is_plain() -> None:
    stream = Stream()
    screen = Screen(stream)
    screen.line(("label  ", "dim"), ("[/bold][link=x]", "red"), ("  ", ""))
    screen.code("python train.py " + "--option value " * 40, "bash")
    screen.block("one\ntwo", "dim")
    lines = stream.written().split("\n")
    assert lines[0] == "label  [/bold][link=x]"
    assert lines[1] == "python train.py " + "--option value " * 40
    assert lines[2:] == ["    one", "    two", ""]
    assert screen.width is None


def test_foreign_text_is_no_markup_on_a_terminal() -> None:
    stream, screen = terminal()
    screen.line(("[/bold] [link=x] :smile: [red]r", "bold"))
    screen.code("python '[/bold]' :smile:", "bash")
    screen.block("[/dim]")
    text = stream.written()
    for expected in ("[/bold] [link=x] :smile: [red]r", "[/bold]", "[/dim]"):
        assert expected in text
    assert "\x1b[1m" in text
    assert "\x1b]8" not in text


def test_code_on_a_terminal_can_be_copied() -> None:
    stream, screen = terminal(width=40)
    command = "cd examples/x && python train.py --learning-rate 0.01 --epochs 30 --dataset 'two words' --seed 3"
    screen.code(command, "bash")
    plain = "".join(part.partition("m")[2] if number else part for number, part in enumerate(stream.written().split("\x1b[")))
    lines = plain.rstrip("\n").split("\n")
    assert len(lines) > 1
    assert all(line.endswith(" \\") and len(line) <= 40 for line in lines[:-1])
    assert words_of(plain) == words_of(command)


def words_of(command: str) -> list[str]:
    """As bash splits it; `cd` and `&&` are taken for words."""
    script = command.replace("&&", "'&&'")
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {script}"], capture_output=True, text=True, check=True)
    return done.stdout.split("\0")[:-1]


word = st.text(st.sampled_from("ab1-=/. '\"\\$\n#&é"), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(word, min_size=1, max_size=12), st.integers(10, 40))
def test_a_continued_command_means_the_same(words: list[str], width: int) -> None:
    command = shlex.join(words)
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {continued(command, width)}"], capture_output=True, text=True, check=True)
    assert done.stdout.split("\0")[:-1] == words


@pytest.mark.parametrize(
    "command", ["cat <<EOF\nlong " + "x " * 50 + "\nEOF", "echo $(ls " + "x " * 50 + ")", "true # " + "x " * 50, "echo 'open " + "x " * 50]
)
def test_what_is_not_one_simple_line_is_not_broken(command: str) -> None:
    assert continued(command, 40) == command


def test_an_option_stays_with_its_value() -> None:
    assert continued("python train.py --alpha 1 --beta 2", 20) == "python train.py \\\n    --alpha 1 \\\n    --beta 2"


def test_signs_that_an_encoding_lacks() -> None:
    assert (Screen(Stream("cp1252")).arrow, Screen(Stream("cp1252")).dot) == ("<-", "·")
    assert (Screen(Stream("ascii")).arrow, Screen(Stream("ascii")).dot) == ("<-", "-")
    assert Screen(Stream()).arrow == "←"
    stream = Stream("cp1252")
    tolerant(stream, io.StringIO())
    Screen(stream).line(("日本 ← \udcff", ""))
    assert stream.written() == "\\u65e5\\u672c \\u2190 \\udcff\n"


def test_no_status_where_there_is_no_terminal() -> None:
    stream = Stream()
    with status(stream) as line:
        line.update("reading")
    assert stream.written() == ""


def test_the_status_line_takes_no_markup_and_goes_away() -> None:
    class Terminal(Stream):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    with status(stream) as line:
        line.update("[/bold] reading\n\x1b[2J")
    text = stream.written()
    assert "[/bold] reading\\n\\x1b[2J" in text
    assert "\x1b[2J" not in text
    assert text.endswith(("\x1b[2K", "\x1b[?25h", "\r\x1b[1A\x1b[2K"))


def test_what_is_written_has_left() -> None:
    class Full(Stream):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    stream = Stream()
    with written(stream):
        print("x", file=stream)
    assert isinstance(stream.buffer, io.BytesIO)
    assert stream.buffer.getvalue() == b"x\n"
    with pytest.raises(InfrastructureError, match="cannot write the output: No space left on device"), written(Full()):
        pass
    with written_if_possible(Full()):
        pass
    with pytest.raises(KeyError), written(stream):
        raise KeyError
