"""Languages in one spelling, headings, intros, caps."""

import pytest

from ml_agent.repo.documents import builder as module
from ml_agent.repo.documents.builder import Builder, language_of


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("bash", "bash"),
        ("sh", "bash"),
        ("Shell", "bash"),
        ("shell script", "bash"),
        ("zsh", "bash"),
        ("console", "console"),
        ("shell-session", "console"),
        ("ShellSession", "console"),
        ("py", "python"),
        ("python3", "python"),
        ("Python", "python"),
        ("pycon", "pycon"),
        ("bash {.line-numbers}", "bash"),
        ("{.bash}", "bash"),
        ("{.python .numberLines}", "python"),
        ("{python}", "python"),
        ("{python, echo=FALSE}", "python"),
        ("{code-block} python", "python"),
        ("python:train.py", "python"),
        ('python title="train.py"', "python"),
        ("json,linenos", "json"),
        ("c++", "c++"),
        ("", ""),
        ("text", ""),
        ("  ", ""),
        ("{}", ""),
        ("1024 points", ""),
        ("$", ""),
        ("bashs", ""),
        ("PowerShell", "powershell"),
        ("Makefile", "makefile"),
        ("output", "output"),
    ],
)
def test_language(info: str, language: str) -> None:
    assert language_of(info) == language


def test_headings_nest_by_level() -> None:
    builder = Builder("doc")
    for level, title in ((1, "A"), (3, "B"), (2, "C"), (4, "D"), (1, "E")):
        builder.heading(level, title, level)
        builder.prose(title)
    assert [section.headings for section in builder.document().sections] == [("A",), ("A", "B"), ("A", "C"), ("A", "C", "D"), ("E",)]


def test_intro_is_the_paragraph_directly_above() -> None:
    builder = Builder("doc")
    builder.prose("far")
    builder.prose("near:")
    builder.code("bash", "a", 1)
    builder.code("bash", "b", 2)
    builder.prose("row | row", introduces=False)
    builder.code("bash", "c", 3)
    builder.prose("above the heading")
    builder.heading(1, "H", 4)
    builder.code("bash", "d", 5)
    assert [block.intro for block in builder.document().blocks] == ["near:", "", "", ""]


def test_a_long_intro_keeps_its_end() -> None:
    builder = Builder("doc")
    builder.prose("word " * 300 + "then run:")
    builder.code("", "x", 1)
    intro = builder.document().blocks[0].intro
    assert len(intro) <= 500
    assert intro.startswith("word ")
    assert intro.endswith("then run:")


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", ">>> import a\n1", "pycon"),
        ("", ">>> import a", "pycon"),
        ("bash", "$ python a.py\nout", "console"),
        ("", "  $ python a.py", "console"),
        ("bash", "$HOME/bin/x", "bash"),
        ("yaml", "$ a", "yaml"),
    ],
)
def test_a_session_is_told_by_its_prompt(language: str, code: str, expected: str) -> None:
    builder = Builder("doc")
    builder.code(language, code, 1)
    assert builder.document().blocks[0].language == expected


def test_blank_lines_around_code_are_taken_off_and_counted() -> None:
    builder = Builder("doc")
    builder.code("", "\n  \n  a\n    b\n\n", 10)
    builder.code("", " \n", 20)
    (block,) = builder.document().blocks
    assert (block.code, block.line) == ("  a\n    b", 12)


def test_caps_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BLOCKS", 3)
    monkeypatch.setattr(module, "MAX_SECTIONS", 2)
    builder = Builder("doc")
    for number in range(5):
        builder.heading(1, f"h{number}", number)
        builder.code("", "x", number)
    document = builder.document()
    assert (len(document.sections), len(document.blocks)) == (2, 2)
    assert document.note == "more than 2 sections: the rest was dropped; more than 3 code blocks: the rest was dropped"


def test_spaces_that_no_program_takes_for_one() -> None:
    builder = Builder("doc")
    builder.code("", "python a.py \\\n\u00a0 --b\u00a01", 1)
    (block,) = builder.document().blocks
    assert block.code == "python a.py \\\n  --b 1"
