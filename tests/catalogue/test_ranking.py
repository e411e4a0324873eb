from hypothesis import given
from hypothesis import strategies as st

from ml_agent.catalogue.base import Candidate
from ml_agent.catalogue.ranking import as_said, by_words

ONE = Candidate("a/graphs", "https://x/a/graphs.git", description="networks of nodes", stars=5)
TWO = Candidate("b/pictures", "https://x/b/pictures", description="segmentation", topics=("vision", "graph"), stars=9)
THREE = Candidate("c/other", "https://x/c/other", stars=7)
ALL = [THREE, TWO, ONE]


def names(ranked: list[Candidate]) -> list[str]:
    return [one.name[0] for one in ranked]


def test_by_name_description_and_topics() -> None:
    ranked = by_words(["Graph", "node"], ALL)
    assert names(ranked) == ["a", "b", "c"]
    assert [one.why for one in ranked] == ["in common: Graph, node", "in common: Graph", "no word in common"]
    scores = [one.score or 0 for one in ranked]
    assert scores[0] > scores[1] > scores[2] == 0


def test_then_by_stars_and_then_as_they_came() -> None:
    same = [Candidate(name, "https://x/y", description="graph", stars=stars) for name, stars in (("w", 1), ("x", 3), ("y", None), ("z", 3))]
    assert names(by_words(["graph"], same)) == ["x", "z", "w", "y"]
    assert names(by_words([], same)) == ["x", "z", "w", "y"]
    assert by_words(["graph"], []) == []


def test_many_words_in_common_are_not_all_told() -> None:
    words = [f"word{c}" for c in "abcdefgh"]
    (one,) = by_words(words, [Candidate("x", "https://x/y", description=" ".join(words))])
    assert one.why.endswith("wordf and 2 more")


def test_as_a_model_says() -> None:
    ranked = as_said(["B/Pictures", "nosuch", "https://x/a/graphs", "b/pictures", "a/graphs", ""], ALL)
    assert names(ranked) == ["b", "a", "c"]
    assert [one.why for one in ranked] == ["named by the model", "named by the model", "not named by the model"]
    assert names(as_said(["https://x/c/other/ "], ALL)) == ["c", "b", "a"]
    assert as_said(["x"], []) == []


@given(st.lists(st.one_of(st.text(), st.sampled_from(["a/graphs", "b/pictures", "c/other"]))))
def test_whatever_it_says_nothing_is_lost_or_made_up(said: list[str]) -> None:
    assert sorted(names(as_said(said, ALL))) == ["a", "b", "c"]
