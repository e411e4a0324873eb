"""Places: the best is first, ties are said, what has no score is last."""

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.places import places

scores = st.lists(st.none() | st.just(float("nan")) | st.integers(0, 6).map(lambda n: n / 6), max_size=12)


def test_places_of_known_scores() -> None:
    found = [(one.index, one.text) for one in places([0.5, None, 0.9, 0.1 + 0.2 + 0.2, float("nan"), 0.0])]
    assert found == [(2, "1"), (0, "2="), (3, "2="), (5, "4"), (1, "n/a"), (4, "n/a")]


@given(scores)
def test_each_place_counts_those_that_are_better(given: list[float | None]) -> None:
    ranked = places(given)
    assert sorted(one.index for one in ranked) == list(range(len(given)))
    known = [score for score in given if score is not None and score == score]
    for one in ranked:
        score = given[one.index]
        if score is None or score != score:
            assert one.text == "n/a"
            assert one in ranked[len(known) :]
        else:
            assert one.place == 1 + sum(other > score for other in known)
            assert one.tied == (known.count(score) > 1)
