"""How well a value suits an option, where nothing names the option in so many words."""

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.fitting import Candidate, Places, fits, score
from ml_agent.policies.grounded.request import Mention, read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, given, option


def strength(text: str, value: str, of: Option, *examples: str, places: Places | None = None) -> float:
    request = read_request(text)
    mention = next(m for m in request.mentions if m.value == value)
    return score(of, Candidate(mention, {}), Surroundings(request), examples, places)[0]


@pytest.mark.parametrize(
    ("text", "value", "right", "wrong"),
    [
        ("train owlnet on lsun", "lsun", "--dataset", "--optimizer"),
        ("validate owl_v2 on /data/birds", "owl_v2", "--model", "--model-dtype"),
        ("validate owl_v2 on /data/birds", "/data/birds", "--data", "--output-dir"),
        ("turn song.wav into out/owl.wav", "out/owl.wav", "--output", "--seed-file"),
        ("transcribe talk.mp3", "talk.mp3", "--audio", "--config"),
    ],
)
def test_what_people_leave_unsaid(text: str, value: str, right: str, wrong: str) -> None:
    assert strength(text, value, option(right)) >= 0.4
    assert strength(text, value, option(wrong)) < strength(text, value, option(right))


def test_a_value_like_a_documented_one_fits_that_option() -> None:
    text = "play with the weights of owl_large.pth"
    assert strength(text, "owl_large.pth", option("--resume"), "runs/owl_small.pth") > 0.6
    assert strength(text, "owl_large.pth", option("--key"), "teacher") < 0.4


def test_a_picture_is_no_settings_file_and_a_name_no_place() -> None:
    assert strength("look at nest/owl.jpg with its config file", "nest/owl.jpg", option("--config_file", required=True)) < 0.4
    assert strength("train on the Owl path", "Owl", option("--train_path"), "./nest/owl-train") < 0.4


def test_a_number_is_no_path_and_no_fraction_an_integer() -> None:
    assert strength("an output of 12", "12", option("--output")) < 0.4
    assert strength("a size of 0.5", "0.5", option("--size", type="int")) == 0.0
    assert strength("a size of 5", "5", option("--size", type="int")) > 0.9


def test_choices_are_taken_only_if_they_are_among_them() -> None:
    assert strength("an order of 2", "2", option("--order", choices=("1", "2", "3"))) > 0.9
    assert strength("an order of 7", "7", option("--order", choices=("1", "2", "3"))) == 0.0


OPEN, PRESENT = Places(open=frozenset({"--tune"})), Places(present=frozenset({"--tune"}))


@pytest.mark.parametrize(
    ("text", "value"), [("sing owls/night", "owls/night"), ("sing 'owl song'", "owl song"), ("sing owl_song", "owl_song")]
)
def test_an_option_that_is_open_takes_what_nothing_names(text: str, value: str) -> None:
    assert strength(text, value, option("--tune"), places=OPEN) >= 0.4
    assert strength(text, value, option("--tune")) == 0.0
    assert strength(text, value, option("--song"), places=OPEN) == strength(text, value, option("--song"))
    assert strength(text, value, option("--tune", type="int"), places=OPEN) == 0.0


def test_an_open_option_takes_no_bare_number() -> None:
    assert strength("sing it with 7", "7", option("--tune"), places=OPEN) == 0.0


def test_a_value_that_is_present_is_replaced_rather_than_another_added() -> None:
    text = "with a tune of 'night'"
    assert strength(text, "night", option("--tune"), places=PRESENT) == pytest.approx(strength(text, "night", option("--tune")) + 0.08)
    assert strength("sing 'night'", "night", option("--tune"), places=PRESENT) == 0.0  # nothing else speaks for it


@pytest.mark.parametrize(
    ("text", "name", "fits"),
    [
        ("save everything in runs/owl", "--output-dir", True),
        ("put the snapshots under runs/owl", "--output-dir", True),
        ("sing into runs/owl", "--output-dir", True),
        ("save everything in runs/owl", "--log-dir", False),
        ("keep the logs in runs/owl", "--log-dir", True),
        ("tensorboard in runs/owl", "--log-dir", True),
        ("keep the logs in runs/owl", "--output-dir", False),
        ("sing in runs/owl", "--output-dir", False),
        ("save everything in runs/owl", "--save-steps", False),
    ],
)
def test_a_place_to_write_to(text: str, name: str, fits: bool) -> None:
    assert (strength(text, "runs/owl", option(name)) >= 0.7) is fits


def test_a_format_is_no_place_to_write_to() -> None:
    assert strength("save it as 'owl'", "owl", option("--output")) >= 0.75
    assert strength("sing it into 'owl'", "owl", option("--output-format")) < 0.75


def test_logs_and_results_go_each_to_their_own() -> None:
    options = [option("--log-dir"), option("--output-dir")]
    asked = "save the results in runs/owl, logs in runs/night"
    assert given(asked, *options) == given(asked, *reversed(options)) == {"--output-dir": "runs/owl", "--log-dir": "runs/night"}


@pytest.mark.parametrize(
    ("value", "name", "fits"),
    [
        ("runs/checkpoint_42", "--checkpoint-path", True),
        ("runs/checkpoint_42", "--ckpt", True),
        ("runs/checkpoint_42", "--melody-path", False),
        ("runs/data_42", "--data-path", False),  # a word of too many names
    ],
)
def test_a_file_that_is_called_as_the_option(value: str, name: str, fits: bool) -> None:
    assert (strength(f"sing {value}", value, option(name)) >= 0.6) is fits


@pytest.mark.parametrize("name", ["--lr", "--learning-rate"])
def test_a_bare_number_in_scientific_notation_is_the_learning_rate(name: str) -> None:
    assert strength("train it with 3e-4", "3e-4", option(name, type="float")) >= 0.4
    assert strength("train it with 0.0003", "0.0003", option(name, type="float")) == 0.0
    assert strength("train it with 3e-4", "3e-4", option(f"{name}-warmup-share", type="float")) == 0.0
    assert strength("train it with 3e-4", "3e-4", option("--gamma", type="float")) == 0.0


def test_yes_or_no_is_no_value_of_the_request() -> None:
    assert strength("with a shuffle of 7", "7", option("--shuffle", type="bool")) == 0.0
    assert strength("with a shuffle of 'x'", "x", option("--shuffle", default="False")) == 0.0
    assert strength("with a shuffle of 'x'", "x", option("--shuffle")) > 0.9


def test_a_capitalised_name_unlike_the_documented_values_is_worth_less() -> None:
    text = "on the benchmark Mars"
    alone = strength(text, "Mars", option("--benchmark"))
    assert strength(text, "Mars", option("--benchmark"), "owl-small") < 0.7 * alone
    assert strength(text, "Mars", option("--benchmark"), "owl-small", "Marsh") == alone


def test_a_file_is_for_the_option_that_is_called_as_its_kind() -> None:
    assert strength("turn owl.h5 around", "owl.h5", option("--h5-file")) > 0.6
    assert strength("sing scene.json", "scene.json", option("--scene-json")) > strength(
        "sing scene.json", "scene.json", option("--scene-dir")
    )


def test_a_device_is_for_devices() -> None:
    assert strength("run on cuda:1", "cuda:1", option("--device")) >= 0.4
    assert strength("run on cuda:1", "cuda:1", option("--dataset")) == 0.0


def test_two_words_of_a_name_that_have_a_short_form() -> None:
    assert strength("a step size of 0.5", "0.5", option("--learning-rate")) > 0.5


def test_a_number_is_no_value_where_documents_give_texts() -> None:
    text = "a chorus of 2"
    assert strength(text, "2", option("-chorus"), "owl.pt", "lark.pt") < 0.4
    assert strength(text, "2", option("-chorus")) > 0.8


def test_a_checkpoint_may_be_called_by_its_step() -> None:
    text = "sing with nest/owl_58000"
    assert strength(text, "nest/owl_58000", option("--owl-path"), "owl_v5.pt") > 0.4
    assert strength("sing with nest/owl", "nest/owl", option("--owl-path"), "owl_v5.pt") < 0.4


def test_a_hub_name_is_a_model_rather_than_data() -> None:
    text = "tune nest/owl-7b"
    assert strength(text, "nest/owl-7b", option("--model-name-or-path")) > strength(text, "nest/owl-7b", option("--data-path"))


def test_what_is_named_so_is_a_name_or_an_output() -> None:
    assert strength("the fruit be named owl7b-x", "owl7b-x", option("--output")) >= 0.5


def test_a_name_that_is_the_telling_part_of_a_known_value_is_that_value() -> None:
    net = option("--model_type", default="'dpt_heron_large_384'", compared=("dpt_heron_large_384", "dpt_leowl_224", "dpt_owl2_base_256"))
    assert given("depth by LeOWL", net) == {"--model_type": "dpt_leowl_224"}
    assert given("depth by the Owl2 for 256 pixels", net) == {"--model_type": "dpt_owl2_base_256"}
    assert given("depth by the model crane_v2", net) == {"--model_type": "crane_v2"}
    assert given("judged with OwlNet", option("--net", compared=("owl", "lark"))) == {"--net": "owl"}


def test_behind_on_stands_no_model() -> None:
    assert strength("sing on OwlNest", "OwlNest", option("--model")) < 0.4
    assert strength("sing with OwlNest", "OwlNest", option("--model")) >= 0.4


def test_a_name_is_for_the_option_that_has_its_kin() -> None:
    assert strength("watch OWLX-Tiny sing", "OWLX-Tiny", option("--name"), "owlx-s") >= 0.6
    assert strength("watch OWLX-Tiny sing", "OWLX-Tiny", option("--name"), "lark-s") == 0.0


def test_pictures_are_no_weights_and_weights_no_pictures() -> None:
    text = "draw owl.png with lines.pth"
    assert strength(text, "owl.png", option("--ckpt", required=True), places=Places(open=frozenset({"--ckpt"}))) < 0.3
    assert strength(text, "lines.pth", option("--image", required=True), places=Places(open=frozenset({"--image"}))) < 0.3


def test_a_path_is_not_one_of_a_few_words() -> None:
    assert strength("rate the owls in nests/owls", "nests/owls", option("owls", required=True, compared=("val", "test"))) < 0.4


def test_a_documented_value_in_quotes_is_meant() -> None:
    request = read_request("rate the owls in 'data'")
    candidate = Candidate(request.mentions[0], {"data": "data"})
    assert score(option("data", help="path"), candidate, Surroundings(request), ("data",))[0] >= 0.7


def test_a_folder_is_not_called_by_a_name_where_paths_are_given() -> None:
    embedding = option("embed_dir", help="folder of the embeddings")
    assert strength("rate the Owl embeddings of nests/owls", "Owl", embedding) < strength("rate the Owl embeddings", "Owl", embedding)


def test_what_is_played_stands_behind_on() -> None:
    assert strength("train the owl on Nestfall-v3", "Nestfall-v3", option("--env")) >= 0.4


def test_an_ending_is_for_options_that_take_one() -> None:
    assert (
        strength("the pictures are .png files", ".png", option("--suffix")) >= strength("all .png files", ".png", option("--image")) == 0.0
    )


def test_a_bare_name_is_no_file() -> None:
    assert strength("a file of Owl", "Owl", option("--train_file")) < 0.2 < strength("a model of Owl", "Owl", option("--train_model"))


def test_how_often_something_is_done() -> None:
    often, number = option("--save-steps", type="int", default="100"), option("--num-steps", type="int", default="9")
    assert given("save a snapshot every 500", often, number) == {"--save-steps": "500"}


def test_numbers_go_where_the_usual_value_is_made_of_them() -> None:
    counts = option("--fan-out", default="'10,25'")
    assert given("with a fan-out of 15,30", counts) == {"--fan-out": "15,30"}


PROMPT, FILE, OUT = (
    option("--prompt", help="the text to render"),
    option("--from-file", help="load prompts from this file"),
    option("--outdir"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paint the prompts in prompts.txt", {"--from-file": "prompts.txt"}),
        ("turn it into 'a cosy little cottage'", {"--prompt": "a cosy little cottage"}),
        ("paint a picture of a red fox in the snow", {"--prompt": "a red fox in the snow"}),
    ],
)
def test_texts_and_files_of_texts(text: str, expected: dict[str, str]) -> None:
    assert given(text, PROMPT, FILE, OUT) == expected


def test_what_is_counted_follows_what_is_done() -> None:
    options = option("--n-samples", type="int"), option("--ddim-steps", type="int", help="number of sampling steps")
    assert given("with 25 sampling steps", *options) == {"--ddim-steps": "25"}
    assert given("with 25 samples", *options) == {"--n-samples": "25"}


def test_no_file_for_what_is_documented_with_numbers() -> None:
    assert given("train with /data/x", option("PROC", required=True), commands=[command("python train.py 4")]) == {}


def test_a_secret_is_no_path() -> None:
    text = "start from birds/owl-7b, no token needed"
    assert strength(text, "birds/owl-7b", option("--token"), places=Places(open=frozenset({"--token"}))) == 0.0
    assert strength(text, "birds/owl-7b", option("--model"), places=Places(open=frozenset({"--model"}))) > 0.5


def test_the_version_of_a_name_is_no_place() -> None:
    nests = option("nests", help="path to the nests")
    assert [fits(nests, Mention(v, "identifier", 0, v)) > 0 for v in ("v2", "V1.5", "owl_v2", "v2_owls")] == [False, False, True, True]
    assert fits(option("--release"), Mention("v2", "identifier", 0, "v2")) > 0
