import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.request import MENTIONS, read_request, squeeze, unused_words
from tests.pace import within


def mentioned(text: str) -> list[tuple[str, str]]:
    return [(m.kind, m.value) for m in read_request(text).mentions]


def values(text: str, kind: str) -> list[str]:
    return [value for k, value in mentioned(text) if k == kind]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("train the tagger for 12 epochs", "12"),
        ("stop after 300,000 updates.", "300000"),
        ("a vocabulary of 1,234,567 words", "1234567"),
        ("a learning rate of 1e-5", "1e-5"),
        ("a learning rate of 2.5E-04, please", "2.5E-04"),
        ("clip rewards at -1.0", "-1.0"),
        ("a shift of +3 semitones", "3"),
        ("a dropout of .5", ".5"),
        ("dropout: 0.25.", "0.25"),
        ("run it on GPU #3", "3"),
        ("keep (at most) five checkpoints", "5"),
        ("play a hundred episodes", "100"),
        ("play Twenty games", "20"),
        ("tempo=120", "120"),
    ],
)
def test_numbers(text: str, value: str) -> None:
    assert values(text, "number") == [value]


@pytest.mark.parametrize("text", ["one of the recordings", "the I3D network", "version v2", "resnet50", "3d poses", "1.2.3", "x1", "5e"])
def test_what_is_no_number(text: str) -> None:
    assert values(text, "number") == []


def test_numbers_in_a_row_are_separate() -> None:
    assert values("betas 0.9, 0.999 and layers of 256, 128 and 64 units", "number") == ["0.9", "0.999", "256", "128", "64"]
    assert values("years 2001,2002", "number") == ["2001", "2002"]  # no thousands separator: four digits


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("an input of shape (1, 3, 224, 224)", "(1,3,224,224)"),
        ("a window [ 16,16 ]", "[16,16]"),
        ("a range of (-1.0, 1.0).", "(-1.0,1.0)"),
        ("a tuple (5,)", "(5,)"),
        ("a mel spectrogram of (80)", "(80)"),
    ],
)
def test_shapes(text: str, value: str) -> None:
    assert mentioned(text) == [("shape", value)]


@pytest.mark.parametrize("text", ["(1, 2", "(1, 2]]", "[1, x]"])
def test_an_open_bracket_is_no_shape_that_goes_on_for_ever(text: str) -> None:
    assert all(len(v) <= len(text) for _, v in mentioned(text))
    assert values("(1, 2 and more", "shape") == []


@pytest.mark.parametrize("quoted", ["'{}'", '"{}"', "`{}`", "“{}”", "‘{}’"])
def test_quotes(quoted: str) -> None:
    said = quoted.format("a violin in the rain")
    (mention,) = read_request(f"generate music for {said} please").mentions
    assert (mention.kind, mention.value, mention.words) == ("quoted", "a violin in the rain", said)
    assert mentioned(quoted.format("clips/rain.wav")) == [("path", "clips/rain.wav")]


def test_an_apostrophe_is_no_quote() -> None:
    assert values("the singer's voice and the drummer's beat", "quoted") == []
    assert values("don't use the agents' logs", "quoted") == []


def test_a_comma_or_full_stop_inside_quotes_is_not_the_values() -> None:
    assert values("name it 'run7,' and save it as \"best.\"", "quoted") == ["run7", "best"]
    assert values("say 'It really rains. '", "quoted") == ["It really rains."]  # that of a sentence is
    assert mentioned("start in '.' or '..'") == [("quoted", "."), ("quoted", "..")]


@pytest.mark.parametrize(
    "path",
    [
        "/data/speech/train",
        "./clips",
        "../shared/ratings.csv",
        "~/movies/",
        "configs/agents/dqn.yaml",
        "song.wav",
        "weights.pth",
        "my-table.csv",
        "a_b/c.d/e",
        "run.sh",
    ],
)
def test_paths(path: str) -> None:
    assert mentioned(f"read it from {path}") == [("path", path)]
    assert mentioned(f"read it from {path}.")[0] == ("path", path)  # a sentence's end is not the path's
    assert mentioned(f"read it from `{path}`")[0][1] == path


def test_identifiers_and_names() -> None:
    assert mentioned("train the WaveGlowNet on mel_spec features with v2 of LSTMCell") == [
        ("identifier", "WaveGlowNet"),
        ("identifier", "mel_spec"),
        ("identifier", "v2"),
        ("identifier", "LSTMCell"),
    ]
    assert mentioned("train the tagger on Treebank with the Viterbi decoder") == [("name", "Treebank"), ("name", "Viterbi")]
    assert mentioned("play CARTPOLE with PPO") == [("name", "CARTPOLE"), ("name", "PPO")]


def test_a_name_in_a_folder_is_one_path() -> None:
    for text in ("use owl_v2 in the ./nets/ directory", "load 'owl_v2' from the folder ./nets/", "take owl_v2 inside ./nets/ now"):
        assert mentioned(text) == [("path", "./nets/owl_v2")], text
    assert ("path", "./nets/") in mentioned("load owl_v2. Then look in ./nets/")  # of another sentence


def test_capitals_that_are_no_names() -> None:
    """The first word of a sentence, courtesies, `I`, and words for kinds of things."""
    assert mentioned("Predict ratings. Then rank: Sort them! Now I wait? Done") == []
    assert mentioned("can I have Your Model, the Dataset and the Learning Rate as a Python Script") == []
    assert mentioned("Run\n\nTake the drums") == []
    assert mentioned("PPO plays") == [("name", "PPO")]  # all capitals: a name even where a sentence starts


def test_sentences_end_at_stops_only() -> None:
    kinds = [t.kind for t in read_request("Rate 0.5 of v1.2 items. Stop! e.g. x; y: z?").tokens]
    assert kinds.count("stop") == 6  # `.` `!` `e.g.` `;` `:` `?`
    assert [t.text for t in read_request("use torch.nn now").tokens] == ["use", "torch.nn", "now"]


def test_words_are_kept_verbatim_with_their_place() -> None:
    text = "Start  from “the  chorus”, with 10,000 steps"
    request = read_request(text)
    assert [m.words for m in request.mentions] == ["“the  chorus”", "10,000"]
    assert request.span(0, len(request.tokens) - 1) == text
    assert all(text[t.start : t.end] == t.text for t in request.tokens)


def test_stems_and_grams() -> None:
    request = read_request("Use the Rank-Net recommender with hidden layers")
    assert {"rank", "recommend", "hidden", "layer"} <= request.stems
    assert "the" not in request.stems
    assert request.grams["ranknet"] == (2, 2)
    assert request.grams["ranknetrecommender"] == (2, 3)
    assert "layersranknet" not in request.grams
    assert read_request("play AgentZoo2.1").bases["agentzoo"] == (1, 1)  # a version is not all of a name
    assert {("ranknet", 2), ("rank", 2), ("net", 2)} <= set(request.words)
    assert read_request("mini batch. size").grams.get("batchsize") is None  # no run over a sentence's end


def test_a_pasted_table_is_not_read_to_its_end() -> None:
    request = read_request("use 5 bins and " + "0.25, " * 3000)
    assert len(request.mentions) == MENTIONS
    assert request.mentions[0].value == "5"


def test_squeeze() -> None:
    assert squeeze("Deep_FM-2 (v.1)") == "deepfm2v1"
    assert squeeze("Ünïcode 模型") == "ncode"


def test_an_empty_request() -> None:
    for text in ("", " \n\t ", "...", ",;:", "'", "\0"):
        request = read_request(text)
        assert request.mentions == ()
        assert (request.stems, request.words, request.grams) == (frozenset(), (), {})


@given(st.text(max_size=300) | st.text(alphabet="([1,2.e-5])'\"`“”‘’/~@_aB \n:", max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(text: str) -> None:
    request = read_request(text)
    end = 0
    for position, token in enumerate(request.tokens):
        assert end <= token.start < token.end
        assert text[token.start : token.end] == token.text
        assert request.span(position, position) == token.text
        end = token.end
    for mention in request.mentions:
        assert mention.value
        assert mention.words == request.tokens[mention.position].text
    assert all(request.run(m) in (*request.runs, (m,)) for m in request.mentions)
    assert all(device.isdigit() for device in request.devices)
    assert all(first <= last < len(request.tokens) for first, last in request.grams.values())
    assert all(position < len(request.tokens) for _, position in request.words)
    assert isinstance(request.stems, frozenset)


@pytest.mark.parametrize(
    "unit",
    [
        "(((((1,", "(1, ", "[1", "(1 ", "1,", "111,", "1.", "1e", "-1", "-", "+", "@", "a@", "a+", "a/", "/", "./", "a.", "a-", "a...",
        "A", "aB", "_", "'", "' ", '"', "`a", "“", "‘a ", "学", "a.jp", ".", "~/", "\n", "#1", "\\", "one two ",
    ],
)  # fmt: skip
def test_long_texts_take_no_longer_than_long(unit: str) -> None:
    """200 kB of one thing: under a second alone, twice that in a full run of a busy machine, where a quadratic pattern takes minutes."""
    text = (unit * (200_000 // len(unit) + 1))[:200_000]
    with within(5.0, time.process_time):
        read_request(text)


def test_what_is_not_used_is_said_in_the_words_of_the_request() -> None:
    request = read_request("train owlnet with gamma 10, 5 folds and 'a big owl' on lsun")
    left = [m for m in request.mentions if m.value in ("10", "5", "a big owl", "lsun")]
    assert unused_words(request, left) == ("gamma 10", "5 folds", "'a big owl'")
    assert all(words in request.text for words in unused_words(request, request.mentions))


def runs(text: str) -> list[list[str]]:
    return [[m.value for m in run] for run in read_request(text).runs]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("widths of 64, 128 and 256", [["64", "128", "256"]]),
        ("try 8 as well as 16 perches", [["8", "16"]]),
        ("ids 0 1 and 2, 75 rounds", [["0", "1", "2"]]),
        ("widths 40, 80, 160, one input channel", [["40", "80", "160"]]),
        ("a rate of .2, thirty warm rounds", []),
        ("from 0 to 2; plus 0.1 or 0.2", [["0", "2"], ["0.1", "0.2"]]),
        ("mix songs/a.wav and songs/b.wav", [["songs/a.wav", "songs/b.wav"]]),
        ("say 'hello owl' 'bye owl'", [["hello owl", "bye owl"]]),
        ("on warblers, finches and OwlSet", [["warblers", "finches", "OwlSet"]]),
        ("the SAX, OwlNet-v1 please", []),  # a method, and where it plays
        ("2 owls. 3 larks", []),
        ("moults at 40 and 70, and 90 rounds", [["40", "70"]]),
        ("sizes 64, 128 and 256 and 16 nests", [["64", "128", "256"]]),
        ("songs/a.wav against songs/b.wav", [["songs/a.wav", "songs/b.wav"]]),
    ],
)
def test_values_written_in_one_go_are_a_run(text: str, expected: list[list[str]]) -> None:
    assert runs(text) == expected


def test_a_run_is_found_from_each_of_its_values() -> None:
    request = read_request("widths 64, 128 and 256 at rate 0.1")
    first, second, third, alone = request.mentions
    assert [request.run(m) for m in (first, second, third)] == [(first, second, third)] * 3
    assert request.run(alone) == (alone,)


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("on GPU 3", ("3",)),
        ("cards 0 and 1", ("0", "1")),
        ("on GPUs 0,1 and 3", ("0", "1", "3")),
        ("use gpu number 2", ("2",)),
        ("only the second GPU", ("1",)),
        ("the 1st graphics card", ("0",)),
        ("on cuda:1", ("1",)),
        ("on 4 GPUs", ()),
        ("with gpus 16", ()),
        ("on GPUs 8 and 9", ("8", "9")),
        ("the second song", ()),
        ("card 0 is taken, use card 1", ("1",)),
    ],
)
def test_devices_are_counted_from_zero(text: str, devices: tuple[str, ...]) -> None:
    assert read_request(text).devices == devices


@pytest.mark.parametrize(("name", "said"), [("owlnet", "OwlNets"), ("OwlNets", "OwlNet"), ("owl-net", "OwlNet")])
def test_the_repositorys_own_name_is_no_value_in_the_plural_either(name: str, said: str) -> None:
    assert [m.value for m in read_request(f"train {said} on LarkSet", name).mentions] == ["LarkSet"]
    assert [m.value for m in read_request(f"train {said} on LarkSet", "lark").mentions] == [said, "LarkSet"]
