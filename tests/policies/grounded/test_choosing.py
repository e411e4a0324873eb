"""The best pairs over all, and the next best."""

import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ml_agent.policies.grounded.choosing import (
    INSTEAD,
    RULED,
    SILENT,
    Values,
    assignment,
    best_pairs,
    forced,
    next_best,
    with_values,
    worth,
)
from ml_agent.policies.grounded.fitting import Candidate, Places
from ml_agent.policies.grounded.pairing import FAIR, LEAST, SURE, Weighed
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import given, option


def weighed(odds: list[list[float]], scores: list[list[float]] | None = None, present: frozenset[str] = frozenset()) -> Weighed:
    """Numbers 0, 1, ... at their positions, and options --a, --b, ..., with such log odds and scores of the rules (FAIR, if not given)."""
    table = np.array(odds)
    ruled = np.array(scores) if scores is not None else np.full(table.shape, FAIR)
    options = [option(f"--{letter}") for letter in "abcdef"[: table.shape[1]]]
    candidates = [Candidate(Mention(str(k), "number", k, str(k)), {}) for k in range(table.shape[0])]
    return Weighed(options, candidates, np.zeros((0, 0)), ((), ()), ruled, np.full(table.shape, -1), table, Places(present=present))


def test_the_pairs_are_worth_most_together() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        odds = random.normal(0.5, 2.0, random.integers(1, 12, 2))
        rows, columns = linear_sum_assignment(-np.maximum(odds, 0.0))
        most = np.maximum(odds, 0.0)[rows, columns].sum()
        pairs = assignment(odds)
        assert sum(odds[pair] for pair in pairs) == pytest.approx(most)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


def test_an_answer_imports_no_scipy() -> None:
    code = (
        "import sys, numpy; from ml_agent.policies.grounded.choosing import assignment;"
        "assert assignment(numpy.eye(3)) == [(0, 0), (1, 1), (2, 2)]; assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_together_they_are_the_best() -> None:
    odds = [[3.0, 2.0], [2.9, -9.0]]
    assert best_pairs(weighed(odds, [[SURE] * 2] * 2)) == [(1, 0), (0, 1)]
    assert best_pairs(weighed(odds)) == [(1, 0)]  # no rule speaks for it, and another option is likelier


def test_of_equals_the_first_value_is_of_the_first_option() -> None:
    ruled = [[SURE] * 4] * 3
    assert sorted(best_pairs(weighed([[2.0] * 4] * 3, ruled))) == [(0, 0), (1, 1), (2, 2)]
    assert sorted(best_pairs(weighed([[2.0] * 4, [-9.0] * 4, [2.0] * 4], [ruled[0], [0.0] * 4, ruled[0]]))) == [(0, 0), (2, 1)]


def test_an_unlikely_pair_is_no_reason_to_give_up_a_likely_one() -> None:
    """Value 0 is surely of the first option, and value 1 most likely of none, though it could take that one."""
    assert best_pairs(weighed([[5.8, 1.2], [2.7, -9.0]])) == [(0, 0)]


@pytest.mark.parametrize(
    ("score", "documented", "needed"),
    [(SURE, False, RULED), (SURE, True, RULED), (0.1, False, LEAST["number"]), (0.1, True, INSTEAD["number"]), (0.0, False, SILENT)],
)
def test_what_a_pair_needs(score: float, documented: bool, needed: float) -> None:
    present = frozenset({"--a"}) if documented else frozenset[str]()
    for odds, is_one in ((needed + 0.01, True), (needed - 0.01, False)):
        assert bool(assignment(worth(weighed([[odds]], [[score]], present)))) == is_one


def test_a_documented_value_makes_an_option_no_less_likely() -> None:
    assert best_pairs(weighed([[1.0, 0.8]], present=frozenset({"--a"}))) == [(0, 0)]


def test_rows_that_are_left_out_take_no_column() -> None:
    odds = [[5.0, -9.0], [4.0, 1.0]]
    assert best_pairs(weighed(odds, [[SURE] * 2] * 2)) == [(0, 0), (1, 1)]
    assert best_pairs(weighed(odds, [[SURE] * 2] * 2), {0}) == [(1, 0)]


def test_what_a_list_takes_along_leaves_its_option_to_the_others() -> None:
    """Values 1 and 2 are a list that --a takes; 2 alone might be --b, which is then better than --c for 0."""
    table = weighed([[2.8, 1.75, 0.2], [5.7, 1.7, -9.0], [2.6, 1.76, -9.0]], [[SURE] * 3] * 3)
    assert set(best_pairs(table)) == {(1, 0), (2, 1), (0, 2)}

    def values(option: Option, candidate: Candidate) -> Values:
        at = (1, 2) if option.name == "--a" else (candidate.mention.position,)
        return tuple(str(k) for k in at), at

    assert with_values(table, values) == [(1, 0, (("1", "2"), (1, 2))), (0, 1, (("0",), (0,)))]


def test_the_least_missed_first() -> None:
    found = next_best(weighed([[5.0, 4.9, -math.inf], [-math.inf, -math.inf, 3.0]]))
    assert [pair for _, pair in found] == [("--a", 0), ("--c", 1)]
    assert [lost for lost, _ in found] == pytest.approx([0.1, 3.05], abs=0.01)


def test_values_that_are_left_get_the_likeliest_of_the_options_that_are_free() -> None:
    table = weighed([[5.0, -1.0, -math.inf], [4.0, -3.0, -2.0], [-math.inf, -5.0, -math.inf]])
    assert forced(table, {1}, {"--a"}) == [("--c", 1)]
    assert forced(table, {1, 2}, {"--a"}) == [("--c", 1), ("--b", 2)]
    assert forced(table, set(), {"--a"}) == []
    assert forced(table, {2}, {"--a", "--b"}) == []


def test_nothing_to_choose() -> None:
    assert best_pairs(weighed([[-math.inf]])) == []
    assert next_best(weighed([[-math.inf]])) == []


def test_a_table_of_nothing_does_not_end_the_process() -> None:
    """lap 0.5.13 frees what it never had; so often that it would be seen."""
    code = (
        "import numpy as np\nfrom ml_agent.policies.grounded.choosing import assignment\n"
        "print([assignment(np.zeros(shape)) for shape in ((0, 0), (0, 2), (2, 0)) for _ in range(500)] == [[]] * 1500)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


@pytest.mark.parametrize(
    ("default", "scores", "chosen"),
    [
        ("'sing'", [SURE, SURE], [1]),
        ("'sing'", [FAIR, SURE], [1]),
        ("'sing'", [SURE, FAIR], [0]),
        (None, [SURE, SURE], [0]),
        ("'fly'", [SURE, SURE], [0]),
    ],
)
def test_of_two_choices_that_are_said_the_default_gives_way(default: str | None, scores: list[float], chosen: list[int]) -> None:
    table = weighed([[3.0], [2.0]], [[score] for score in scores])
    words = [Candidate(Mention(word, "word", k, word), {"--a": word}) for k, word in enumerate(("sing", "hoot"))]
    table = replace(table, options=[option("--a", choices=("sing", "hoot", "fly"), default=default)], candidates=words)
    assert [row for row, _ in best_pairs(table)] == chosen
    plain = replace(table, options=[option("--a", default=default)])
    assert [row for row, _ in best_pairs(plain)] == [0]


@pytest.mark.parametrize(
    ("text", "task"),
    [("sing it, and hoot it", "hoot"), ("hoot it, and sing it", "hoot"), ("sing it", "sing"), ("let the task be to sing, or hoot", "sing")],
)
def test_the_default_is_kept_if_more_speaks_for_it(text: str, task: str) -> None:
    assert given(text, option("--task", choices=("sing", "hoot"), default="'sing'")) == {"--task": task}
