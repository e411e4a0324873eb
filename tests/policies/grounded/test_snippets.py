"""The best of the documented snippets, and further answers."""

import pytest

from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.snippets import RankedSnippet, rank_snippets
from ml_agent.repo.documents import CodeBlock
from tests.policies.grounded.support import block

FAMILIES = [frozenset({"tiny-unet", "tiny-fpn"})]


def ranked(text: str, *blocks: CodeBlock, own: frozenset[str] = frozenset({"birds"})) -> list[RankedSnippet]:
    snippets = read_snippets(blocks)
    return rank_snippets(snippets, {}, own, FAMILIES, read_request(text))


def test_the_named_snippet_wins() -> None:
    blocks = [
        block("import birds\nbirds.Robin()", line=1, headings=("Robin",)),
        block("import birds\nbirds.GreyHeron()", line=5, headings=("Grey Heron",)),
        block("import other\nother.GreyHeron()", line=9, headings=("x",)),
    ]
    assert ranked("make a grey heron", *blocks)[0].snippet.block.line == 5
    assert ranked("use GreyHeron", *blocks[::-1])[0].snippet.block.line == 5


def test_a_name_that_is_imported_names_the_snippet() -> None:
    blocks = [block(f"from birds import {name}\n{name}()", line=n) for n, name in enumerate(("Robin", "GreyHeron", "Wren"), 1)]
    assert ranked("use a GreyHeron", *blocks)[0].snippet.block.line == 2


def test_uses_of_the_repository_win() -> None:
    blocks = [block("import other\nother.sing()", line=1), block("import birds\nbirds.sing()", line=5), block("sing(undefined)", line=9)]
    assert [r.snippet.block.line for r in ranked("sing", *blocks)] == [5, 1, 9]


def test_scores_are_the_sum_of_what_they_rest_on() -> None:
    for r in ranked("sing 3 songs", block("import birds\nbirds.sing(2)"), block("x = 1", line=5)):
        assert r.score == pytest.approx(sum(r.features.values()))


def test_nothing_to_rank() -> None:
    assert ranked("sing") == []


def test_a_long_notebook_stands_behind_a_short_example() -> None:
    long = block("from birds import Tagger\n" + "".join(f"t{n} = Tagger('a')\n" for n in range(200)), line=40)
    short = block("from birds import Tagger\ntagger = Tagger('a')\n", line=90)
    found = ranked("build a Tagger", long, short)
    assert found[0].snippet.block.line == 90
    assert found[1].features["long"] < -0.5
    assert not found[0].features["long"]


def test_a_snippet_that_repeats_a_better_one_comes_behind_another() -> None:
    first = block("from birds import Tagger\nt = Tagger()", line=1)
    more = block("print(t.tag('owl.wav'))", line=5, headings=("Tags",))
    other = block("import birds\nbirds.tag('owl.wav')", path="other.md", line=1)
    found = ranked("tag 'owl.wav'", first, more, other)
    assert [r.features.get("repeated", 0.0) < 0 for r in found].count(True) == 1
    assert found[-1].features["repeated"] < 0


def test_the_source_of_a_program_stands_behind_what_uses_it() -> None:
    source = (
        "import argparse\nimport owls\np = argparse.ArgumentParser()\np.add_argument('--nest', default='oak')\nowls.watch(p.parse_args())"
    )
    use = "import owls\nowls.watch(nest='oak')"
    found = ranked("watch the owls", block(source, line=1), block(use, line=9), own=frozenset({"owls"}))
    assert [r.snippet.block.line for r in found] == [9, 1]


def test_a_class_that_documents_import_is_no_text() -> None:
    load = block("from birds import load\nload('owl')\n", line=1, headings=("Load",))
    nest = block("from birds import NestBox\nNestBox(3)\n", line=9, headings=("Nest",))
    assert ranked("load with a NestBox", load, nest)[0].answer.code.splitlines()[-1] in ("load('owl')", "NestBox(3)")
    assert not any("'NestBox'" in r.answer.code for r in ranked("load with a NestBox", load, nest))
    named = block("from birds import load\nload('nest_box')\n", line=20, headings=("Load by name",))
    assert any("load('nest_box')" in r.answer.code for r in ranked("load with a NestBox", load, nest, named))


def test_a_notebook_is_no_front_page() -> None:
    code = "from birds import Tagger\nTagger().tag('crow.wav')\n"
    pages = {
        path: ranked("tag owl.wav", CodeBlock("python", code, path, 3))[0].score for path in ("README.md", "tour.ipynb", "docs/use.md")
    }
    assert pages["README.md"] > pages["tour.ipynb"] == pages["docs/use.md"]
