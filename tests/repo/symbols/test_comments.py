import pytest

from ml_agent.repo.symbols.comments import comment_above, docstring, first_paragraph
from ml_agent.repo.symbols.languages import LANGUAGES
from tests.pace import within


@pytest.mark.parametrize(
    ("path", "text", "doc"),
    [
        ("python", "# one\n# two\n@deco\nX", "one two"),
        ("python", "# one\n#\n# later\nX", "one"),
        ("python", "# ------\n# one\n# ------\nX", "one"),
        ("python", "# far\n\nX", ""),
        ("python", "y = 1  # of y\nX", ""),
        ("python", "#!/usr/bin/python\nX", ""),
        ("cpp", "/* one */\nX", "one"),
        ("cpp", "/** one\n * two\n */\ntemplate <T>\nX", "one two"),
        ("rust", "/// one\n#[derive(A)]\nX", "one"),
        ("julia", '"""\none\n"""\nX', "one"),
        ("cpp", "*/\nX", ""),
    ],
)
def test_comment_above(path: str, text: str, doc: str) -> None:
    lines = text.split("\n")
    assert comment_above(lines, len(lines) - 1, LANGUAGES[path].comments) == doc


def test_long_lines_do_not_matter() -> None:
    with within(1):
        comment_above(["# " + " \t" * 500_000 + "*"] * 30 + ["X"], 30, LANGUAGES["python"].comments)


def test_docstrings() -> None:
    assert docstring('r"""One\n  two.\n\n  Three."""') == "One two."
    assert docstring("'short' + x") == "short"
    assert docstring('"""cut off') == "cut off"
    assert len(first_paragraph("word " * 100)) == 300
