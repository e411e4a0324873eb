"""HTML that stands in documents."""

from functools import partial
from textwrap import dedent

from ml_agent.repo.documents.htmltext import read_html
from tests.repo.documents.reading import only, prose, read

read_page = partial(read, lambda builder, text: read_html(builder, text, 11))


def test_comments_scripts_and_pictures_are_dropped() -> None:
    text = "<p>a<!-- b > <pre>no</pre> --><script>if (a<b) {}</script><img alt='no'> c</p><style>x</style><!-- open <pre>x</pre>"
    document = read_page(text)
    assert prose(document) == "a c"
    assert document.blocks == ()


def test_where_code_begins() -> None:
    text = dedent(
        """\
        <div class="highlight highlight-source-shell">
        <pre
          class="x">

        <b>python</b> a.py
        </pre></div>
        <pre><code class="language-python">import a</code></pre>
        <pre>open
        end"""
    )
    assert [(b.language, b.line, b.code) for b in read_page(text).blocks] == [
        ("bash", 15, "python a.py"),
        ("python", 17, "import a"),
        ("", 18, "open\nend"),
    ]


def test_a_fence_inside_html_is_code() -> None:
    block = only(read_page("<details>\n<summary>x</summary>\n```bash\npython a.py\n```\n</details>"))
    assert (block.language, block.code, block.line, block.intro) == ("bash", "python a.py", 14, "x")


def test_headings_and_tables() -> None:
    document = read_page("<p>intro</p>\n<h3>A\n <i>b</i></h3><table><tr><td>1</td><td>2</td></tr></table>")
    assert [(s.line, s.headings, s.text) for s in document.sections] == [(1, (), "intro"), (12, ("A b",), "1 | 2")]
