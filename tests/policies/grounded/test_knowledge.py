"""Values that options are known to take, and how requests speak of them."""

import pytest

from ml_agent.policies.grounded.knowledge import file_stems, known_values, listed, spoken_of, word_beside
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, given, option


def spoken(text: str, *values: str) -> str | None:
    found = spoken_of(known_values(option("--net", choices=values), ()), read_request(text))
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("train the tiny variant", "owlnet_tiny"),
        ("train owlnet, the large one", "owlnet_large"),
        ("train owlnet", None),
        ("tiny or large, who cares", None),
    ],
)
def test_a_value_is_spoken_of_by_the_piece_that_the_others_lack(text: str, value: str | None) -> None:
    assert spoken(text, "owlnet_tiny", "owlnet_large", "owlnet_huge") == value


def test_a_value_that_is_spoken_of_is_placed() -> None:
    net = option("--model", choices=("owlnet_tiny", "owlnet_large"))
    assert given("train the large model for 3 epochs", net, option("--epochs", type="int")) == {"--model": "owlnet_large", "--epochs": "3"}


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("with a cosine schedule", "--lr-scheduler", "cosine"),
        ("with the adamw optimizer", "--optimizer", "adamw"),
        ("on cpu", "--device", "cpu"),
    ],
)
def test_usual_values(text: str, name: str, value: str) -> None:
    assert given(text, option(name)) == {name: value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("train on the maps dataset", "maps"),
        ("the dataset should be night2day", "night2day"),
        ("train on my own dataset", None),
        ("train the model on a large dataset", None),
        ("A dataset is a dataset, but I mean the maps dataset", "maps"),
    ],
)
def test_a_plain_word_beside_the_name(text: str, value: str | None) -> None:
    found = word_beside(option("--dataset-name"), ("facades",), read_request(text))
    assert (found[0] if found else None) == value


@pytest.mark.parametrize(("known", "value"), [(("medium", "turbo"), "small"), (("owl", "lark"), None)])
def test_a_size_is_a_name_where_sizes_are(known: tuple[str, ...], value: str | None) -> None:
    found = word_beside(option("--model", type="name_of_model"), known, read_request("sing with the small model"))
    assert (found[0] if found else None) == value
    assert word_beside(option("--model", type="str_list"), known, read_request("sing with the small model")) is None


def test_no_word_is_taken_where_the_known_values_are_no_plain_words() -> None:
    request = read_request("train on the maps dataset")
    assert word_beside(option("--dataset"), ("data/a.csv",), request) is None
    assert word_beside(option("--dataset"), (), request) is None
    assert word_beside(option("--dataset", choices=("a", "b")), ("a",), request) is None


def test_it_takes_the_place_of_the_documented_value() -> None:
    documented = command("python train.py --dataset facades")
    assert given("train on the maps dataset", option("--dataset"), commands=[documented]) == {"--dataset": "maps"}


def test_two_values_that_are_spoken_of_as_much_are_none() -> None:
    assert spoken("the large night variant", "owlnet_large", "elknet_night") is None
    assert spoken("the large night variant", "owlnet_large_night", "elknet_night") == "owlnet_large_night"
    assert spoken("the large one", "owlnet_large") is None  # one value has none to differ from
    request = read_request("an rbf kernel")
    assert spoken_of({"svcrbf": "svc-rbf", "svcpoly": "svc-poly"}, request) == ("svc-rbf", (1,))


@pytest.mark.parametrize(
    ("made", "value", "known"),
    [
        (option("--lr_scheduler"), "polynomial", True),
        (option("--optim"), "adafactor", True),
        (option("--act"), "gelu", True),
        (option("--accelerator"), "mps", True),
        (option("--device", type="int"), "mps", False),
        (option("--optimizer", choices=("fast", "slow")), "adamw", False),
        (option("--owl"), "adamw", False),
    ],
)
def test_what_most_programs_take(made: Option, value: str, known: bool) -> None:
    assert (value in known_values(made, ())) is known


def test_a_percentage_is_given_as_the_option_takes_it() -> None:
    assert given("hold out 15 percent for validation", option("--validation", type="float", default="10.0")) == {"--validation": "15"}
    assert given("hold out 15 percent for validation", option("--validation", type="float", default="0.1")) == {"--validation": "0.15"}
    assert given("hold out 15% for validation", option("--validation", default="'20%'")) == {"--validation": "15%"}


def test_what_the_code_asks_for_takes_the_place_of_a_documented_value() -> None:
    bird = option("--bird", type="str", default="'owl'", compared=("OwlNet", "HeronNet", "EgretNet"))
    assert given("train heronnet on the pond data", bird, commands=[command("python train.py --bird OwlNet")]) == {"--bird": "HeronNet"}
    assert known_values(bird, ["owlnet"]) == {"owlnet": "owlnet", "heronnet": "HeronNet", "egretnet": "EgretNet", "owl": "owl"}


def test_values_that_the_code_asks_for_bring_no_others() -> None:
    made = option("--part", compared=("wing", "beak"))
    assert "tail" not in known_values(made, (), [frozenset({"wing", "tail"})])
    assert "tail" in known_values(made, ["wing"], [frozenset({"wing", "tail"})])


def test_what_is_abbreviated_numbered_or_of_a_version_is_spoken_of() -> None:
    assert spoken("train the variational graph auto-encoder", "gcn_vae", "gcn_ae") == "gcn_vae"
    assert spoken("the owl for 384 pixels", "owl_base_224", "owl_base_384") == "owl_base_384"
    assert spoken("the 2B mono model", "owl-350M-mono", "owl-2B-mono", "owl-2B-multi") == "owl-2B-mono"
    assert spoken("trained on Larks30k", "eval_larks", "eval_owls") == "eval_larks"


FILES = ("models/owlnet_cls.py", "models/owlnet_seg.py", "models/__init__.py", "models/utils.py", "models/notes.md", "train.py")


def test_the_name_of_a_file_makes_those_beside_it_known() -> None:
    stems = file_stems(FILES)
    assert set(stems) == {"owlnetcls", "owlnetseg", "/model"}
    net = option("--model", default="'owlnet_cls'")
    assert set(known_values(net, (), (), stems)) == {"owlnetcls", "owlnetseg"}
    assert known_values(net, ("owlnet-cls",), (), stems)["owlnetseg"] == "owlnet-seg"
    assert set(known_values(option("--model", default="'lark'"), (), (), stems)) == {"lark"}


def test_an_option_that_is_called_as_a_folder_takes_the_names_of_its_files() -> None:
    stems = file_stems(("templates/owl_short.json", "templates/owl_long.json", "songs/lark.py", "songs/wren.py"))
    assert set(known_values(option("--prompt_template", default="''"), (), (), stems)) == {"owlshort", "owllong"}
    assert known_values(option("--prompt_template", default="'hen'"), (), (), stems) == {"hen": "hen"}  # it takes something else
    assert known_values(option("--template_id", type="int"), (), (), stems) == {}


def test_a_placeholder_is_no_value_but_what_it_lists_is() -> None:
    assert known_values(option("--nest"), ["<owl_train_list>"]) == {}
    assert known_values(option("--nest"), ["[oak/elm]"]) == {"oak": "oak", "elm": "elm"}


def test_a_word_that_begins_with_a_value_speaks_of_it() -> None:
    scheduler = option("--song-scheduler", choices=("poly", "step", "cos"))
    assert given("let the song follow the cosine schedule", scheduler) == {"--song-scheduler": "cos"}
    assert given("a cosy nest for the lark", scheduler) == {}  # nothing says that it is meant
    model = option("--model", choices=("owl", "wren"))
    assert given("the owlish model", model) == {}  # of models and data whole words are said


def test_a_version_with_a_nought_and_a_size_with_its_unit() -> None:
    nets = option("--upstream", compared=("owlnet", "owlnet2", "lark"))
    assert given("train upon owlnet 2.0 as the upstream", nets) == {"--upstream": "owlnet2"}
    sizes = option("--model", choices=("owl-350M-multi", "owl-350M-mono", "owl-2B-mono"))
    assert given("the 350M multi-language owl model", sizes) == {"--model": "owl-350M-multi"}


def test_a_language_is_its_code_where_codes_are_known() -> None:
    spoken = option("--lang", nargs="+")
    documented = command("python train.py --lang en sw")
    assert given("read the birds in French and Dutch", spoken, commands=[documented]) == {"--lang": "fr nl"}
    assert known_values(option("--lang"), ["eng"])["japanese"] == "jpn"
    assert known_values(option("--lang", choices=("en", "nl")), []).get("french") is None
    assert known_values(option("--bird"), ["en"]).get("french") is None


@pytest.mark.parametrize(("documented", "value"), [("Dutch", "French"), ("dutch", "french")])
def test_a_language_is_its_name_where_names_are_documented(documented: str, value: str) -> None:
    shown = command(f"python train.py --lang {documented}")
    assert given("read the birds in French", option("--lang"), commands=[shown]) == {"--lang": value}


def test_of_two_known_values_one_inside_the_other_the_longer_is_meant() -> None:
    assert given("train on the mini owls", option("--set", choices=("owls", "minilarks", "miniowls"))) == {"--set": "miniowls"}


def test_a_known_value_that_is_passed_over_is_none() -> None:
    assert given("sing as an owl (not as hens), not larks", option("--bird", choices=("owl", "larks"))) == {"--bird": "owl"}
    assert given("sing anything rather than larks", option("--bird", choices=("owl", "larks"))) == {}


def test_what_is_done_and_to_what_names_no_option() -> None:
    molt = option("--molt_type")
    assert word_beside(molt, ["early"], read_request("the owl molting, and molt the hens")) is None
    assert word_beside(molt, ["early"], read_request("the late molt")) == ("late", 1)


def test_a_name_with_its_number_apart() -> None:
    model = option("--model", compared=("owlnet18", "owlnet50"))
    assert given("with an OwlNet 50 for 3 nights", model, option("--nights", type="int")) == {"--model": "owlnet50", "--nights": "3"}


def test_what_is_to_be_left_away_is_no_value() -> None:
    assert given("count the owls without cuda", option("--device", default="'cuda'", compared=("cuda", "cpu"))) == {}


def test_an_everyday_word_names_no_value_that_stands_in_the_way_of_another() -> None:
    mode = option("--mode", choices=("train", "interpolate"))
    assert given("train in interpolation mode", mode) == {"--mode": "interpolate"}


def test_a_word_behind_what_something_is_done_with_names_nothing() -> None:
    assert given("train the model with plain settings, model owl", option("--model", default="'owl'")) == {"--model": "owl"}
    assert given("train the model with weight on", option("--model", default="'owl'")) == {}


def test_hydras_own_configuration_is_given_to_who_speaks_of_one() -> None:
    config, data = option("--config-name"), option("data_dir", assigned=True, default="'nests'")
    assert given("the data are in birds/2024", config, data) == {"data_dir": "birds/2024"}
    assert given("with the config night_owls", config) == {"--config-name": "night_owls"}
    assert given("the run is named night_owls", config) == {}


@pytest.mark.parametrize("text", ["call it owl3", "the run is named owl3", "call this owl3"])
def test_what_it_is_called_is_no_model(text: str) -> None:
    assert given(text, option("--model", default="'wren'"), option("--exp-name", default="'x'")) == {"--exp-name": "owl3"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Specify an optimizer: adagrad, adam, rmsprop, sgd", ["adagrad", "adam", "rmsprop", "sgd"]),
        ("kind of nest (open | closed)", ["open", "closed"]),
        ("mode, options: [one, two or three]", ["one", "two", "three"]),
        ("the nest: oak, elm", []),
        ("how long it takes, in hours", []),
        ("", []),
    ],
)
def test_words_that_a_help_lists(text: str, words: list[str]) -> None:
    assert listed(text) == words


def test_a_listed_word_is_a_value() -> None:
    learner = option("--learner", default="'adam'", help="an optimizer: adagrad, adam or sgd")
    assert given("train it with SGD", learner) == {"--learner": "sgd"}


def test_what_is_short_for_a_word() -> None:
    pool = option("--pooling", choices=("max", "avg"), default="'max'")
    assert given("train it with average pooling", pool) == {"--pooling": "avg"}
    assert given("train an average owl", pool) == {}


@pytest.mark.parametrize("text", ["mean pooling", "pooling set to mean", "mean as the pooling"])
def test_a_kind_of_what_is_done(text: str) -> None:
    assert given(f"train it with {text}", option("--pooling", default="'cls'")) == {"--pooling": "mean"}


def test_the_usual_place_is_not_said_by_its_name() -> None:
    assert given("save the checkpoints every 5 rounds", option("--save-dir", default="'checkpoints'")) == {}


def test_sides_of_a_translation_take_languages_where_codes_are_documented() -> None:
    sides = (option("--src"), option("--tgt"))
    documented = command("python train.py --src vi --tgt en")
    assert given("translate from English to Vietnamese", *sides, commands=[documented]) == {"--src": "en", "--tgt": "vi"}
    assert given("translate from English to Vietnamese", *sides, commands=[command("python train.py --src owl --tgt lark")]) == {}


@pytest.mark.parametrize(
    ("of", "taken"),
    [
        (option("--template", default="None"), True),
        (option("--template", default="'x/owl.png'", type="str"), False),
        (option("--template", default="5"), False),
        (option("--template", default="[]"), False),
        (option("bird.template", assigned=True), True),
        (option("template.bird", assigned=True), False),
    ],
)
def test_a_folders_names_are_for_options_without_another_default_by_their_last_part(of: Option, *, taken: bool) -> None:
    stems = file_stems(("templates/owl_short.json", "templates/owl_long.json"))
    assert ("owlshort" in known_values(of, (), (), stems)) is taken
