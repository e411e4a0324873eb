"""Which value of the request takes the place of which literal."""

import ast
import math

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.assigning import RULE, assign
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.replacing import (
    LITERAL_FEATURES,
    WeighedLiterals,
    by_rules,
    fitted,
    likeliest,
    weigh_literals,
)
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.weights import KINDS

LOOM = "import loom\ncloth = loom.weave(threads=40, rows=7)\ncloth.save('plain.png')\n"


def weighed(text: str, code: str = LOOM) -> WeighedLiterals:
    request = read_request(text)
    return weigh_literals(request.mentions, literals_of(ast.parse(code), code), Surroundings(request))


def replaced(text: str, code: str = LOOM) -> dict[str, str]:
    """The literal's text -> what takes its place."""
    return {literal.text: mention.value for mention, literal, _ in likeliest(weighed(text, code))}


def feature(found: WeighedLiterals, name: str, pair: int = 0) -> float:
    return float(found.features[pair, LITERAL_FEATURES.index(name)])


def test_each_feature_has_one_name_and_a_weight_of_this_release() -> None:
    assert len(set(LITERAL_FEATURES)) == len(LITERAL_FEATURES)
    found = weighed("use 9 rows")
    assert found.features.shape == (2, len(LITERAL_FEATURES))
    assert fitted().features.shape == by_rules().features.shape == (4, len(LITERAL_FEATURES))
    assert set(fitted().bias) == set(by_rules().bias) == set(KINDS)


def test_values_go_where_the_words_beside_them_say() -> None:
    assert replaced("weave with 9 rows and 120 threads, save it as out/silk.png") == {"7": "9", "40": "120", "plain.png": "out/silk.png"}


def test_a_value_is_not_of_another_kind_than_what_it_replaces() -> None:
    found = weighed("weave 9 rows to silk.png")
    assert sorted(zip(*found.pairs, strict=True)) == [(0, 0), (0, 1), (1, 2)]
    assert found.odds[0, 2] == -math.inf


@pytest.mark.parametrize(
    ("text", "code", "pair", "wanted"),
    [
        ("use 9 rows", "f(rows=7)", 0, {"has_name": 1, "only_place": 1, "only_value": 1, "only_both": 1, "position": 0.0, "index": 0}),
        ("use 9 rows", "f(rows=7, x=2)", 1, {"only_place": 0, "only_both": 0, "position": 0.5, "apart": 1.0, "repeated": 0}),
        ("use 9 rows", "ROWS = 7\nuse(ROWS)", 0, {"constant": 1, "numbers": 1, "rule_speaks": 1}),
        ("use 9 rows", "f(a[7])", 0, {"index": 1}),
        ("use 9 rows", "f(n=7)  # rows to weave", 0, {"said_above": 0.0}),
        ("save it to b/x.png", "f('a.png')", 0, {"same_file": 1, "one_file": 0, "slash": 1, "slash_there": 0}),
        ("use `left` and `right`", "f(['up', 'down'])", 1, {"in_list": 1, "places": math.log1p(2)}),
    ],
)
def test_what_the_features_say(text: str, code: str, pair: int, wanted: dict[str, float]) -> None:
    found = weighed(text, code)
    assert {name: feature(found, name, pair) for name in wanted} == wanted


def test_the_comment_beside_a_literal_is_its_help() -> None:
    assert feature(weighed("use 9 rows", "f(n=7)  # rows to weave"), "said_behind") > 0
    assert feature(weighed("use 9 rows", "# rows to weave\nf(n=7)"), "said_above") > 0


def test_a_file_to_be_written_does_not_stand_for_one_that_is_read() -> None:
    code = "import loom\nx = loom.load('a.png')\n"
    assert replaced("load b.png", code) == {"a.png": "b.png"}
    assert replaced("weave the cloth and save it as b.png", code) == {}


def test_the_rules_alone_know_fewer_pairs() -> None:
    request = read_request("weave with 9 rows")
    literals = literals_of(ast.parse(LOOM), LOOM)
    ((mention, literal, strength),) = assign(request.mentions, literals, Surroundings(request))
    assert (mention.value, literal.text) == ("9", "7")
    assert strength >= RULE


def test_nothing_to_place_and_no_place() -> None:
    assert replaced("weave") == {}
    assert replaced("use 9 rows", "f()") == {}
    request = read_request("weave")
    assert assign(request.mentions, [], Surroundings(request)) == []


@settings(max_examples=40)
@given_by(st.text(max_size=80))
def test_each_literal_and_each_value_once(text: str) -> None:
    found = likeliest(weighed(f"{text} 3 5 'a b' c/d.png"))
    assert len({literal.start for _, literal, _ in found}) == len({m.position for m, _, _ in found}) == len(found)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tag owl.png with RN101", "net, prepare = owl.load('ViT-B/32')\nprepare('bird.png')\n"),
        ("tag owl.png, model RN101", "model = owl.Tagger('base-v1').eval()\nmodel('bird.png')\n"),
        (
            "tag owl.png with an RN101 encoder",
            "tagger = owl.Tagger(encoder_name='resnet34', encoder_weights='birds')\ntagger('bird.png')\n",
        ),
        ("tag owl.png using the RN101 backbone", "tagger = owl.Tagger(backbone='resnet34')\ntagger('bird.png')\n"),
    ],
)
def test_another_model_whatever_it_is_called(text: str, code: str) -> None:
    (model,) = [x.text for x in literals_of(ast.parse(code), code) if x.names_model]
    assert replaced(text, code) == {model: "RN101", "bird.png": "owl.png"}


def test_a_name_of_more_words_that_are_said() -> None:
    assert replaced("an MLP size of 96", "x = owl.Net(size=32, mlp_size=64)\n") == {"64": "96"}
    assert replaced("a size of 96", "x = owl.Net(size=32, mlp_size=64)\n") == {"32": "96"}


@pytest.mark.parametrize(
    "text", ["hatch owl-base-v1", "hatch owl-base-v1 in nests/moor", "hatch from the path ./wren-base/ with an owl-base-v1"]
)
def test_a_name_of_one_scheme_takes_its_place_and_no_folder_does(text: str) -> None:
    assert replaced(text, 'x = owl.Nest(name_or_path="wren-base")\n') == {"wren-base": "owl-base-v1"}


@pytest.mark.parametrize("text", ["sing a batch of 4 sequences of length 256", "sing with length 256 and a batch of 4"])
def test_each_of_several_values_that_are_unpacked_is_replaced(text: str) -> None:
    assert replaced(text, "batch, length = 2, 64\nx = owl.sing(batch, length)\n") == {"2": "4", "64": "256"}
