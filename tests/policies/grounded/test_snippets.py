import ast

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import Snippet, read_snippets
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.snippets import RankedSnippet, adapt, rank_snippets
from ml_agent.repo.documents import CodeBlock
from tests.policies.grounded.support import block, justified

FAMILIES = [frozenset({"tiny-unet", "tiny-fpn"})]


def snippet(code: str) -> Snippet:
    (made,) = read_snippets([block(code)])
    return made


def adapted(code: str, text: str) -> str:
    request = read_request(text)
    answer = adapt(snippet(code), request, Surroundings(request), frozenset(), FAMILIES).answer
    justified(answer, text)
    compile(answer.code, "answer", "exec")
    return answer.code


def ranked(text: str, *blocks: CodeBlock, own: frozenset[str] = frozenset({"birds"})) -> list[RankedSnippet]:
    snippets = read_snippets(blocks)
    return rank_snippets(snippets, {}, own, FAMILIES, read_request(text))


def test_literals_take_the_values_of_the_request() -> None:
    code = "from birds import Tagger\ntagger = Tagger(model='crow', threshold=0.5)\nprint(tagger.tag('crow.wav'))\n"
    assert adapted(code, "tag the recording 'night/owl.wav' with a threshold of 0.8") == code.replace("crow.wav", "night/owl.wav").replace(
        "0.5", "0.8"
    )


def test_shapes_take_shapes() -> None:
    code = "import torch\nx = torch.randn(1, 3, 32, 32)\ny = torch.zeros(5, 6)\n"
    assert adapted(code, "an input of shape (2, 3, 64, 64)") == code.replace("1, 3, 32, 32", "(2, 3, 64, 64)")


def test_files_take_files_of_their_kind() -> None:
    code = "a = read('x.png')\nb = read('x.csv')\n"
    assert adapted(code, "use the table 'ratings.tsv' and the picture `cat.jpg`") == "a = read('cat.jpg')\nb = read('ratings.tsv')\n"
    assert adapted(code, "use the song 'a.mp3'") == code


@pytest.mark.parametrize("stand_in", ["path_to_song", "path/to/song", "<PATH_TO_SONG>", "your_song.mp3"])
def test_stand_ins_take_files(stand_in: str) -> None:
    code = f"a = read('{stand_in}', 'fast')\n"
    assert adapted(code, "use the song 'crow.wav'") == "a = read('crow.wav', 'fast')\n"


def test_texts_take_texts() -> None:
    code = "import birds\nbirds.say('a short song')\nbirds.mode('fast')\n"
    assert adapted(code, 'say "it\'s a very long night"') == "import birds\nbirds.say(\"it's a very long night\")\nbirds.mode('fast')\n"


def test_one_of_a_family_of_choices_takes_anothers_place() -> None:
    assert adapted("import birds\nbirds.load('tiny-unet')\n", "segment with tiny fpn") == "import birds\nbirds.load('tiny-fpn')\n"
    assert adapted("import birds\nbirds.load('crow')\n", "segment with tiny fpn") == "import birds\nbirds.load('crow')\n"


def test_docstrings_f_strings_and_imports_are_left_alone() -> None:
    code = '"""Reads \'a.wav\'."""\nimport birds\nname = f\'a.wav\'\n'
    assert adapted(code, "read 'b.wav'") == code


def test_the_rest_is_kept_byte_for_byte() -> None:
    code = "# é 'a.wav'\nimport   birds ;x=birds.read( 'a.wav' )\x0c # 音\n\n\n"
    assert adapted(code, "read 'ü.wav'") == code.replace("( 'a.wav' )", "( 'ü.wav' )")


@pytest.mark.parametrize("value", ["'); import os; os.system('x", "a\\", "{x}", "it’s", "%s"])
def test_a_hostile_value_stays_one_string(value: str) -> None:
    code = adapted("import birds\nbirds.say('a short song')\n", f'say "{value}"')
    calls = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call)]
    assert len(calls) == 1


def test_what_is_not_placed_is_left() -> None:
    request = read_request("read 'b.wav' in 44,100 steps")
    result = adapt(snippet("x = read('a.wav')"), request, Surroundings(request), frozenset())
    assert [m.value for m in result.left] == ["44100"]
    assert result.placed == 1


def test_evidence() -> None:
    made = snippet("import birds\nbirds.read('a.wav')")
    text = "read 'b.wav'"
    request = read_request(text)
    answer = adapt(made, request, Surroundings(request), frozenset()).answer
    assert [(e.part, e.words, e.source) for e in answer.evidence] == [
        ("import birds", None, "README.md:1"),
        ("'b.wav'", "'b.wav'", "README.md:1"),
    ]
    assert (answer.language, answer.workdir) == ("python", ".")


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


def test_a_word_that_is_said_to_be_a_model_takes_the_place_of_one() -> None:
    code = "from birds import load_model\nload_model(name='crow', kind='soft')\n"
    assert adapted(code, "use the heron_xl model") == code.replace("crow", "heron_xl")
    assert adapted(code, "use heron_xl here") == code.replace("crow", "heron_xl")
    assert adapted(code, "look for heron_xl here") == code


def test_a_long_notebook_stands_behind_a_short_example() -> None:
    long = block("from birds import Tagger\n" + "".join(f"t{n} = Tagger('a')\n" for n in range(200)), line=40)
    short = block("from birds import Tagger\ntagger = Tagger('a')\n", line=90)
    found = ranked("build a Tagger", long, short)
    assert found[0].snippet.block.line == 90
    assert found[1].features["long"] < -0.5
    assert not found[0].features["long"]


def test_files_are_read_into_the_names_that_a_snippet_misses() -> None:
    code = "import birds\nmodel = birds.Tagger()\nmodel.fit(X_songs, y_songs)\n"
    made = adapted(code, "fit the tagger on X_songs.npy and y_songs.npy")
    assert made == "import numpy as np\nX_songs = np.load('X_songs.npy')\ny_songs = np.load('y_songs.npy')\n" + code


def test_names_of_what_is_imported_are_no_values() -> None:
    code = "from birds import Tagger\nt = Tagger('tit', region='alps')\n"
    assert adapted(code, "with BIRDS and PyTorch, make a Tagger") == code


def test_values_of_equal_rank_keep_their_order() -> None:
    code = "import birds\nbirds.say('the first song')\nbirds.say('the second song')\n"
    made = adapted(code, 'say "a b c" and then, if nobody is there, also say "d e f"')
    assert made.index("a b c") < made.index("d e f")


def test_a_snippet_that_repeats_a_better_one_comes_behind_another() -> None:
    first = block("from birds import Tagger\nt = Tagger()", line=1)
    more = block("print(t.tag('owl.wav'))", line=5, headings=("Tags",))
    other = block("import birds\nbirds.tag('owl.wav')", path="other.md", line=1)
    found = ranked("tag 'owl.wav'", first, more, other)
    assert [r.features.get("repeated", 0.0) < 0 for r in found].count(True) == 1
    assert found[-1].features["repeated"] < 0


def test_what_is_to_be_written_is_not_read() -> None:
    code = "from birds import load_table, sing\ntable = load_table('a.csv')\nsong = sing(table)\n"
    assert adapted(code, "sing it and save the song as song.csv") == (
        "import pandas as pd\n" + code + "pd.DataFrame(song).to_csv('song.csv', index=False)\n"
    )
    assert adapted(code, "sing tits.csv and save the song as song.csv").splitlines()[2] == "table = load_table('tits.csv')"


def test_what_another_call_gives_may_be_asked_for() -> None:
    code = "import birds\none = birds.Tagger(kind='crow')\nother = birds.Tagger(kind='owl')\none.tag()\n"
    assert adapted(code, "tag with the owl").splitlines()[1] == "one = birds.Tagger(kind='owl')"


def test_an_input_that_is_missing_is_made() -> None:
    code = "import torch\nfrom birds import Net\nnet = Net(channels=1)\nsong = net(x)\n"
    assert adapted(code, "run it on a batch of 4 random pictures of 8x8") == (
        "import torch\nx = torch.randn(4, 1, 8, 8)\nfrom birds import Net\nnet = Net(channels=1)\nsong = net(x)\n"
    )
    assert adapted(code, "run it") == code


def test_what_is_opened_takes_any_file_and_a_share_takes_percent() -> None:
    assert adapted("a = open('songs').read()\n", "read the songs of nest/crows.loaf") == "a = open('nest/crows.loaf').read()\n"
    assert adapted("split(test_size=0.2)\n", "a test size of 35 percent") == "split(test_size=0.35)\n"


def test_how_many_of_the_best_are_wanted() -> None:
    assert adapted("birds.near('owl', n=1)\n", "print the 4 best birds") == "birds.near('owl', n=4)\n"


def test_the_source_of_a_program_stands_behind_what_uses_it() -> None:
    source = (
        "import argparse\nimport owls\np = argparse.ArgumentParser()\np.add_argument('--nest', default='oak')\nowls.watch(p.parse_args())"
    )
    use = "import owls\nowls.watch(nest='oak')"
    found = ranked("watch the owls", block(source, line=1), block(use, line=9), own=frozenset({"owls"}))
    assert [r.snippet.block.line for r in found] == [9, 1]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("sing('a', loud=True)", "sing with loud=False", "sing('a', loud=False)"),
        ("sing('a', echo=0.25)", "sing with echo=0, so without echo", "sing('a', echo=0.0)"),
        ("sing('a', device='cuda')", "sing on the second GPU, since on the CPU it is slow", "sing('a', device='cuda:1')"),
        ("sing('a', beams=3)", "sing with beams=14 instead of beams=20", "sing('a', beams=14)"),
    ],
)
def test_what_is_said_twice_is_written_once(code: str, text: str, expected: str) -> None:
    assert adapted(code, text).strip().split("\n")[-1] == expected


def test_a_word_that_is_put_in_several_places_counts_once() -> None:
    request = read_request("load the tiny-fpn")
    one, several = (
        adapt(snippet("import birds\n" + "birds.load('tiny-unet')\n" * times), request, Surroundings(request), frozenset(), FAMILIES)
        for times in (1, 5)
    )
    assert several.answer.code.count("tiny-fpn") == 5
    assert several.score == one.score > 0


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
