"""Markdown as people write it on GitHub."""

from textwrap import dedent

import pytest

from ml_agent.repo.documents.markdown import read_markdown
from tests.repo.documents.reading import found_at, only, prose, read

LARGE = dedent(
    """\
    ---
    title: A model
    tags:
    - graphs
    ---

    Nets
    ====

    [![build](https://x/badge.svg)](https://ci) ![logo](logo.png)

    A [fast](https://x) net with `train.py`, **bold** and <b>tags</b>. <!-- hidden -->

    <!--
    ```bash
    python hidden.py
    ```
    -->

    ## Usage

    * First, install:
      ```sh
      pip install -e .

      make
      ```
    * then
      train:

          python train.py

    > Quoted:
    > ```python3
    > import nets
    > nets.fit()
    > ```

    1. deep
       - deeper:
         ~~~ {.bash}
         python eval.py \\
           --k 3
         ~~~

    ### Options ###

    | flag | meaning |
    |------|---------|
    | `--lr` | rate \\| step |

    ```console
    $ python a.py
    """
)


def test_sections_and_prose() -> None:
    document = read(read_markdown, LARGE)
    assert [(section.line, section.headings) for section in document.sections] == [
        (7, ("Nets",)),
        (20, ("Nets", "Usage")),
        (46, ("Nets", "Usage", "Options")),
    ]
    assert document.sections[0].text == "A fast net with train.py, bold and tags."
    assert document.sections[2].text == "flag | meaning\n\n--lr | rate | step"


def test_blocks_with_language_intro_and_line() -> None:
    document = read(read_markdown, LARGE)
    assert [(block.language, block.line, block.intro) for block in document.blocks] == [
        ("bash", 24, "First, install:"),
        ("", 31, "then\ntrain:"),
        ("python", 35, "Quoted:"),
        ("bash", 42, "deeper:"),
        ("console", 53, ""),
    ]
    assert [block.code for block in document.blocks] == [
        "pip install -e .\n\nmake",
        "python train.py",
        "import nets\nnets.fit()",
        "python eval.py \\\n  --k 3",
        "$ python a.py",
    ]
    assert all(found_at(LARGE, block) for block in document.blocks)
    assert document.blocks[0].headings == ("Nets", "Usage")


def test_a_badge_between_does_not_hide_the_intro() -> None:
    text = "Train it:\n\n![plot](a.png)\n\n```bash\npython train.py\n```\n"
    assert only(read(read_markdown, text)).intro == "Train it:"


def test_an_inline_fence_is_no_block() -> None:
    document = read(read_markdown, "Run ```bash train.sh``` or\n```python a.py```\n")
    assert document.blocks == ()
    assert prose(document) == "Run bash train.sh or\npython a.py"


@pytest.mark.parametrize("text", ["---\nno front matter\n", "---\n\nA\n\n---\n\nB\n", "---\nkey: value without an end\n"])
def test_a_rule_at_the_beginning_is_no_front_matter(text: str) -> None:
    assert len(prose(read(read_markdown, text))) > 0


def test_html_in_markdown() -> None:
    text = dedent(
        """\
        <h1 align="center">
          <img src="logo.png"> Nets &amp; more
        </h1>

        <details>
        <summary>How to train</summary>

        ```bash
        python train.py
        ```

        </details>

        <h2>Evaluate</h2>
        <p>Run this:</p>
        <pre lang="bash"><code>python eval.py --k &lt;k&gt;
        python show.py
        </code></pre>
        """
    )
    document = read(read_markdown, text)
    assert [(b.language, b.line, b.intro, b.headings) for b in document.blocks] == [
        ("bash", 9, "How to train", ("Nets & more",)),
        ("bash", 16, "Run this:", ("Nets & more", "Evaluate")),
    ]
    assert document.blocks[1].code == "python eval.py --k <k>\npython show.py"


def test_references_and_escapes_in_prose() -> None:
    text = "See [the paper][p] and \\*this\\*.<br>New &lt;line&gt;\n\n[p]: https://x\n"
    assert prose(read(read_markdown, text)) == "See the paper and *this*.\nNew <line>"


def test_the_same_block_twice_in_a_list_keeps_both_lines() -> None:
    text = "- a\n\n  ```\n  run\n  ```\n- b\n\n  ```\n  run\n  ```\n"
    assert [block.line for block in read(read_markdown, text).blocks] == [4, 9]


def test_a_fence_within_what_is_indented() -> None:
    """MkDocs: tabs and remarks."""
    text = (
        '# Top\n\n=== "One"\n\n    Train it:\n\n    ```bash\n    python one.py\n    ```\n\n=== "Two"\n\n    ```python\n    two()\n    ```\n'
    )
    first, second = read(read_markdown, text).blocks
    assert (first.language, first.code, first.line, first.intro, first.headings) == ("bash", "python one.py", 8, "Train it:", ("Top",))
    assert (second.language, second.code, second.line) == ("python", "two()", 14)


def test_indented_without_end() -> None:
    assert read(read_markdown, "\n\n".join(" " * 4 * depth + "x\n\n" + " " * 4 * (depth + 1) + "```" for depth in range(200))).blocks
