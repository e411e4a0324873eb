"""What the request says in so many signs: bindings and whole commands."""

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.bindings import given_commands, glued_bindings, measured_flags, read_bindings
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import EntryPoint, Option
from tests.policies.grounded.support import flag, given, option, program

SPEECH = EntryPoint("speech/ctc/train.py", "argparse", ("python", "speech/ctc/train.py"))
PLAY = EntryPoint("play.py", "argparse", ("python", "play.py"))


def bound(text: str) -> list[tuple[str, str]]:
    return [(b.name, b.value) for b in read_bindings(read_request(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train with --lr 0.3 --epochs 3", [("--lr", "0.3"), ("--epochs", "3")]),
        ("train with --lr=0.3, --amp and --name 'big owl'.", [("--lr", "0.3"), ("--amp", "and"), ("--name", "big owl")]),
        ("lr=0.3 epochs = 3", [("lr", "0.3"), ("epochs", "3")]),
        ("use -b 32.", [("-b", "32")]),
        ("set --dry-run --seed 1", [("--dry-run", ""), ("--seed", "1")]),
        ("a well-known pre-trained model - the best one", []),
        ("n_d = n_a = 24, please", [("n_d", "24"), ("n_a", "24")]),
        ("lr:0.1 batch_size:128", [("lr", "0.1"), ("batch_size", "128")]),
        ("on cuda:1 at tcp://nest:99 by 10:30", []),
        ("with fp16 set to False, and n_heads is 8", [("fp16", "False"), ("n_heads", "8")]),
        ("it is set to 8, from a1 to b2, and layer4 to 10x more", []),
    ],
)
def test_names_with_dashes_or_an_equals_sign_bind_what_follows(text: str, expected: list[tuple[str, str]]) -> None:
    assert bound(text) == expected


@for_all(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_and_words_are_verbatim(text: str) -> None:
    request = read_request(text)
    for binding in read_bindings(request):
        assert binding.words in text
        assert all(0 <= p < len(request.tokens) for p in binding.positions)
    given_commands(request, [SPEECH, PLAY])


@pytest.mark.parametrize(
    ("text", "words", "folder"),
    [
        ("python play.py --agent dqn --steps 3", ("python", "play.py", "--agent", "dqn", "--steps", "3"), "."),
        ("Run `python3 play.py --agent dqn` for me", ("python3", "play.py", "--agent", "dqn"), "."),
        ("please run python play.py --steps 3 on the CPU.", ("python", "play.py", "--steps", "3"), "."),
        ("python ctc/train.py --lr 0.1", ("python", "ctc/train.py", "--lr", "0.1"), "speech"),
        ("python -m speech.ctc.train --lr 0.1", ("python", "-m", "speech.ctc.train", "--lr", "0.1"), "."),
    ],
)
def test_a_command_in_the_request_is_taken_as_it_stands(text: str, words: tuple[str, ...], folder: str) -> None:
    (found,) = given_commands(read_request(text), [SPEECH, PLAY])
    assert (found.command.words, found.command.workdir, found.command.source) == (words, folder, "")


def test_a_command_of_another_repository_is_none() -> None:
    assert given_commands(read_request("python fly.py --lr 0.1"), [SPEECH, PLAY]) == []
    assert given_commands(read_request("python is a language"), [SPEECH, PLAY]) == []


def test_what_is_bound_is_settled_before_anything_else() -> None:
    train = program(option("--lr", type="float"), option("--epochs", type="int"), option("--batch-size", type="int"), flag("--amp"))
    request = read_request("train with --lr 0.3 --epochs 3 and --amp, batch_size=8")
    filled = fill(train, [], request, Surroundings(request), bindings=read_bindings(request))
    assert {p.option.name: p.values for p in filled.placed} == {"--lr": ("0.3",), "--epochs": ("3",), "--amp": (), "--batch-size": ("8",)}
    assert filled.left == []


def test_a_binding_that_no_option_takes_is_left() -> None:
    train = program(option("--lr", type="float"))
    request = read_request("train with --gamma 10")
    filled = fill(train, [], request, Surroundings(request), bindings=read_bindings(request))
    assert filled.placed == []
    assert [m.value for m in filled.left] == ["10"]


@pytest.mark.parametrize(
    ("text", "of", "value"),
    [
        ("draw layer conv5 of it", option("--conv", type="int"), "5"),
        ("the top-3 birds", option("--topk", type="int", default="1"), "3"),
        ("count them with OWLv5", option("--owl-version", choices=("v3", "v5")), "v5"),
        ("count them with OWLv5", option("--owl-version", choices=("3", "5")), "5"),
        ("fold-2 is left out", option("--fold", default="0"), "2"),
    ],
)
def test_a_number_in_one_word_with_its_option(text: str, of: Option, value: str) -> None:
    assert given(text, of) == {of.name: value}


def test_a_name_and_a_number_for_two_options() -> None:
    model, depth = option("--model", default="'resnet'"), option("--model-depth", type="int", default="18")
    assert given("train a ResNet-34", model, depth) == {"--model": "resnet", "--model-depth": "34"}
    assert given("train a ResNet-34", model) != {"--model": "resnet"}
    assert "--model-depth" not in given("train on OWL-10", option("--dataset", default="'owl'"), depth)
    assert given("an owl-2", option("--model", choices=("owl", "owl2")), depth) == {"--model": "owl2"}


def test_a_name_with_a_number_is_none_of_an_option_that_takes_names() -> None:
    assert given("train an owl50", option("--owl", default="'owl18'")).get("--owl") != "50"
    assert list(glued_bindings(program(option("--owl", choices=("v3", "v4"))), read_request("owl7"))) == []


@pytest.mark.parametrize("text", ["count them with lr=1e-4?", "count them, lr=1e-4!", "count them (lr=1e-4)."])
def test_the_end_of_a_question_is_no_part_of_a_value(text: str) -> None:
    assert bound(text) == [("lr", "1e-4")]


@pytest.mark.parametrize(
    ("text", "of", "set_"),
    [
        ("brew it in 8-bit", "--load-8bit", True),
        ("brew it in 8 bit precision", "--load_in_8_bit", True),
        ("brew it with 8bit", "--use-8bit", True),
        ("brew it in 4-bit", "--load-8bit", False),
        ("brew 8 bits of tea", "--load-8bit", False),
        ("brew it in 8-bit", "--freeze-8bit-leaves", False),
        ("freeze the leaves, in 8-bit", "--freeze-8bit-leaves", True),
        ("brew it without 8bit", "--use-8bit", False),
    ],
)
def test_a_switch_that_is_called_by_a_number_and_its_unit(text: str, of: str, *, set_: bool) -> None:
    made = flag(of)
    assert [b.name for b in measured_flags(program(made), read_request(text))] == ([of] if set_ else [])
    cups = option("--cups", type="int")
    assert given(f"{text} with cups", made, cups).get(of) == ("" if set_ else None)
    assert list(measured_flags(program(option(of)), read_request(text))) == []


def test_the_number_of_a_switch_is_no_value() -> None:
    assert given("brew it in 8-bit", flag("--load-8bit"), option("--bit", type="int")) == {"--load-8bit": ""}


def test_a_list_in_one_word_is_bound_whole() -> None:
    assert given("score the owls with k=1,5,10", option("--k", default="'1,10,100'")) == {"--k": "1,5,10"}
    assert given("score the owls with k=1,5,10", option("--k", type="int", default="3")) == {"--k": "1"}


def test_a_flag_in_the_spelling_that_says_the_opposite() -> None:
    owls = program(flag("--owls", aliases=("--no-owls",)), flag("--lamps", aliases=("-l",)))
    for text, name in (("use --no-owls", "--no-owls"), ("use --owls", "--owls"), ("use -l", "--lamps")):
        request = read_request(text)
        found = fill(owls, [], request, Surroundings(request), bindings=read_bindings(request))
        assert [(p.option.name, p.values) for p in found.placed] == [(name, ())]
