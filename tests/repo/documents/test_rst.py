"""reStructuredText, Sphinx's own directives and roles among it."""

from pathlib import Path
from textwrap import dedent

from ml_agent.repo.documents.rst import read_rst
from tests.repo.documents.reading import found_at, only, prose, read

LARGE = dedent(
    """\
    .. _top:

    =====
    Guide
    =====

    A :func:`~nets.fit` and :doc:`page <other/page>` with ``code``, *it*, **bold**,
    a `link <https://x>`_ and `ref`_.

    .. a comment
       python hidden.py

    .. image:: a.png
       :width: 3

    Train
    -----

    Run::

        python train.py \\
            --lr 0.1

    then

    .. code-block:: bash
       :linenos:

       python eval.py

       python show.py
    .. note:: Take care.

       Also:

       .. code:: python3

          import nets

    * an item::

        python item.py

      more of the item
    * another:

      .. prompt:: bash $

         python other.py

    Deep
    ~~~~

    >>> import nets
    >>> nets.fit()

    .. highlight:: console

    ::

        $ ls

    ====  =====
    flag  value
    ====  =====
    lr    0.1
    ====  =====
    """
)


def test_sections() -> None:
    document = read(read_rst, LARGE)
    assert [(s.line, s.headings) for s in document.sections] == [
        (4, ("Guide",)),
        (16, ("Guide", "Train")),
        (51, ("Guide", "Train", "Deep")),
    ]
    assert document.sections[0].text == "A nets.fit and page with code, it, bold,\na link and ref."
    assert "Take care." in document.sections[1].text
    assert "lr    0.1" in document.sections[2].text
    assert "hidden" not in prose(document)


def test_blocks() -> None:
    document = read(read_rst, LARGE)
    assert [(b.language, b.line, b.intro, b.code) for b in document.blocks] == [
        ("", 21, "Run:", "python train.py \\\n    --lr 0.1"),
        ("bash", 29, "then", "python eval.py\n\npython show.py"),
        ("python", 38, "Also:", "import nets"),
        ("", 42, "an item:", "python item.py"),
        ("bash", 49, "another:", "python other.py"),
        ("pycon", 54, "", ">>> import nets\n>>> nets.fit()"),
        ("console", 61, "", "$ ls"),
    ]
    assert all(found_at(LARGE, block) for block in document.blocks)


def test_no_other_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password")
    text = f"A\n\n.. include:: {secret}\n\n.. literalinclude:: {secret}\n\n"
    text += f".. raw:: html\n   :file: {secret}\n\n.. csv-table::\n   :file: {secret}\n"
    document = read(read_rst, text)
    assert "password" not in prose(document)
    assert document.blocks == ()


def test_what_is_no_title() -> None:
    text = "a\n\n----\n\nb\n\n+---+\n| c |\n+---+\n\n  d\n  ---\n"
    assert [s.headings for s in read(read_rst, text).sections] == [()]


def test_chinese_titles_have_short_underlines() -> None:
    assert read(read_rst, "训练图神经网络\n====\n\n运行::\n\n  python train.py\n").sections[0].headings == ("训练图神经网络",)


def test_a_paragraph_that_ends_in_double_colons_at_the_end() -> None:
    assert read(read_rst, "Run::").blocks == ()
    assert only(read(read_rst, "Run ::\n\n  a")).intro == "Run"
