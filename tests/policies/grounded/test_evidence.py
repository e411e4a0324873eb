import pytest

from ml_agent.policies.grounded.evidence import (
    NameIndex,
    language_asked,
    leans_to_python,
    names_file,
    path_names,
    request_verbs,
    verb_match,
    verbs_in,
)
from ml_agent.policies.grounded.request import read_request


def test_a_candidate_is_named_whatever_the_spelling() -> None:
    names = NameIndex([["wave_flow"], ["tacotrain"]])
    for said in ("WaveFlow", "wave flow", "wave-flow", "Wave_Flow", "'wave flow'"):
        request = read_request(f"train {said} for 3 epochs")
        assert names.match(0, request).score > 0
        assert names.match(1, request).score == 0
    assert names.match(0, read_request("wave. Flow on")).score == 0


def test_rare_and_long_names_count_more() -> None:
    names = NameIndex([["speech", "ctc"], ["speech", "rnnt"], ["speech", "deep speech"], ["vision"]])
    request = read_request("a ctc model for deep speech")
    assert names.match(0, request).score > names.match(1, request).score > names.match(3, request).score == 0
    assert names.match(2, request).score > names.match(1, request).score
    assert names.match(2, request).positions == frozenset({4, 5})  # once, the longest first


def test_overlapping_names_count_once() -> None:
    request = read_request("train deep speech")
    assert NameIndex([["deep speech", "deep", "speech"]]).match(0, request) == NameIndex([["deep speech"]]).match(0, request)


def test_a_name_that_many_bear_counts_less() -> None:
    names = NameIndex([["ctc"], ["speech"], ["speech"], ["speech"]])
    request = read_request("train ctc and speech")
    assert names.match(0, request).score > names.match(1, request).score > 0


def test_everyday_names_point_to_nothing() -> None:
    names = NameIndex([["train", "data", "the", "a"]])
    assert names.match(0, read_request("train the data on a model")).score == 0
    assert NameIndex([]) is not None
    assert NameIndex([[], [""]]).match(1, read_request("x")).score == 0


def test_path_names() -> None:
    names = path_names("speech/tiny_ctc/train.py")
    assert {"speech", "tiny_ctc", "train", "tiny_ctctrain"} <= set(names)
    assert path_names("run.py") == ["run"]


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("train the ranker", {"train"}),
        ("training of a ranker", {"train"}),
        ("evaluate it on the test set", {"evaluate"}),
        ("pre-train the tagger", {"pretrain"}),
        ("fine-tune the tagger", {"finetune"}),
        ("synthesize speech", {"generate"}),
        ("detect birds", {"predict"}),
        ("preprocess the recordings", {"prepare"}),
        ("hello", set()),
        ("replay the agent that I trained", {"replay"}),
        ("export the tuned lamps", {"export"}),
        ("my trained lamps", {"train"}),
        ("merge the adapter", {"export"}),
        ("a movie of the lander", {"record"}),
        ("put the train and validation lists into phonemes", set()),
        ("train on the training set", {"train"}),
        ("Train fold 0 of the owls", {"train"}),
        ("score the owls of the train fold", {"evaluate"}),
        ("how well does it ring?", {"evaluate"}),
        ("compile the extension", {"compile"}),
    ],
)
def test_what_is_to_be_done(text: str, verbs: set[str]) -> None:
    assert request_verbs(read_request(text)) == verbs


def test_files_named_after_what_is_wanted() -> None:
    train = frozenset({"train"})
    assert verb_match(train, "rl/train_agent.py") == 1
    assert verb_match(train, "rl/trainAgent.py") == 1
    assert verb_match(train, "rl/evaluate.py") == -1
    assert verb_match(train, "train/agent.py") == 0  # the folder says nothing
    assert verb_match(frozenset(), "train.py") == 0
    assert 0 < verb_match(train, "rl/train_and_export.py") < 1  # it does something else as well
    assert verb_match(frozenset({"compile"}), "setup.py") == 1
    assert verb_match(frozenset(), "setup.py") == -1
    assert verbs_in(["Plots".lower(), "x"]) == {"visualize"}


@pytest.mark.parametrize(
    "text", ["run play_song.py", "run ./play_song.py now", "`music/play_song.py`", "use the play song script", "the play_song script"]
)
def test_a_file_that_is_named_as_a_file(text: str) -> None:
    assert names_file(read_request(text), "music/play_song.py")
    assert not names_file(read_request(text), "music/play_songs.py")


def test_a_program_by_its_name_alone() -> None:
    assert names_file(read_request("start train_owls on the small set"), "birds/train_owls.py")
    assert not names_file(read_request("take owl_base as the model"), "models/owl_base.py")
    assert not names_file(read_request("start train_owls"), "birds/train_owl.py")


def test_which_language_is_asked_for() -> None:
    assert language_asked(read_request("write Python code that tags a sentence")) == 1
    assert language_asked(read_request("give me the shell command that tags a sentence")) == -1
    assert language_asked(read_request("tag a sentence")) == 0


def test_uses_of_a_library_and_runs_of_a_program_read_differently() -> None:
    use = leans_to_python(read_request("classify the image 'cat.jpg' with the Tagger class; the input tensor is (1, 3, 64, 64)"))
    run = leans_to_python(read_request("train the tagger for 20 epochs with a batch size of 8 on one gpu"))
    assert -1 <= run < 0 < use <= 1
    assert leans_to_python(read_request("")) == 0


def test_a_part_of_a_name_is_said_in_another_form() -> None:
    names = NameIndex([["train_caption"], ["train_ranking"]], [["caption"], ["ranking"]])
    request = read_request("evaluate captioning on two devices")
    assert names.match(0, request).score > 0 == names.match(1, request).score


def test_a_script_named_without_its_run() -> None:
    assert names_file(read_request("call the trial script twice"), "run_trial.sh")
    assert not names_file(read_request("call the trial script twice"), "trial_data.sh")


def test_short_forms_of_pre_training_and_fine_tuning() -> None:
    pretrain, tune = request_verbs(read_request("pre-train an owl")), request_verbs(read_request("fine-tune an owl"))
    assert verb_match(pretrain, "owl_pt.py") == verb_match(tune, "owl_ft.py") == 1.0
    assert verb_match(pretrain, "owl_ft.py") == verb_match(tune, "owl_pt.py") == -1.0
    assert verb_match(pretrain, "export_pt.py") == -1.0  # a format


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("look at inputs/birds", False),
        ("look at ./birds/", False),
        ("look at birds", True),
        ("look at the birds of inputs/nests", True),
        ("look at 'birds'", True),
    ],
)
def test_a_path_names_nothing_by_parts_of_its_name(text: str, *, named: bool) -> None:
    names = NameIndex([["see_birds"], ["hear"]], [["birds"], []])
    assert (names.match(0, read_request(text)).score > 0) is named
    assert NameIndex([["birds"], ["hear"]]).match(0, read_request("look at ./birds/")).score > 0  # the whole of a name


def test_a_benchmark_by_its_name_is_data() -> None:
    assert request_verbs(read_request("Download the data of the OWLS benchmark")) == {"download"}
    assert request_verbs(read_request("Download what this benchmark needs")) == {"download"}
    assert request_verbs(read_request("benchmark the owls")) == {"evaluate"}


def test_a_file_with_a_plain_name_does_what_its_folder_says() -> None:
    for path in ("download_data/run.py", "download_data/runscript.py", "owls/download_data/main.py"):
        assert verb_match(frozenset({"download"}), path) == 1
        assert verb_match(frozenset({"evaluate"}), path) == -1
    assert verb_match(frozenset({"download"}), "download_data/owls.py") == verb_match(frozenset({"download"}), "run.py") == 0


@pytest.mark.parametrize("path", ["generate_training_data.py", "owls/train_dataset.py", "nest_test_splits.py", "valset.py"])
def test_a_file_of_a_part_of_the_data_neither_trains_nor_evaluates(path: str) -> None:
    assert verb_match(frozenset({"train"}), path) <= 0
    assert verb_match(frozenset({"evaluate"}), path) <= 0
    assert verb_match(frozenset({"train"}), "train_settings.py") == 1  # no set
