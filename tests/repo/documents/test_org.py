"""Org mode."""

from textwrap import dedent

from ml_agent.repo.documents.org import read_org
from tests.repo.documents.reading import found_at, prose, read

TEXT = dedent(
    """\
    #+TITLE: Nets
    #+OPTIONS: toc:nil
    A [[https://x][fast]] net, =train.py= and ~eval.py~. [[./a.png]]
    # a comment

    * TODO Usage :tag:other:
    :PROPERTIES:
    :ID: x
    :END:
    Train it:
    #+NAME: train
    #+begin_src sh :results output
      python train.py \\
        --lr 0.1
    #+end_src
    ** Evaluate
    - [ ] first
      - run:
        #+BEGIN_EXAMPLE
        $ python eval.py
        #+END_EXAMPLE
    : python show.py
    : python more.py
    #+begin_src python
    import nets
    """
)


def test_sections() -> None:
    document = read(read_org, TEXT)
    assert [(s.line, s.headings) for s in document.sections] == [
        (1, ("Nets",)),
        (6, ("Nets", "Usage")),
        (16, ("Nets", "Usage", "Evaluate")),
    ]
    assert document.sections[0].text == "A fast net, train.py and eval.py."
    assert "comment" not in prose(document)
    assert "ID" not in prose(document)


def test_blocks() -> None:
    document = read(read_org, TEXT)
    assert [(b.language, b.line, b.intro, b.code) for b in document.blocks] == [
        ("bash", 13, "Train it:", "python train.py \\\n  --lr 0.1"),
        ("console", 20, "run:", "$ python eval.py"),
        ("", 22, "", "python show.py\npython more.py"),
        ("python", 25, "", "import nets"),
    ]
    assert all(found_at(TEXT, block) for block in document.blocks)
