import pytest

from ml_agent.policies.grounded.affinity import Surroundings, mention_words
from ml_agent.policies.grounded.option_names import name_words, weight
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import given, option


def affinity(text: str, name: str, value: str = "7") -> float:
    """Of an option's name with the one mention of `value`."""
    request = read_request(text)
    (mention,) = [m for m in request.mentions if m.value == value]
    return Surroundings(request).score(name_words(name), mention.position)[0]


def test_name_words() -> None:
    assert name_words("--num-stacks") == ("num", "stacks")
    assert name_words("--nFrames") == ("n", "frames")
    assert name_words("-lr") == ("lr",)
    assert name_words("word2vec_dim") == ("word", "2", "vec", "dim")
    assert name_words("out_dir") == ("out", "dir")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("with a beam width of 7", "--beam-width"),
        ("with beam width 7", "--beam_width"),
        ("with 7 mel bands", "--mel_bands"),
        ("7 rollouts", "--rollouts"),
        ("a learning rate of 7", "--lr"),
        ("batch size 7", "--bs"),
        ("batches of size 7 with weight decay 7.5", "--batch-size"),
        ("weight decay of 7", "--wd"),
        ("for 7 iterations", "--n_iter"),
        ("with 7 attention heads", "--num_attn_heads"),
        ("hidden dimension 7", "--hid-dim"),
        ("temperature = 7", "--tau"),
        ("random seed 7", "--seed"),
        ("a sequence length of 7", "--seqlen"),
        ("predict 7 steps", "--pred_steps"),
    ],
)
def test_what_people_say_for_an_option(text: str, name: str) -> None:
    assert affinity(text, name) >= 0.6


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a dropout of 7", "--lr"),
        ("a learning rate of 7", "--tempo"),
        ("learn to play at a rate that suits, with 7 agents", "--lr"),  # the two words of the phrase are not together
        ("learning matters here, at a frame rate of 7", "--lr"),
        ("7 users", "--items"),
    ],
)
def test_what_names_another_option(text: str, name: str) -> None:
    assert affinity(text, name) < 0.4


def test_the_nearer_word_names_it() -> None:
    text = "use 7 agents and 9 arenas"
    assert affinity(text, "--agents", "7") > affinity(text, "--arenas", "7")
    assert affinity(text, "--arenas", "9") > affinity(text, "--agents", "9")
    text = "agents: 7, arenas: 9"
    assert affinity(text, "--agents", "7") > affinity(text, "--arenas", "7")
    assert affinity(text, "--arenas", "9") > affinity(text, "--agents", "9")


def test_words_before_another_value_or_in_another_sentence_count_less() -> None:
    assert affinity("tempo 3 and 7", "--tempo") == 0.0
    near, far = affinity("set the tempo to 7", "--tempo"), affinity("mind the tempo. Take 7", "--tempo")
    assert near > 0.9
    assert 0 < far < 0.4
    assert affinity("tempo of about, more or less, or so, up or down: 7", "--tempo") < affinity("tempo of 7", "--tempo")


def test_all_words_of_the_name_count() -> None:
    text = "a target update of 7"
    assert affinity(text, "--target-update") > affinity(text, "--target-reward")
    assert affinity("7 epochs", "--n_epochs") == pytest.approx(affinity("7 epochs", "--epochs"))  # `n` need not be said
    assert affinity("7 users", "--max_size") == 0.0
    assert affinity("a max size of 7", "--max_size") <= 0.55  # words of many options alone are not enough


def test_weights() -> None:
    assert weight("num") < weight("size") < weight("kernel")


def test_help_texts_name_an_option_less_than_its_name() -> None:
    request = read_request("with a plucking position of 0.3")
    around = Surroundings(request)
    position = request.mentions[0].position
    helped = around.help_score("plucking position on the string", position)
    assert 0.3 < helped <= 0.6
    assert (
        around.help_score("number of cats", position) == around.help_score("", position) == around.help_score("the of 3", position) == 0.0
    )


def test_a_score_does_not_depend_on_what_was_asked_before() -> None:
    request = read_request("a pitch of 5 and a speed of 9")
    fresh, used = Surroundings(request), Surroundings(request)
    five, nine = (m.position for m in request.mentions)
    for name in ("--pitch", "--speed", "--volume"):
        used.score(name_words(name), nine)
    assert used.score(("pitch",), five) == fresh.score(("pitch",), five)


def test_the_words_that_stand_for_an_assignment() -> None:
    request = read_request("Sing with a vibrato depth of 0.2, quietly")
    mention = request.mentions[0]
    _, first = Surroundings(request).score(("vibrato", "depth"), mention.position)
    assert mention_words(request, mention, first) == "vibrato depth of 0.2"
    assert mention_words(request, mention, -1) == "0.2"
    after = read_request("sing 12 verses")
    mention = after.mentions[0]
    assert mention_words(after, mention, Surroundings(after).score(("verses",), mention.position)[1]) == "12 verses"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("7 per device", "--per-device-batch-size"),
        ("7 images per GPU", "--batch_size"),
        ("7 at a time", "--batch-size"),
        ("batch 7", "--batch-size"),
        ("lr 7", "--learning-rate"),
        ("a rate of 7", "--lr"),
        ("7 is the learning rate that I want", "--lr"),
        ("2 nodes x 7 gpus", "--gpus"),
        ("7 GPUs", "--num-gpus"),
    ],
)
def test_what_people_say_in_other_words(text: str, name: str) -> None:
    assert affinity(text, name) > 0.55


@pytest.mark.parametrize(
    ("text", "name"),
    [("7 images per GPU", "--num-gpus"), ("a frame rate of 7", "--lr"), ("2 nodes x 7 gpus", "--nodes")],
)
def test_what_only_stands_near(text: str, name: str) -> None:
    assert affinity(text, name) < 0.45


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("7 owls per nest", "--owls", "--nests"),  # what is counted, not what holds it
        ("a per-nest limit of 7", "--limit", "--nests"),
        ("a song with 7 owls", "--owls", "--tempo"),  # what stands behind is counted
    ],
)
def test_what_is_counted_wins(text: str, name: str, other: str) -> None:
    assert affinity(text, name) > affinity(text, other) + 0.05


def test_a_size_of_a_batch_needs_what_holds_a_batch() -> None:
    assert affinity("32 per device", "--batch-size", "32") == affinity("7 at once", "--batch-size") == pytest.approx(0.9)
    assert affinity("7 owls per nest", "--batch-size") == affinity("7 at the nest", "--batch-size") == 0.0


def test_an_iteration_says_what_a_number_is_behind_a_per_as_well() -> None:
    assert affinity("7 owls per iteration", "--owls-per-iteration") > affinity("7 owls per nest", "--owls-per-nest") + 0.1


def test_words_before_a_colon_count_less() -> None:
    through, after = affinity("play the tempo: with 7", "--tempo"), affinity("play the tempo with 7", "--tempo")
    assert 0.4 < through < after
    assert affinity("tempo: 7", "--tempo") > 0.9  # right before the value it names it


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("--expname", ("exp", "name")),
        ("--outdir", ("out", "dir")),
        ("--numworkers", ("num", "workers")),
        ("--maxlen", ("max", "len")),
        ("--number", ("number",)),
        ("--profile", ("profile",)),
        ("--nickname", ("nickname",)),
    ],
)
def test_two_words_written_as_one(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words


def test_hertz_are_a_rate_of_samples() -> None:
    assert affinity("five songs at 7 Hz", "--sample-rate") > 0.8
    assert affinity("five songs at 7 dB", "--sample-rate") == 0.0


def test_what_fits_on_each_device_is_a_batch() -> None:
    assert affinity("let 7 songs fit on each device", "--batch-size") > 0.6
    assert affinity("7 songs for each owl", "--batch-size") == 0.0


def test_words_before_a_comma_are_of_something_else() -> None:
    assert affinity("the standard configuration, song 7", "--config") < affinity("the standard configuration 7", "--config") - 0.1


def test_iterations_are_steps_rather_than_epochs() -> None:
    text = "at most 7 iterations"
    assert 0.5 < affinity(text, "--epochs") < affinity(text, "--max-steps")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("30 nights, 4 for the owls", {"--nights": "30", "--owls": "4"}),
        ("stop after 5 nights without improvement", {"--patience": "5"}),
        ("stop after 5 evaluations with no improvement", {"--patience": "5"}),
        ("the data under nests/2024", {"--data-dir": "nests/2024"}),
        ("pictures at a resolution of 96", {"--image-size": "96"}),
        ("print every 20 nights", {"--log-every": "20"}),
        ("on Maze-v2 for 8 nights", {"--env": "Maze-v2", "--nights": "8"}),
        ("train it for Maze-v2", {"--env": "Maze-v2"}),
    ],
)
def test_what_a_value_is_for(text: str, wanted: dict[str, str]) -> None:
    names = ("--nights", "--owls", "--patience", "--image-size", "--log-every")
    options = [*(option(name, type="int", default="9") for name in names), option("--data-dir"), option("--output-dir"), option("--env")]
    assert given(text, *options) == wanted


def test_first_letters_of_a_name_of_two_words() -> None:
    options = option("--so_version"), option("--st_version")
    assert given("draw with Stable Owls 1.5", *options) == {"--so_version": "1.5"}
    assert given("draw with Stable Tea 1.5", *options) == {"--st_version": "1.5"}
    assert given("draw with stable owls 1.5", *options) == {}
