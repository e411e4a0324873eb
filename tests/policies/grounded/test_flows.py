import ast

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.flows import Snippet, read_snippets
from tests.policies.grounded.support import block


def snippet(code: str) -> Snippet:
    (made,) = read_snippets([block(code)])
    return made


def test_blocks_that_are_python() -> None:
    blocks = [
        block("import birds\n", line=1),
        block(">>> import birds\n>>> birds.sing(\n...     2)\n3\n", language="pycon", line=5),
        block(">>> x = birds()\nout\n", language="", line=9),
        block("!pip install birds\n%matplotlib inline\nimport birds\n", line=12),
        block("import birds", language="bash", line=15),
        block("x = (", line=18),
        block("some words", language="", line=21),
        block("just_a_name", language="", line=24),
        block("play(1)", language="", line=27),
        block("", line=30),
        block("x = '\0'", line=33),
        block("# only words", line=36),
    ]
    assert [s.block.line for s in read_snippets(blocks)] == [1, 5, 9, 12, 27]
    assert read_snippets(blocks[1:2])[0].code.split() == "import birds birds.sing( 2)".split()
    assert "pip" not in read_snippets(blocks[3:4])[0].code


def test_blocks_that_continue_each_other_are_put_together() -> None:
    blocks = [
        block("from birds import Tagger\nimport os", line=1),
        block("unrelated = 1", line=5),
        block("tagger = Tagger()", line=9),
        block("tagger.tag('a.wav')", line=13),
    ]
    for given in (blocks, blocks[::-1]):
        last = max(read_snippets(given), key=lambda s: s.block.line)
        assert last.code == "from birds import Tagger\nimport os\ntagger = Tagger()\ntagger.tag('a.wav')"
        assert not last.undefined
        assert "birds.Tagger" in last.imported


def test_of_a_block_that_only_imports_what_another_uses_the_imports_are_put_in_front() -> None:
    blocks = [block("import birds\nowl = birds.Owl('barn')\nowl.sing()", line=1), block("hen = birds.Hen()", line=5)]
    first, last = sorted(read_snippets(blocks), key=lambda s: s.block.line)
    assert first.code == blocks[0].code
    assert last.code == "import birds\nhen = birds.Hen()"
    assert last.blocks == (blocks[1],)


def test_blocks_of_other_documents_are_not_put_in_front() -> None:
    found = read_snippets([block("tagger = 1", path="a.md"), block("print(tagger)", path="b.md", line=9)])
    assert [s.code for s in found] == ["tagger = 1", "print(tagger)"]
    assert [s.undefined for s in found] == [(), ("tagger",)]


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(3):\n    print(i)",
        "def f(x, *a, **k):\n    return x, a, k",
        "[y for y in range(2)]",
        "class A: pass\nA()",
        "import a.b as c\nc.d",
        "with open('x') as f: print(f)",
        "lambda q: q",
    ],
)
def test_what_a_snippet_defines_itself_is_not_missing(code: str) -> None:
    assert not snippet(code).undefined


def test_blocks_that_go_on_from_one_are_put_behind_it() -> None:
    blocks = [
        block("import birds\ntagger = birds.Tagger()", line=1, headings=("Tags",)),
        block("tags = tagger.tag()", line=5, headings=("Tags",)),
        block("print(tags)", line=9, headings=("Tags",)),
        block("print(tagger)", line=13, headings=("Other",)),
    ]
    first = min(read_snippets(blocks), key=lambda s: s.block.line)
    assert first.code == "import birds\ntagger = birds.Tagger()\ntags = tagger.tag()\nprint(tags)"
    assert [b.line for b in first.blocks] == [1, 5, 9]


def test_another_variant_is_not_put_behind() -> None:
    blocks = [block("import birds\ntagger = birds.Small()", line=1), block("import birds\ntagger = birds.Large()", line=5)]
    assert [s.code for s in read_snippets(blocks)] == [b.code for b in blocks]
    blocks = [block("import birds\nsong = 1\ntagger = birds.Small()", line=1), block("tagger = birds.Large(song)", line=5)]
    assert read_snippets(blocks)[0].code == blocks[0].code


def test_the_same_code_is_given_once() -> None:
    assert len(read_snippets([block("import birds", path="a.md"), block("import birds", path="b.md")])) == 1


def test_what_only_a_notebook_can_do_is_left_out() -> None:
    made = snippet("import birds\ndisplay(\n  birds.plot())\nbirds.sing()")
    assert made.code.split() == ["import", "birds", "birds.sing()"]
    assert not made.undefined
    assert read_snippets([block("display(1)")]) == []


def test_line_ends_are_made_one() -> None:
    assert snippet("import birds\r\nbirds.sing()\r\n").code == "import birds\nbirds.sing()\n"


def test_nothing_and_too_much() -> None:
    assert read_snippets([]) == []
    assert read_snippets([block("x = 1\n" * 10_000)]) == []
    assert read_snippets([block("(" * 15_000)]) == []


_LINES = st.sampled_from(
    [
        "a = b",
        "b = 1",
        "print(a)",
        "def f(x):",
        "    return a",
        "import a",
        ">>> c = a",
        "!ls",
        "%x",
        "display(a)",
        "",
        "é = '\u2028'",
        "\x0c",
        "(",
    ]
)


@given_by(st.lists(st.lists(_LINES, max_size=4).map("\n".join), max_size=6) | st.lists(st.text(max_size=40), max_size=3))
@settings(max_examples=150, deadline=None)
def test_every_snippet_is_python(codes: list[str]) -> None:
    blocks = [block(code, line=10 * n) for n, code in enumerate(codes, 1)]
    for made in read_snippets(blocks):
        assert made.code.strip()
        assert made.block in made.blocks
        ast.parse(made.code)


def test_an_import_on_condition_is_taken_with_its_block() -> None:
    made = read_snippets([block("try:\n    import owl\nexcept ImportError:\n    owl = None\n"), block("owl.run(2)", line=9)])
    assert [s.undefined for s in made if "owl.run" in s.code] == [()]
