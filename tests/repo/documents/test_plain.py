"""Plain text."""

from textwrap import dedent

from ml_agent.repo.documents.plain import read_plain
from tests.repo.documents.reading import found_at, read

TEXT = dedent(
    """\
    Nets
    ====
    A fast net.

    Usage
    -----
    1. Install it
        on your machine

    2. Train:
        python train.py \\
            --lr 0.1

        python eval.py

    Then
      $ python show.py \\
          --k 3
      $ python more.py
    all done.

    ```sh
    make
    ```
    ----------
    """
)


def test_sections() -> None:
    document = read(read_plain, TEXT)
    assert [(s.line, s.headings) for s in document.sections] == [(1, ("Nets",)), (5, ("Nets", "Usage"))]
    assert document.sections[0].text == "A fast net."


def test_blocks() -> None:
    document = read(read_plain, TEXT)
    assert [(b.language, b.line, b.intro, b.code) for b in document.blocks] == [
        ("", 11, "2. Train:", "python train.py \\\n    --lr 0.1\n\npython eval.py"),
        ("console", 17, "Then", "$ python show.py \\\n    --k 3\n$ python more.py"),
        ("bash", 23, "all done.", "make"),
    ]
    assert all(found_at(TEXT, block) for block in document.blocks)
