import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.catalogue.words import KEYWORDS, content_words, keywords_of, search_words


@pytest.mark.parametrize(
    ("task", "keywords"),
    [
        ("train the GraphNet on Cora for 300 runs with k=12", ["GraphNet", "Cora"]),
        ("Fine-tune a WordNet4 on MRPC with a learning rate of 2e-5 and batch size 32.", ["WordNet4", "MRPC"]),
        ("Segment satellite pictures. Use momentum 0.9, patience of 12 and --lr 0.1", ["Segment", "satellite", "pictures"]),
        ("classify point clouds in 3D", ["3D", "classify", "point", "clouds"]),
        ("use some net 50 and save it to ./out/x.pt, from https://example.org/net or C:\\x", ["net"]),
        ("graph graphs Graph", ["Graph"]),
        ("run it for 10 epochs", []),
        ("разпознаване на реч", ["разпознаване", "на", "реч"]),
    ],
)
def test_what_tells_which_repository_it_is(task: str, keywords: list[str]) -> None:
    assert keywords_of(task) == keywords


def test_names_come_first() -> None:
    assert content_words("generate captions with LongNet") == ["LongNet", "generate", "captions"]
    assert len(keywords_of(" ".join(f"name{n}x" for n in range(50)))) == KEYWORDS


def test_words_for_a_search() -> None:
    assert search_words("C++ -lang:Go NOT vision-language_x #y 'f#'") == ["c++", "lang", "go", "not", "vision-language_x", "y", "f#"]
    assert search_words("x" * 51) == []


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    for word in content_words(text):
        assert len(word) > 1
        assert word in text
    for word in search_words(text):
        assert not set(word) & set(' :"\n\0')
        assert not word.startswith("-")
        assert word == word.lower()
