"""What may be a value, and for which options it is none."""

import time

import pytest

from ml_agent.policies.grounded.candidates import confirmed_by, find_candidates
from ml_agent.policies.grounded.fitting import Places
from ml_agent.policies.grounded.request import read_request
from tests.pace import within
from tests.policies.grounded.support import command, given, option

TASKS = option("--tasks", choices=["nesteval", "nestevalplus", "mbpp"])


@pytest.mark.parametrize(("text", "expected"), [("run NestEval+", "nestevalplus"), ("run NestEval", "nesteval"), ("run MBPP", "mbpp")])
def test_a_plus_is_a_part_of_a_name(text: str, expected: str) -> None:
    assert given(text, TASKS) == {"--tasks": expected}


@pytest.mark.parametrize(
    ("text", "expected"), [("on the balanced training set", "balanced_train"), ("on the full training set", "full_train")]
)
def test_words_in_other_forms(text: str, expected: str) -> None:
    of = option("--data-type", choices=["balanced_train", "full_train"])
    assert given(text, of) == {"--data-type": expected}


def test_a_place_is_the_one_that_is_said() -> None:
    data = option("--data", default="'../data/owls/'")
    assert given("train on /data/owls", data, commands=[command("python train.py --data ../data/owls/")]) == {"--data": "/data/owls"}


def test_a_file_of_settings_is_for_the_option_with_one() -> None:
    data, params = option("data", required=True), option("--params", help="the parameters")
    documented = command("python train.py path/to/owls --params owls.json")
    assert given("train on mine, settings in b.json", data, params, commands=[documented])["--params"] == "b.json"


def test_a_place_beside_the_documented_one() -> None:
    result, out = option("--result-dir"), option("--out-dir")
    documented = command("python train.py --result-dir runs/results/owl --out-dir runs/all/owl")
    found = given("the output goes to runs/results/bat", result, out, commands=[documented])
    assert found == {"--result-dir": "runs/results/bat"}


def test_a_name_that_the_documented_value_begins_with() -> None:
    model = option("--model")
    documented = command("python train.py --model owl_net_large")
    assert given("train an OwlNet", model, commands=[documented]) == {"--model": "owl_net_large"}
    assert given("train it, model name owl_n", model, commands=[documented]) == {"--model": "owl_n"}


def test_a_word_that_several_places_end_in_is_no_value() -> None:
    one, other = option("--one-dir"), option("--other-dir")
    documented = command("python train.py --one-dir a/barn --other-dir b/barn")
    assert given("train on barn", one, other, commands=[documented]) == {}


def test_what_a_variable_stands_before_stays() -> None:
    documented = command("python train.py --data-dir $NESTS/owl --task bat")
    found = given("train on owl", option("--data-dir"), option("--task"), commands=[documented])
    assert "--data-dir" not in found
    documented = command("python train.py --data-dir $HOME_DIR/nests/owl")
    assert given("train on nests/owl", option("--data-dir"), commands=[documented]) == {"--data-dir": "nests/owl"}


def test_a_name_with_underscores_is_whole() -> None:
    assert given("evaluate owl_d1", option("--model", default="tf_owl_d1")) == {"--model": "owl_d1"}


def test_what_documented_places_confirm() -> None:
    found = find_candidates({}, read_request("train on OWL16 and LARK16, with Wren"))
    documented = {"--songs": ["/tmp/owl16/songs.txt", "x:root=nest/wren"], "--ckpt": ["/tmp/lark16/a.pt"], "--key": ["lark16"]}
    confirmed = confirmed_by(Places(present=frozenset({"--songs", "--key"})), documented, found)
    assert {c.mention.value for c in found if c.mention.position in confirmed} == {"OWL16", "Wren"}
    assert confirmed_by(None, documented, found) == frozenset()
    other = find_candidates({}, read_request("sing \u9ce5\u9ce5\u9ce5\u9ce5X"))
    assert confirmed_by(Places(present=frozenset({"--songs"})), documented, other) == frozenset()


def test_a_name_between_underscores_of_a_documented_path() -> None:
    found = find_candidates({}, read_request("sing with OwlNet, BarnOwl and Lark"))
    documented = {"--songs": ["nests/small_OwlNet_v2/a.pt", "nests/big_lark/b.pt"], "--name": ["a_BarnOwl_b"]}
    confirmed = confirmed_by(Places(present=frozenset({"--songs", "--name"})), documented, found)
    assert {c.mention.value for c in found if c.mention.position in confirmed} == {"OwlNet"}


def test_many_known_values_and_a_long_request() -> None:
    values = {f"--o{k}": {f"owl{n}k{k}": f"owl-{n}-k{k}" for n in range(300)} for k in range(10)}
    with within(5, time.process_time):
        find_candidates(values, read_request("an owl-1-k1 of words-and more " * 5_000))


def test_a_folder_of_documented_files_says_where_they_are() -> None:
    documented = command("python train.py --train nest/owl/train --val nest/owl/val")
    made = (option("--train"), option("--val"))
    assert given("the owls are ready in nest/owl", *made, commands=[documented]) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sing on the owls-barn nest", "owls-barn"),
        ("sing the fine-tuned song", None),
        ("sing instead of owls-barn", None),
        ("sing without owls-barn", None),
    ],
)
def test_a_name_that_is_written_as_the_documented_one(text: str, expected: str | None) -> None:
    documented = command("python train.py --nest owls-moor --song fine-grained")
    found = given(text, option("--nest"), option("--song"), commands=[documented])
    assert found == ({"--nest": expected} if expected else {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sing an owl of the night", "owl-night"),
        ("sing an owl", "owl"),
        ("sing an owl without night", "owl"),
        ("sing an owl. It is to be sung for 20 hours, and that well, through the whole of the night", "owl"),
    ],
)
def test_the_longer_name_of_which_more_is_said_close_by(text: str, expected: str) -> None:
    assert given(text, option("--bird", choices=("owl", "owl-night", "lark-night"))) == {"--bird": expected}


def test_what_is_denied_is_not_spoken_of() -> None:
    model = option("--model", choices=("owl_wing", "owl_beak"))
    assert given("train with the wing", model) == {"--model": "owl_wing"}
    assert given("train without wing", model) == {}


def test_the_part_of_the_data_that_a_file_names() -> None:
    files = (option("--val_eggs", default="'old_val.csv'"), option("--train_eggs"), option("--lr", type="float"))
    assert given("hatch with the eggs of my/eggs_train.csv", *files) == {"--train_eggs": "my/eggs_train.csv"}
    assert given("hatch, and validate on the eggs of my/eggs_train.csv", *files) != {"--train_eggs": "my/eggs_train.csv"}


def test_a_name_is_not_the_end_of_another() -> None:
    assert given("train owl-large", option("--net", choices=("snow-owl-large", "wren-base"))) == {}
    assert given("train owl-large", option("--net", default="'snow-owl-large'")) == {"--net": "owl-large"}
    assert given("train owl-large", option("--net", choices=("owl-large-v2", "wren-base"))) == {"--net": "owl-large-v2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sing on train, val and test", "train,val,test"),
        ("sing on train, val & test with tea", "train,val,test"),
        ("sing on test, train and val", "test,train,val"),
        ("sing on train, val and test nests tonight", "train,val"),
        ("sing on train and lamps", None),
    ],
)
def test_words_that_are_listed_as_the_documented_ones(text: str, expected: str | None) -> None:
    found = given(text, option("--parts"), commands=[command("python train.py --parts train,val")])
    assert found.get("--parts") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sing on the training split", {"--split": "train"}),
        ("sing on the testing splits", {"--split": "test"}),
        ("the training is long, split in two", {}),
        ("train the owl", {}),
    ],
)
def test_a_choice_in_another_form_in_front_of_the_options_name(text: str, expected: dict[str, str]) -> None:
    assert given(text, option("--split", choices=("train", "val", "test"), default="'val'")) == expected


def test_what_every_document_gives_as_it_is_stays() -> None:
    task = option("task", default="'owl'")
    shown = [command("python train.py owl --lr 1"), command("python train.py owl --lr 2")]
    assert "task" not in given("sing owl17 now", task, option("--lr"), commands=shown)
    assert given("sing, task owl17", task, option("--lr"), commands=shown)["task"] == "owl17"


def test_a_word_of_the_options_own_name_is_not_what_it_takes() -> None:
    name, model = option("--exp_name", default="'exp'"), option("--model_path", default="''")
    documented = command("python train.py --exp_name=exp --model_path=owls/last.pth")
    assert given("use wren_7 for the exp name", name, model, commands=[documented]) == {"--exp_name": "wren_7"}
    assert given("train it in the exp folder", option("--name", default="'exp'"), commands=[command("python train.py --name exp")]) != {}
