"""A snippet with the values of a request in the place of its literals."""

import ast

import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import Snippet, read_snippets
from ml_agent.policies.grounded.request import read_request
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


def test_a_word_that_is_said_to_be_a_model_takes_the_place_of_one() -> None:
    code = "from birds import load_model\nload_model(name='crow', kind='soft')\n"
    assert adapted(code, "use the heron_xl model") == code.replace("crow", "heron_xl")
    assert adapted(code, "use heron_xl here") == code.replace("crow", "heron_xl")
    assert adapted(code, "look for heron_xl here") == code


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


def test_a_class_that_one_of_the_snippets_is_a_kind_of_is_no_text() -> None:
    code = "from birds import NightOwlLoader, call\ncall('wren')\nNightOwlLoader()\n"
    assert adapted(code, "call with an OwlLoader") == code
    assert "'TawnyOwl'" in adapted(code, "call a TawnyOwl")
