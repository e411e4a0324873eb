import io
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo import lexical
from ml_agent.repo.lexical import STOPWORDS, LexicalIndex, split_identifier, stem, tokenize
from tests.pace import within


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("num_stacks", ["num", "stacks"]),
        ("numStacks", ["num", "stacks"]),
        ("NumStacks", ["num", "stacks"]),
        ("num-stacks", ["num", "stacks"]),
        ("MIDIReader", ["midi", "reader"]),
        ("parseHTTPResponse", ["parse", "http", "response"]),
        ("word2vec", ["word", "2", "vec"]),
        ("v1.5", ["v", "1.5"]),
        ("songs/drumKit.py", ["songs", "drum", "kit", "py"]),
        ("LSTM", ["lstm"]),
        ("", []),
        ("__é__", []),
    ],
)
def test_identifiers_are_taken_apart(text: str, parts: list[str]) -> None:
    assert split_identifier(text) == parts


def test_words_of_one_stem_are_one_token() -> None:
    assert tokenize("recommenders") == tokenize("Recommender") == [stem("recommend")]
    assert tokenize("the training of trained models trains") == [stem("train"), stem("train"), stem("model"), stem("train")]


def test_compounds_are_found_by_their_parts_and_as_a_whole() -> None:
    whole = tokenize("WaveFlow")
    assert whole == [stem("wave"), stem("flow"), "waveflow"]
    assert tokenize("wave_flow") == tokenize("wave-flow") == whole
    assert set(tokenize("wave flow")) < set(whole)
    assert {stem("speech"), stem("train"), "py"} <= set(tokenize("speech/train.py"))


def test_words_that_say_nothing_are_left_out() -> None:
    assert tokenize("could you please write the code that is needed for it") == [stem("needed")]
    assert tokenize(" \n.,;/-") == tokenize("") == []
    assert all(w == w.lower() for w in STOPWORDS)


def index(*texts: str) -> LexicalIndex:
    return LexicalIndex(tokenize(t) for t in texts)


def test_the_best_document_comes_first() -> None:
    made = index("tune a guitar", "tune a guitar and a violin in an orchestra", "drive a car", "the violin")
    assert [i for _, i in made.search("a violin in the orchestra", 10)] == [1, 3]
    scores = [score for score, _ in made.search("tuning guitars", 10)]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert made.search("trombone", 10) == []


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    made = index("train agent", "train song", "train bird", "train ship")
    assert made.search("train the bird", 4)[0][1] == 2


def test_ties_are_in_order_and_only_k_are_given() -> None:
    made = index("drum", "drum", "flute", "drum")
    assert [i for _, i in made.search("drums", 10)] == [0, 1, 3]
    assert [i for _, i in made.search("drums", 2)] == [0, 1]
    assert made.search("drums", 0) == []


def test_repeating_a_word_of_the_query_changes_nothing() -> None:
    made = index("drum kit", "flute")
    assert made.search("drum drum drum drum", 5) == made.search("drum", 5)


@pytest.mark.parametrize("texts", [(), ("",), ("", " . ", "the")])
def test_an_empty_corpus_answers_nothing(texts: tuple[str, ...]) -> None:
    assert index(*texts).search("drum", 5) == []


def test_an_empty_query_and_empty_documents() -> None:
    made = index("", "drum", "")
    assert made.search("", 5) == made.search("the of", 5) == []
    assert [i for _, i in made.search("drum", 5)] == [1]


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text(texts: list[str], query: str) -> None:
    found = index(*texts).search(query, 3)
    assert len(found) <= 3
    wanted = set(tokenize(query))
    for score, position in found:
        assert score > 0
        assert wanted & set(tokenize(texts[position]))
    assert found == sorted(found, key=lambda f: (-f[0], f[1]))


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "A" * 200_000, "aB" * 100_000, "a." * 100_000, "a" + "." * 200_000, "1." * 100_000, "-_" * 100_000, "A1" * 100_000],
)
def test_long_texts_take_no_longer_than_long(text: str) -> None:
    with within(1.5, time.process_time):
        tokenize(text)


def test_scores_are_those_of_the_formula() -> None:
    """Lucene's BM25 with k1 = 1.5 and b = 0.75, by hand."""
    texts = ["drum drum flute", "drum", "horn", ""]
    lengths = [3, 1, 1, 1]  # an empty document counts as one word
    found = {position: score for score, position in index(*texts).search("drum flute", 5)}

    def weight(times: int, document: int, documents: int) -> float:
        rarity = math.log(1 + (4 - documents + 0.5) / (documents + 0.5))
        return rarity * times / (times + 1.5 * (0.25 + 0.75 * lengths[document] / 1.5))

    assert found == {0: pytest.approx(weight(2, 0, 2) + weight(1, 0, 1)), 1: pytest.approx(weight(1, 1, 2))}


def test_parts_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"drum {'flute ' * (n % 5)} {'horn' if n % 3 else 'harp'}" for n in range(50)]
    whole = index(*texts).search("flute horn", 50)
    monkeypatch.setattr(lexical, "_PART", 7)
    assert index(*texts).search("flute horn", 50) == whole


@pytest.mark.parametrize("texts", [(), ("", "the"), ("drum kit", "", "flute é \udcff")])
def test_an_index_can_be_kept(texts: tuple[str, ...]) -> None:
    made = index(*texts)
    again = LexicalIndex.from_bytes(made.to_bytes())
    for query in ("drum", "flute kit", "nothing"):
        assert again.search(query, 5) == made.search(query, 5)
    assert again.to_bytes() == made.to_bytes()


def test_a_damaged_index_is_refused() -> None:
    data = index("drum kit", "flute").to_bytes()
    for harmed in (b"", b"PK", data[:-40], data[: len(data) // 2], b"\x80\x04N.", b"\x93NUMPY\x01\x00v\x00" + b"x" * 118):
        with pytest.raises(ValueError, match="no lexical index"):
            LexicalIndex.from_bytes(harmed)
    file = io.BytesIO()
    np.savez(file, size=1, words=np.frombuffer(b"drum", np.uint8), starts=np.array([0, 1]), documents=np.array([5]), scores=np.array([1.0]))
    with pytest.raises(ValueError, match="do not fit together"):
        LexicalIndex.from_bytes(file.getvalue())


def test_a_hundred_thousand_documents() -> None:
    made = LexicalIndex([f"w{n % 997}", f"v{n % 13}", "drum"] for n in range(100_000))
    with within(0.2, time.perf_counter):
        assert len(made.search("drum w5 v7", 10)) == 10


@pytest.mark.parametrize(
    ("one", "other"),
    [("normalised", "normalized"), ("optimiser", "optimizer"), ("colours", "color"), ("neighbouring", "neighboring"), ("centre", "center")],
)
def test_both_ways_to_spell_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("four", "for"), ("raise", "raze"), ("genre", "gener"), ("noise", "nose")])
def test_other_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)
