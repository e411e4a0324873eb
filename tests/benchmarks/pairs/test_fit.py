import numpy as np
import pytest

from ml_agent.benchmarks.pairs.fit import figures, fit, left_out
from ml_agent.benchmarks.pairs.labelled import Choice, Labelled
from ml_agent.policies.grounded.pairing import FEATURES, LEAST, log_odds

SCORE, NAMED, FIT = (FEATURES.index(name) for name in ("score", "named", "fit"))


def task(number: int, *, names: int = NAMED) -> Labelled:
    """Two values and three options: a value is its option's where the feature `names` is 1; the rules' score says nothing."""
    random = np.random.default_rng(number)
    choices = []
    for value in range(2):
        features = np.zeros((3, len(FEATURES)))
        features[:, SCORE], features[:, FIT] = random.random(3), 1.0
        features[value, names] = 1.0
        kind = "number" if value else "path"
        choices.append(Choice(f"{number}/1", f"repository {number % 12}", kind, ("--a", "--b", "--c"), features, np.arange(3) == value))
    return Labelled(tuple(choices), frozenset({"--a", "--b"}))


TASKS = [task(number) for number in range(60)]


def test_what_tells_the_right_pairs_gets_the_weight() -> None:
    weights = fit([c for t in TASKS for c in t.choices], ridge=1.0)
    assert weights.features.shape == (4, len(FEATURES))
    assert weights.features[0, NAMED] > 10 * abs(weights.features[0, SCORE])
    choice = task(1000).choices[1]
    assert log_odds(choice.features, [choice.kind] * 3, weights).argmax() == 1


def test_a_class_of_values_may_differ() -> None:
    """Of numbers `named` tells, of paths `fit` alone would not; so paths choose none."""
    tasks = [Labelled((t.choices[1], _none(t.choices[0])), frozenset({"--b"})) for t in TASKS]
    weights = fit([c for t in tasks for c in t.choices], ridge=1.0)
    number, path = tasks[0].choices
    assert log_odds(number.features, ["number"] * 3, weights).max() > 0 > log_odds(path.features, ["path"] * 3, weights).max()


def _none(choice: Choice) -> Choice:
    return Choice(choice.sample, choice.repository, choice.kind, choice.options, choice.features, np.zeros(3, bool))


def test_each_task_is_judged_by_weights_of_other_repositories() -> None:
    """Repositories 0 and 1 are told apart by another feature than all others: what is learnt there does not help there."""
    odd = [task(number, names=FIT + 1) for number in (0, 12, 24)]
    judged = list(left_out([*odd, *[t for t in TASKS if t.choices[0].repository != "repository 0"]], ridge=1.0))
    strange = [one for one in judged if one[0] in odd]
    assert len(strange) == 3
    assert figures(strange, dict.fromkeys(LEAST, 0.0)).right < figures([one for one in judged if one[0] not in odd]).right
    assert figures(strange, dict.fromkeys(LEAST, 0.0)).whole == 0


@pytest.mark.parametrize(
    ("odds", "wanted"),
    [
        ([[5.0, 1.0, 1.0], [1.0, 5.0, 1.0]], (2, 2, 1, 0)),
        ([[5.0, 4.0, 1.0], [9.0, 5.0, 1.0]], (2, 0, 0, 2)),  # together they are best the other way round
        ([[-9.0, -9.0, -9.0], [1.0, 5.0, 1.0]], (2, 1, 0, 0)),
        ([[5.0, 1.0, 1.0], [1.0, 1.0, 5.0]], (2, 1, 0, 1)),
    ],
)
def test_figures(odds: list[list[float]], wanted: tuple[int, int, int, int]) -> None:
    found = figures([(TASKS[0], [np.array(row) for row in odds])])
    assert (found.wanted, found.right, found.whole, found.wrong) == wanted
    assert found.tasks == 1
    assert str(found).startswith(f"values {wanted[1]}/{wanted[0]} ")
