import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.fill import Fill, fill
from ml_agent.policies.grounded.fitting import Places
from ml_agent.policies.grounded.knowledge import choice_families, known_values
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, filled, flag, given, option, program

LR = option("--lr", type="float", default="0.1")
EPOCHS = option("--epochs", type="int", default="10")


@pytest.mark.parametrize(
    "text",
    [
        "train the drum tagger with a learning rate of 0.01",
        "train the drum tagger, learning rate = 0.01",
        "train with lr 0.01",
        "use 0.01 as the learning rate",
        "train at a 0.01 learning rate for the tagger",
        "The learning rate should be set to 0.01.",
        "Learning rate: 0.01",
    ],
)
def test_a_value_goes_to_the_option_that_is_named(text: str) -> None:
    assert given(text, option("--momentum", type="float"), LR, EPOCHS) == {"--lr": "0.01"}


def test_two_numbers_of_one_sentence() -> None:
    options = [option("--lr", type="float"), option("--batch_size", type="int"), option("--n_heads", type="int"), EPOCHS]
    said = "Train for 40 epochs with a batch size of 16, 8 heads and a learning rate of 3e-4."
    assert given(said, *options) == {"--epochs": "40", "--batch_size": "16", "--n_heads": "8", "--lr": "3e-4"}


def test_number_before_and_after() -> None:
    options = [option("--width", type="int"), option("--depth", type="int")]
    assert given("a depth of 4 and a width of 9", *options) == given("4 depth, 9 width", *options) == {"--depth": "4", "--width": "9"}


def test_the_number_of_epochs_and_not_the_epoch_to_start_from() -> None:
    options = [
        option("--epoch", type="int", help="epoch to start training from"),
        option("--n_epochs", type="int", help="number of epochs"),
    ]
    assert given("train the generator for 100 epochs", *options) == {"--n_epochs": "100"}
    assert given("train the generator for 100 epochs", *reversed(options)) == {"--n_epochs": "100"}
    assert given("go on with the generator from epoch 100", *options) == {"--epoch": "100"}
    assert given("go on with the generator from epoch 100", *reversed(options)) == {"--epoch": "100"}
    bare = [option("--epoch", type="int"), option("--epochs", type="int")]
    assert given("train for 100 epochs", *bare) == given("train for 100 epochs", *reversed(bare)) == {"--epochs": "100"}
    assert given("go on from epoch 40 for 100 epochs", *options) == {"--epoch": "40", "--n_epochs": "100"}


def test_whole_numbers_only_for_int() -> None:
    assert given("a window of 0.5", option("--window", type="int")) == {}
    assert given("a window of 5", option("--window", type="int")) == {"--window": "5"}
    assert given("a window of 0.5", option("--window", type="float")) == {"--window": "0.5"}
    assert given("a window of 1e3", option("--window", type="int")) == {"--window": "1000"}
    assert given("a window of -3", option("--window", type="int")) == {"--window": "-3"}


def test_words_only_where_no_number_is_wanted() -> None:
    assert given("a window of 'hann'", option("--window", type="int")) == {}
    assert given("a window of 'hann'", option("--window", default="512")) == {}
    assert given("a window of 'hann'", option("--window")) == {"--window": "hann"}


def test_choices_whatever_the_case_and_as_the_program_spells_them() -> None:
    env = option("--env", choices=("CartPole-v1", "MountainCar-v0"))
    algo = option("--algo", choices=("a2c", "ppo"))
    assert given("play with PPO on cartpole v1", env, algo) == {"--env": "CartPole-v1", "--algo": "ppo"}
    assert given("play with DQN", env, algo) == {}
    assert given("pick the agent called MOUNTAINCAR-V0", env) == {"--env": "MountainCar-v0"}


def test_numbers_among_choices() -> None:
    rate = option("--sample-rate", type="int", choices=("8000", "16000"))
    assert given("a sample rate of 16,000", rate) == {"--sample-rate": "16000"}
    assert given("a sample rate of 22050", rate) == {}


def test_everyday_words_are_values_only_where_their_option_is_named() -> None:
    split, mode = option("--split", choices=("train", "test")), option("--size", choices=("small", "large"))
    assert given("train a model on a large corpus of reviews", split, mode) == {}
    assert given("rank the items of the test split", split) == {"--split": "test"}


def test_known_values_of_another_option_are_not_taken() -> None:
    dataset = option("--dataset", choices=("ml-1m", "yelp"))
    name = option("--data_name", help="name of the dataset that is used")
    assert given("train the recommender on the dataset yelp", name, dataset) == {"--dataset": "yelp"}
    assert given("train the recommender on the dataset yelp", dataset, name) == {"--dataset": "yelp"}


def test_documented_values_are_known() -> None:
    corpus = option("--corpus")
    documented = [command("python train.py --corpus LibriTiny"), command("python train.py --corpus=Common-Voice")]
    assert given("train the recogniser on common voice", corpus, option("--seed", type="int"), commands=documented) == {
        "--corpus": "Common-Voice"
    }


def test_a_default_is_known() -> None:
    assert given("train on blobs", option("--toy", default="'Blobs'")) == {"--toy": "Blobs"}


def test_a_family_of_choices_is_known_to_an_option_documented_with_one_of_them() -> None:
    other = program(option("--net", choices=("tiny-unet", "tiny-fpn")), path="other.py")
    made = program(option("--arch"))
    request = read_request("segment with the tiny fpn")
    families = choice_families([other, made])
    assert families == [frozenset({"tiny-unet", "tiny-fpn"})]
    result = fill(made, [command("python train.py --arch tiny-unet")], request, Surroundings(request), families=families)
    assert [(p.option.name, p.values) for p in result.placed] == [("--arch", ("tiny-fpn",))]
    assert fill(made, [], request, Surroundings(request), families=families).placed == []


def test_known_values_leaves_out_numbers_and_variables() -> None:
    of = option("--x", choices=("1", "1e-5", "True", "none", "gru"))
    assert known_values(of, ["$DATA", "cnn", "--"]) == {v: v for v in ("none", "gru", "cnn")}
    assert known_values(option("--x", choices=("GRU",)), ["gru"]) == {"gru": "GRU"}  # as the program spells it


def test_one_value_of_several_numbers() -> None:
    hidden = option("--hidden", type="int", nargs="+")
    betas = option("--betas", type="float", nargs="2")
    assert given("with hidden layers of 256, 128 and 64 units", hidden) == {"--hidden": "256 128 64"}
    assert given("betas of 0.9 and 0.98, hidden 32", betas, hidden) == {"--betas": "0.9 0.98", "--hidden": "32"}
    assert given("crop to (3, 64, 64)", option("--crop", type="int", nargs="3")) == {"--crop": "3 64 64"}
    assert given("a range of 0 to 0.5", option("--range", nargs="+", type="float")) == {"--range": "0 0.5"}
    assert given("stretch by 3 and a pitch of 5", option("--stretch", nargs="+", type="int"), option("--pitch", type="int")) == {
        "--stretch": "3",
        "--pitch": "5",
    }


def test_a_number_of_a_run_is_not_given_twice() -> None:
    made = program(option("--sizes", nargs="+", type="int"), option("--bars", type="int"))
    for text in ("sizes of 8 and 16 bars", "16 bars and 8 sizes", "sizes 8, 16 bars and 3"):
        positions = [at for p in filled(text, made).placed for at in p.positions]
        assert positions, text
        assert len(positions) == len(set(positions)), text


def test_a_shape_stays_together_where_one_text_is_taken() -> None:
    assert given("an input shape of (1, 64)", option("--input-shape")) == {"--input-shape": "(1,64)"}
    assert given("an input shape of (1, 64)", option("--input-shape", type="int")) == {}


def test_paths_go_to_options_that_take_paths() -> None:
    options = [option("--title"), option("--wav_dir"), option("--log-file")]
    assert given("transcribe the recordings of the wav directory data/wavs", *options) == {"--wav_dir": "data/wavs"}
    assert given("log to the file out/run.log", *options) == {"--log-file": "out/run.log"}
    assert given("save the output to 3", option("--out_dir")) == {}  # a bare number is no folder


def test_file_names_like_the_documented_ones() -> None:
    table = option("--ratings")
    documented = [command("python train.py --ratings data/small.csv")]
    assert given("use the ratings 'big.csv'", table, commands=documented) == {"--ratings": "big.csv"}
    other = fill(program(table), documented, read_request("use the ratings 'many'"), Surroundings(read_request("use the ratings 'many'")))
    assert [p.guessed for p in other.placed] == [True]


def test_help_names_an_option_too() -> None:
    options = [option("--ks", type="int", help="kernel size"), option("--nb", type="int", help="number of bins")]
    assert given("a kernel size of 7 and 12 bins", *options) == {"--ks": "7", "--nb": "12"}


def test_aliases_name_an_option_too() -> None:
    assert given("a hop length of 256", option("--stride", aliases=("--hop-length", "-s"), type="int")) == {"--stride": "256"}


def test_what_has_no_place_is_left() -> None:
    result = filled("train for 5 epochs at a height of 12 with 'blue skies' on Mars", program(EPOCHS))
    assert [(m.kind, m.value) for m in result.left] == [("number", "12"), ("quoted", "blue skies"), ("name", "Mars")]
    assert [p.values for p in result.placed] == [("5",)]
    assert result.score < filled("train for 5 epochs", program(EPOCHS)).score


def test_what_named_the_program_needs_no_place() -> None:
    request = read_request("train WaveNot for 5 epochs")
    (name,) = [m for m in request.mentions if m.value == "WaveNot"]
    result = fill(program(EPOCHS), [], request, Surroundings(request), frozenset({name.position}))
    assert result.left == []


def test_nothing_is_filled_into_a_program_without_options() -> None:
    result = filled("train for 5 epochs", program())
    assert result.placed == []
    assert len(result.left) == 1
    assert filled("", program(EPOCHS)) == Fill()
    assert given("help me with help of 3", option("--help", action="help")) == {}


def test_positionals_are_filled() -> None:
    assert given("convert the midi file songs/a.mid", option("midi_file")) == {"midi_file": "songs/a.mid"}


def test_flags_are_filled() -> None:
    result = filled("train for 5 epochs with data augmentation", program(EPOCHS, flag("--data-augmentation")))
    assert [(p.option.name, p.values) for p in result.placed] == [("--epochs", ("5",)), ("--data-augmentation", ())]
    assert result.placed[1].words == "data augmentation"


@given_by(
    st.text(max_size=120)
    | st.lists(st.sampled_from(["lr", "0.1", "5", "epochs", "ppo", "(1,2)", "'x'", "and", ".", "size", "PPO"]), max_size=25).map(" ".join)
)
@settings(max_examples=150, deadline=None)
def test_every_assignment_is_sound(text: str) -> None:
    """Each value once, each option once, ints whole, choices kept, and the words verbatim."""
    algo = option("--algo", choices=("ppo", "a2c"))
    made = program(LR, EPOCHS, algo, option("--sizes", nargs="+", type="int"), option("--name"), flag("--fast"), option("out"))
    result = filled(text, made)
    names = [p.option.name for p in result.placed]
    assert len(names) == len(set(names))
    positions = [at for p in result.placed for at in p.positions]
    assert len(positions) == len(set(positions))
    for placed in result.placed:
        assert placed.words in text
        assert bool(placed.values) == placed.option.takes_value
        if placed.option is EPOCHS:
            int(placed.values[0])
        if placed.option is algo:
            assert placed.values[0] in ("ppo", "a2c")
    assert {m.position for m in result.left}.isdisjoint(positions)


def test_an_option_of_several_values_takes_the_whole_list() -> None:
    files, sizes = option("--input", nargs="+"), option("--sizes", nargs="+", type="int")
    assert given("segment shots/a.jpg and shots/b.jpg", files) == {"--input": "shots/a.jpg shots/b.jpg"}
    assert given("with sizes of 8, 16 and 32", sizes) == {"--sizes": "8 16 32"}


def test_a_list_is_written_as_the_documented_one() -> None:
    documented = command("python train.py --layers [q_in,v_in]")
    assert given("on the layers q_in, k_in and v_in", option("--layers"), commands=[documented]) == {"--layers": "[q_in,k_in,v_in]"}


def test_weak_evidence_places_what_is_left_but_speaks_for_no_program() -> None:
    found = filled("train it, with the beak 12", program(option("--beak-history-depth", type="int")))
    assert [(p.option.name, p.values, p.guessed) for p in found.placed] == [("--beak-history-depth", ("12",), True)]
    assert found.left == []
    assert found.score < 0


def test_a_value_that_the_command_replaces_wins_a_near_tie() -> None:
    request = read_request("with 7 evaluation frames")
    made = program(option("--eval-frames-max", type="int"), option("--eval-frames-min", type="int"))
    names = [
        fill(made, (), request, Surroundings(request), places=Places(present=frozenset({name}))).placed[0].option.name
        for name in ("--eval-frames-max", "--eval-frames-min")
    ]
    assert names == ["--eval-frames-max", "--eval-frames-min"]


def test_an_option_that_is_given_again_and_again_takes_the_whole_list() -> None:
    assert filled("with sizes of 8, 16 and 32", program(option("--sizes", action="append", type="int"))).placed[0].values == (
        "8",
        "16",
        "32",
    )
    assert filled("with sizes of 8, 16 and 32", program(option("--sizes", nargs="?", type="int"))).placed[0].values == ("8",)


@pytest.mark.parametrize(
    ("documented", "value"),
    [("[q_in,v_in]", "[q_in,k_in,v_in]"), ("q_in,v_in", "q_in,k_in,v_in"), ("q_in", "q_in")],
)
def test_styles_of_lists(documented: str, value: str) -> None:
    made = command(f"python train.py --layers {documented}")
    assert given("on the layers q_in, k_in and v_in", option("--layers"), commands=[made]) == {"--layers": value}


def test_a_percentage_where_nothing_but_the_type_or_a_document_says_how() -> None:
    text = "hold out 15% for validation"
    assert given(text, option("--validation", type="float")) == {"--validation": "0.15"}
    assert given(text, option("--validation", type="int")) == {"--validation": "15"}
    documented = command("python train.py --validation 20")
    assert given(text, option("--validation", type="float"), commands=[documented]) == {"--validation": "15"}
    assert given(text, option("--validation-percent", type="float")) == {"--validation-percent": "15"}


def test_no_guess_where_two_options_are_as_likely() -> None:
    two = program(option("--beak-history-depth", type="int"), option("--beak-forecast-depth", type="int"))
    found = filled("train it, with the beak 12", two)
    assert found.placed == []
    assert [m.value for m in found.left] == ["12"]


def test_a_word_beside_the_name_is_a_guess() -> None:
    found = filled("train on the maps dataset", program(option("--dataset")), command("python train.py --dataset facades"))
    assert [(p.option.name, p.values, p.words, p.guessed) for p in found.placed] == [("--dataset", ("maps",), "maps", True)]
    assert found.score < 0
