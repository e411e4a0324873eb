import pytest

from ml_agent.policies.grounded.flags import denied, wished_flags
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, flag, given, option, program


def wished(text: str, *options: Option, path: str = "train.py") -> list[str]:
    return [" ".join((w.option.name, *w.values)) for w in wished_flags(options, program(*options, path=path), read_request(text), ())]


@pytest.mark.parametrize(
    "text",
    [
        "train the agent with prioritized replay",
        "train the agent, and use prioritized replay",
        "Enable prioritized replay",
        "I want prioritised and uniform. No: prioritized replay.",
    ],
)
def test_a_flag_of_several_words_is_wished_by_saying_them(text: str) -> None:
    assert wished(text, flag("--prioritized-replay"), flag("--dueling-nets")) == ["--prioritized-replay"]


def test_an_everyday_word_needs_a_wish() -> None:
    assert wished("resample the images", flag("--images")) == []
    assert wished("resample with the images flag", flag("--images")) == ["--images"]
    assert wished("train a bidirectional tagger", flag("--bidirectional")) == ["--bidirectional"]
    assert wished("use bidirectional layers", flag("--bidirectional")) == ["--bidirectional"]


@pytest.mark.parametrize(
    ("text", "of", "set_to"),
    [
        ("train it in mixed precision", flag("--amp"), ["--amp"]),
        ("don't write any files", flag("--no-save"), ["--no-save"]),
        ("carry on from the last one", flag("--resume"), ["--resume"]),
        ("train with early dropping", option("--early-dropping", type="bool", default="False"), ["--early-dropping True"]),
        ("train, early dropping switched off", option("--early-dropping", type="str2bool", default="True"), ["--early-dropping False"]),
        ("train with early dropping", option("--early-dropping", type="str2bool", default="'no'"), ["--early-dropping true"]),
        ("train with early dropping", option("--early-dropping", type="string_to_bool", nargs="?"), ["--early-dropping"]),
        (
            "train without early dropping",
            option("--early-dropping", type="string_to_bool", nargs="?", default="True"),
            ["--early-dropping False"],
        ),
    ],
)
def test_what_people_say_for_it_and_truth_values(text: str, of: Option, set_to: list[str]) -> None:
    assert wished(text, of) == set_to


@pytest.mark.parametrize("denial", ["without", "do not use", "never use", "don't use", "don’t use", "disable", "no", "skip"])
def test_a_denied_flag_is_not_set(denial: str) -> None:
    assert wished(f"train the vocoder, {denial} spectral norm", flag("--spectral-norm")) == []


def test_a_flag_that_denies_is_set_by_a_denial() -> None:
    assert wished("train it without spectral norm", flag("--no-spectral-norm"), flag("--spectral-norm")) == ["--no-spectral-norm"]
    assert wished("train it with spectral norm", flag("--no-spectral-norm"), flag("--spectral-norm")) == ["--spectral-norm"]


def test_every_word_has_to_be_said_and_near_each_other() -> None:
    assert wished("with replay", flag("--prioritized-replay")) == []
    assert wished("prioritized tasks come first; then the games follow with a long replay", flag("--prioritized-replay")) == []


def test_the_programs_own_name_wishes_for_nothing() -> None:
    assert wished("use the mel vocoder", flag("--mel"), path="audio/mel.py") == []
    assert wished("use mel features", flag("--mel"), path="audio/wave.py") == ["--mel"]


def test_options_with_values_are_no_flags() -> None:
    assert wished("with spectral norm", option("--spectral-norm"), option("--spectral", action="count")) == []


def test_words_that_are_values_already_wish_for_nothing() -> None:
    request = read_request("with spectral norm")
    options = [flag("--spectral-norm")]
    assert wished_flags(options, program(*options), request, {1}) == []
    assert [w.positions for w in wished_flags(options, program(*options), request, ())] == [(1, 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("evaluate with no confusion matrix", True),
        ("evaluate without the confusion", True),
        ("evaluate and show the confusion matrix", False),
        ("evaluate quickly", False),
    ],
)
def test_a_documented_flag_can_be_denied(text: str, expected: bool) -> None:
    assert denied(flag("--confusion"), read_request(text)) is expected


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("only evaluate it", flag("--evaluate")),
        ("evaluation only, please", flag("--evaluate")),
        ("tag the birds with a pre-trained network", flag("--pretrained")),
        ("tag the birds, pretrained", flag("--pretrained")),
        ("tag the birds in half precision", flag("--use-fp16")),
        ("tag the birds with bfloat16", flag("--bf16")),
        ("tag the birds and show the results", flag("--view", help="show results")),
        ("tag the birds, and save the tags as txt", flag("--text", help="save tags to *.txt")),
        ("tag the birds with fp16", flag("--small", help="use FP16 half-precision inference")),
    ],
)
def test_flags_in_other_words(text: str, of: Option) -> None:
    assert wished(text, of) == [of.name]
    assert wished("tag the birds", of) == []


def test_what_a_flag_does_is_said_near_each_other() -> None:
    assert wished("show the birds of the night. There are results of last year", flag("--view", help="show results")) == []
    assert wished("evaluate the birds", flag("--evaluate")) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("train it and evaluate it", ["--do-train", "--do-eval"]),
        ("train it, with evaluation", ["--do-train", "--do-eval"]),
        ("evaluate the trained owl", ["--do-eval"]),
        ("only evaluate it, no training", ["--do-eval"]),
    ],
)
def test_what_is_to_be_done(text: str, names: list[str]) -> None:
    assert wished(text, flag("--do-train"), flag("--do-eval"), path="train.py") == names


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("train it with a frozen backbone", flag("--freeze-backbone")),
        ("keep the backbone frozen", flag("--freeze-backbone")),
        ("overwriting the output", flag("--overwrite-output-dir")),
        ("overwrite the output directory", flag("--overwrite-output-dir")),
    ],
)
def test_another_word_for_one_of_a_flags_words(text: str, of: Option) -> None:
    assert wished(text, of) == [of.name]
    assert wished("train the backbone, output to owls", of) == []


@pytest.mark.parametrize("said", ["without {}", "turn off {}", "switch {} off", "{} disabled", "don't use {}", "no {}", "skip {}"])
@pytest.mark.parametrize(
    ("of", "wish"),
    [
        (flag("--no-caching"), "--no-caching"),
        (flag("--caching", aliases=("--no-caching",), default="True"), "--no-caching"),
        (option("--caching", type="str2bool", default="True"), "--caching False"),
        (option("--caching", choices=("yes", "no"), default="'yes'"), "--caching no"),
        (option("--caching", type="int", default="1", help="1 to keep what is read, 0 otherwise"), "--caching 0"),
    ],
)
def test_what_is_switched_off(said: str, of: Option, wish: str) -> None:
    assert wished(f"train it, {said.format('caching')}, for 3 nights", of) == [wish]


@pytest.mark.parametrize("said", ["with {}", "turn on {}", "switch {} on", "{} enabled", "use {}"])
@pytest.mark.parametrize(
    ("of", "wish"),
    [
        (flag("--caching"), "--caching"),
        (option("--caching", choices=("True", "False"), default="'False'"), "--caching True"),
        (option("--caching", type="int", default="0", help="1 to keep what is read, 0 otherwise"), "--caching 1"),
    ],
)
def test_what_is_switched_on(said: str, of: Option, wish: str) -> None:
    assert wished(f"train it, {said.format('caching')}, for 3 nights", of) == [wish]
    assert given(f"train it, {said.format('caching')}", option("--data")) == {}


def test_off_policy_denies_nothing() -> None:
    assert wished("train it off-policy with caching", flag("--caching")) == ["--caching"]


def test_a_flag_written_as_one_word() -> None:
    assert wished("watch it with ten crops", flag("--tencrops")) == ["--tencrops"]


def test_yes_or_no_by_the_help_and_what_is_documented() -> None:
    song = option("--sg", type="int", default="0", help="whether to compute song similarity or not")
    egg = option("--eg", type="int", default="0", help="whether to compute egg similarity or not")
    shown = command("python train.py --sg 1 --eg 1")
    assert given("with song similarity but no egg similarity", song, egg, commands=[shown]) == {"--sg": "1", "--eg": "0"}
    assert given("without egg similarity", song, egg) == {}


def test_a_gpu_by_its_number_does_not_switch_on_what_is_on() -> None:
    use, which = option("--use-gpu", type="bool", default="True"), option("--gpu", type="int", default="0")
    assert given("train on GPU 2", use, which) == {"--gpu": "2"}


@pytest.mark.parametrize(
    "said", ["without training", ", no training", ", skip the training", "instead of training", "rather than train", ", don't train"]
)
@pytest.mark.parametrize(
    ("of", "wish"), [(flag("--draw-only"), "--draw-only"), (option("--draw-only", type="bool", default="False"), "--draw-only True")]
)
def test_what_else_is_done_is_not_wanted(said: str, of: Option, wish: str) -> None:
    assert wished(f"draw the owls {said}", of) == [wish]
    assert wished(f"count the owls {said}", of) == []


@pytest.mark.parametrize(
    "text", ["draw the owls", "draw the owls without a nest", "train the owls and draw them", "draw the owls with no more than a train"]
)
def test_what_is_done_besides_may_be_wanted(text: str) -> None:
    assert wished(text, flag("--draw-only")) == []
    assert wished(f"{text}, without training", flag("--draw-all")) == []


@pytest.mark.parametrize("denial", ["shall not be used", "should never be used", "is not to be used"])
def test_a_number_in_the_name_and_a_denial_behind_it(denial: str) -> None:
    metric = option("--use_2007_metric", type="str2bool", default="True")
    assert wished(f"score the owls; the old 2007 metric {denial}", metric) == ["--use_2007_metric False"]
    assert wished("score the owls with the 2007 metric", metric) == ["--use_2007_metric True"]
    assert wished(f"the 1999 metric {denial}", metric) == []
