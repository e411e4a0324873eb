"""Log odds of values and options."""

import math

import numpy as np
import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.choosing import best_pairs
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.fitting import Candidate, Places
from ml_agent.policies.grounded.pairing import FEATURES, LEAST, Weighed, by_rules, fitted, log_odds, weigh
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.weights import KINDS, Weights
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import given, option, program

NONE = Places()


def weighed(text: str, *options: Option, places: Places = NONE, examples: dict[str, tuple[str, ...]] | None = None) -> Weighed:
    request = read_request(text)
    known = {o.name: (examples or {}).get(o.name, ()) for o in options}
    return weigh(options, [Candidate(m, {}) for m in request.mentions], Surroundings(request), known, places)


def feature(found: Weighed, name: str, pair: int = 0) -> float:
    return float(found.features[pair, FEATURES.index(name)])


def test_each_feature_has_one_name_and_a_weight_of_this_release() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    found = weighed("a depth of 3", option("--depth", type="int"))
    assert found.features.shape == (1, len(FEATURES))
    assert fitted().features.shape == (4, len(FEATURES))
    assert set(fitted().bias) == set(KINDS) == set(LEAST)


@pytest.mark.parametrize(
    ("text", "of", "examples", "wanted"),
    [
        ("a depth of 3", option("--depth", type="int", default="30"), (), {"magnitude": 1.0, "numbers": 1, "fractions": 0, "int": 1}),
        ("a depth of 3", option("--depth", default="0.3"), (), {"magnitude": 1.0, "fractions": 1, "untyped": 1, "numeric_default": 1}),
        ("a depth of 3", option("--depth"), ("deep",), {"numbers": 0, "no_numbers": 1, "documented": 1, "examples": 1}),
        ("a depth of 3", option("--depth"), ("3",), {"same": 1, "no_numbers": 0}),
        ("a depth of 3", option("--owl", help="the depth of it"), (), {"named": 0.0, "beside": 0}),
        ("3 layers", option("--layers"), (), {"beside": 1, "explained": 1.0, "behind": 1, "near": 0.5}),
        ("sing a/b.wav and c/d.wav", option("owl"), (), {"positional": 1, "order": 1}),
    ],
)
def test_what_the_features_say(text: str, of: Option, examples: tuple[str, ...], wanted: dict[str, float]) -> None:
    found = weighed(text, of, examples={of.name: examples})
    assert {name: feature(found, name) for name in wanted} == wanted


def test_a_choice_is_kept_and_a_boolean_takes_no_value() -> None:
    found = weighed("a depth of 7", option("--depth", choices=("1", "2")), option("--deep", type="bool"))
    assert not len(found.features)
    assert (found.odds == -math.inf).all()
    assert best_pairs(found) == []


def test_odds_are_sums_of_weights() -> None:
    features, table = np.zeros((2, len(FEATURES))), np.zeros((4, len(FEATURES)))
    features[:, 0], features[:, 1] = 2.0, 1.0
    table[0, 0], table[1, 1], table[2, 1] = 10.0, 5.0, 3.0
    odds = log_odds(features, ["number", "path"], Weights(table, dict.fromkeys(KINDS, 1.0) | {"path": 4.0}))
    assert odds.tolist() == [10 * 2 + 5 - 1, 10 * 2 + 3 - 4]


def test_by_the_rules_alone_a_pair_needs_what_their_score_needs() -> None:
    features = np.zeros((3, len(FEATURES)))
    features[:, FEATURES.index("score")] = 0.2, 0.3, 0.45
    assert (log_odds(features, ["path"] * 3, by_rules()) >= LEAST["path"]).tolist() == [False, True, True]
    assert (log_odds(features, ["name"] * 3, by_rules()) >= LEAST["name"]).tolist() == [False, False, True]


def test_each_option_once_and_the_surest_first() -> None:
    found = weighed("9 wings, a depth of 4", option("--depth", type="int"), option("--wings", type="int"))
    assert sorted(best_pairs(found)) == [(0, 1), (1, 0)]
    odds = [found.odds[pair] for pair in best_pairs(found)]
    assert odds == sorted(odds, reverse=True)


def test_a_documented_value_gives_way_only_to_one_that_is_meant() -> None:
    options = option("--nest"), option("--depth", type="int")
    kept = weighed("sing `so long`", *options, places=Places(present=frozenset({"--nest"})), examples={"--nest": ("reeds",), "--depth": ()})
    assert best_pairs(kept) == []
    assert given("the nest is `so long`", *options) == {"--nest": "so long"}


def test_opinions_are_added_to_the_odds_and_may_rule_a_pair_out() -> None:
    request = read_request("a depth of 4")
    options = option("--depth", type="int"), option("--height", type="int")
    at = request.mentions[0].position
    candidates = [Candidate(m, {}) for m in request.mentions]

    def odds(opinions: dict[tuple[str, int], float]) -> list[float]:
        found: list[float] = (
            weigh(options, candidates, Surroundings(request), {o.name: () for o in options}, NONE, opinions).odds[0].tolist()
        )
        return found

    depth, height = odds({})
    assert depth > height
    assert odds({("--depth", at): -1.5, ("--depth", at + 1): -9.0}) == pytest.approx([depth - 1.5, height])
    assert odds({("--depth", at): -math.inf}) == [-math.inf, pytest.approx(height)]


def test_an_option_of_two_numbers_takes_no_single_one() -> None:
    limits = option("--limits", nargs="2", type="int")
    assert np.isinf(weighed("between 3", limits, examples={"--limits": ()}).odds).all()
    assert np.isfinite(weighed("between 3 and 8", limits, examples={"--limits": ()}).odds).all()


ODD = st.lists(st.sampled_from(["1e999", "-0", "nan", "inf", "1_0", "5", "x=3", "'a b'", "a/b.c"]), max_size=8).map(" ".join)


@given_by(st.text(max_size=60) | ODD)
def test_odds_are_numbers(text: str) -> None:
    options = (option("--depth", default="1e-300"), option("--nest", default="inf"), option("out"), option("--n", type="int", default="0"))
    found = weighed(text, *options, examples={"--nest": ("1e5", "nan")})
    assert np.isfinite(found.features).all()
    assert np.isfinite(found.odds[found.pairs]).all()


def test_a_value_that_names_the_program_too_is_given_once() -> None:
    request = read_request("the nest file is in/owl.txt")
    at = next(m.position for m in request.mentions if m.kind == "path")
    made = program(option("--nest-file"), option("--perch-file"))
    found = fill(made, [], request, Surroundings(request), frozenset({at}))
    assert [(p.option.name, p.values) for p in found.placed] == [("--nest-file", ("in/owl.txt",))]


@pytest.mark.parametrize(
    "text",
    [
        "dock nests/owl.sdf and nests/lark.pdb",
        "the rec is nests/owl.sdf, the ligands are nests/lark.pdb",
        "ligands nests/lark.pdb rec nests/owl.sdf",
    ],
)
def test_a_file_is_for_the_option_with_its_ending_whatever_stands_nearer(text: str) -> None:
    found = given(text, option("--ligands-sdf"), option("--rec-pdb"))
    assert found == {"--ligands-sdf": "nests/owl.sdf", "--rec-pdb": "nests/lark.pdb"}


def test_what_another_option_has_the_ending_of_is_less_likely() -> None:
    text, other, of_format = "the ligands are in nests/lark.pdb", option("--ligands"), option("--rec-pdb")
    alone, beside = weighed(text, other), weighed(text, other, of_format)
    assert beside.odds[0, 0] == pytest.approx(alone.odds[0, 0] - 1.5)


def test_a_number_is_no_seed_where_nothing_is_said_of_chance() -> None:
    seed = option("--seed", type="int", help="number that the owls are drawn from")
    assert given("draw 12 owls", seed) == {}
    assert given("draw the owls with the seed 12", seed) == {"--seed": "12"}
    assert given("draw random owls from the number 12", seed) == {"--seed": "12"}
