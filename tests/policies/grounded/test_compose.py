import re
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.compose import Line, build, places_of
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.fitting import Places
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.required import default_for
from ml_agent.task import Evidence
from tests.policies.grounded.support import HOSTILE, bash, code, command, flag, justified, line, option, program

LR = option("--lr", type="float", default="0.1")
EPOCHS = option("--epochs", type="int", default="10")
CORPUS = option("--corpus", required=True)
MADE = program(LR, EPOCHS, option("--corpus"), flag("--mixed-precision"))


def test_a_bare_command_has_what_is_asked_for() -> None:
    assert code("train for 5 epochs with a learning rate of 0.01", program(LR, EPOCHS)) in (
        "python train.py --lr 0.01 --epochs 5",
        "python train.py --epochs 5 --lr 0.01",
    )
    assert code("train", program(LR, EPOCHS)) == "python train.py"


def test_a_script_starts_from_its_own_folder_and_a_module_from_the_root() -> None:
    answer = line("train", program(path="speech/ctc/train.py")).answer()
    assert (answer.workdir, answer.code) == ("speech/ctc", "python train.py")
    answer = line("train", program(path="speech/ctc/train.py", run=("python", "-m", "speech.ctc.train"))).answer()
    assert (answer.workdir, answer.code) == (".", "python -m speech.ctc.train")
    assert line("go", program(path="bin/go.sh", run=("bash", "bin/go.sh"))).answer().code == "bash go.sh"


def test_documented_values_are_replaced_in_place_and_the_rest_is_kept() -> None:
    documented = command("python -u train.py --corpus tiny --lr 0.5 --epochs 3 --mixed-precision")
    text = "train with a learning rate of 0.01"
    assert code(text, MADE, documented) == "python -u train.py --corpus tiny --lr 0.01 --epochs 3 --mixed-precision"
    equals = command("python train.py --lr=0.5 --epochs=3")
    assert code(text, MADE, equals) == "python train.py --lr=0.01 --epochs=3"


def test_additions_are_written_in_the_house_style() -> None:
    text = "train for 7 epochs with a learning rate of 0.01"
    assert code(text, MADE, command("python train.py --lr=0.5")) == "python train.py --lr=0.01 --epochs=7"
    assert code(text, MADE, command("python train.py --lr 0.5")) == "python train.py --lr 0.01 --epochs 7"


def test_the_documented_spelling_is_kept() -> None:
    short = option("--lr", aliases=("-l",), type="float")
    assert code("a learning rate (lr) of 0.01", program(short), command("python train.py -l 0.5")) == "python train.py -l 0.01"


def test_a_flag_is_set_once() -> None:
    text = "train with mixed precision"
    assert code(text, MADE, command("python train.py --lr 0.5")) == "python train.py --lr 0.5 --mixed-precision"
    assert code(text, MADE, command("python train.py --mixed-precision")) == "python train.py --mixed-precision"


def test_the_folder_environment_and_launcher_of_the_documented_command_are_kept() -> None:
    words = ("torchrun", "--nproc_per_node=2", "train.py", "--lr", "0.5")
    documented = command("x train.py", workdir="rl/dqn", words=words, target_index=2, environment=(("CUDA_VISIBLE_DEVICES", "0,1"),))
    answer = line("a learning rate of 0.01", program(LR, path="rl/dqn/train.py"), documented).answer()
    assert (answer.workdir, answer.code) == ("rl/dqn", "CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=2 train.py --lr 0.01")


def test_several_values_and_positionals() -> None:
    sizes = option("--sizes", nargs="+", type="int")
    assert code("sizes of 8, 16 and 32", program(sizes), command("python train.py --sizes 1 2")) == "python train.py --sizes 8 16 32"
    assert code("sizes of 8 and 16", program(sizes), command("python train.py --sizes=1")) == "python train.py --sizes 8 16"
    midi = program(option("midi_file"))
    assert code("play the midi file b/c.mid", midi, command("python train.py a.mid")) == "python train.py b/c.mid"
    assert code("play the midi file b/c.mid", midi) == "python train.py b/c.mid"


@pytest.mark.parametrize(
    ("asked", "others", "value", "source"),
    [
        (CORPUS, ("python train.py --corpus tiny",), "tiny", "README.md:7"),
        (option("--net", choices=("gru", "lstm")), (), "gru", "train.py:15"),
        (option("--net", default="'gru'"), (), "gru", "train.py:15"),
        (option("--net", default="None", type="int"), (), "1", "train.py:15"),
        (option("--gain", type="float"), (), "1.0", "train.py:16"),
        (option("--corpus"), (), "YOUR_CORPUS", "train.py:18"),
        (option("wav"), (), "YOUR_WAV", "train.py:13"),
    ],
)
def test_a_value_for_what_must_be_given(asked: object, others: tuple[str, ...], value: str, source: str) -> None:
    assert default_for(program(asked), asked, [command(o) for o in others]) == (value, source)  # type: ignore[arg-type]


def test_required_options_are_added_with_a_source() -> None:
    answer = line(
        "train", program(CORPUS, option("wav", required=True), EPOCHS), others=[command("python train.py --corpus tiny x.wav")]
    ).answer()
    assert answer.code == "python train.py --corpus tiny x.wav"
    assert answer.evidence[1:] == (Evidence("--corpus tiny", None, "README.md:7"), Evidence("x.wav", None, "README.md:7"))
    assert code("train", program(CORPUS), command("python train.py --corpus tiny")) == "python train.py --corpus tiny"
    assert code("the corpus 'large'", program(CORPUS)) == "python train.py --corpus large"


def test_a_folder_in_documented_paths_is_swapped() -> None:
    made = program(option("--vocab_file"), option("--init"))
    documented = command(
        "python train.py --vocab_file=$MODELS/tiny_v1_base/vocab.txt --init=$MODELS/tiny_v1_base/model.ckpt", variables=("MODELS",)
    )
    answer = line("start from `/m/tiny_v2_base`", made, documented).answer()
    assert answer.code == "python train.py --vocab_file=/m/tiny_v2_base/vocab.txt --init=/m/tiny_v2_base/model.ckpt"
    assert [e.words for e in answer.evidence] == [None, "`/m/tiny_v2_base`", "`/m/tiny_v2_base`"]


def test_a_folder_that_is_not_alike_is_not_swapped() -> None:
    made = program(option("--vocab_file"), option("--title"))
    documented = command("python train.py --vocab_file models/tiny_v1_base/vocab.txt")
    assert (
        code("its title is 'night_song'", made, documented)
        == "python train.py --vocab_file models/tiny_v1_base/vocab.txt --title night_song"
    )


def test_a_variable_without_a_value_is_set_first() -> None:
    made = program(option("--vocab_file"))
    documented = command("python train.py --vocab_file=$MODELS/vocab.txt", variables=("MODELS",))
    answer = line("the weights are in /w/tiny", made, documented).answer()
    assert answer.code == "export MODELS=/w/tiny && python train.py --vocab_file=$MODELS/vocab.txt"
    assert Evidence("MODELS=/w/tiny", "/w/tiny", "README.md:7") in answer.evidence
    assert line("the weights are in /w/tiny", made, documented).unresolved == 0
    unknown = line("train it", made, documented)
    assert unknown.answer().code == "python train.py --vocab_file=$MODELS/vocab.txt"
    assert unknown.unresolved == 1


def test_evidence_of_every_part() -> None:
    text = "Train for 7 epochs with a learning rate of 0.01, please"
    answer = line(text, MADE, command("python train.py --corpus tiny --lr 0.5")).answer()
    assert answer.code == "python train.py --corpus tiny --lr 0.01 --epochs 7"
    assert justified(answer, text) == [
        Evidence("python train.py", None, "README.md:7"),
        Evidence("--corpus tiny", None, "README.md:7"),
        Evidence("--lr 0.01", "learning rate of 0.01", LR.source),
        Evidence("--epochs 7", "7 epochs", EPOCHS.source),
    ]
    assert " ".join(e.part for e in answer.evidence) == answer.code


def show(*items: tuple[str, list[str], bool], variables: tuple[tuple[str, str, Evidence], ...] = ()) -> str:
    """The code of a line whose program shows its arguments."""
    made = program(path="show", run=("./show",))
    evidence = Evidence("", None, "show:1")
    found = [Item(name, values, equals, evidence) for name, values, equals in items]
    return Line(made, None, (), ".", ["./show"], found, list(variables)).answer().code


def test_assignments_in_front_stay_assignments(tmp_path: Path) -> None:
    documented = command(
        "x show.sh", words=("./show", "a"), target_index=0, environment=(("NAME", "two $words; touch made"), ("EMPTY", ""))
    )
    said = code("go", program(path="show", run=("./show",)), documented)
    assert bash(said, tmp_path) == ["a"]
    assert {p.name for p in tmp_path.iterdir()} == {"show", "show.received"}


def test_a_value_that_looks_like_an_option_is_joined_to_its_name() -> None:
    bonus, name = option("--bonus", type="float"), option("--name")
    assert code("a bonus of -1e-5", program(bonus)) == "python train.py --bonus=-1e-5"
    assert code("a bonus of -0.5", program(bonus)) == "python train.py --bonus -0.5"
    assert code("a bonus of -2", program(bonus)) == "python train.py --bonus -2"
    assert code("call the name '-rf'", program(name)) == "python train.py --name=-rf"


@pytest.mark.parametrize("value", HOSTILE)
def test_a_shell_passes_exactly_the_value(tmp_path: Path, value: str) -> None:
    received = bash(show(("--name", [value], False), ("--name", [value], True), ("", [value, "end"], False)), tmp_path)
    assert received == ["--name", value, f"--name={value}", value, "end"]
    assert {p.name for p in tmp_path.iterdir()} == {"show", "show.received"}


_ALIVE = re.compile(r"^~|\$\w|\$\{\w+\}")
"""The home folder and variables are meant where they are written."""
_VALUES = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=30).filter(lambda v: not _ALIVE.search(v))


@given(st.lists(_VALUES, min_size=1, max_size=4))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_shell_passes_exactly_any_value(tmp_path: Path, values: list[str]) -> None:
    assert bash(show(("--n", values, False), *(("-x", [v], True) for v in values)), tmp_path) == [
        "--n",
        *values,
        *(f"-x={v}" for v in values),
    ]


@pytest.mark.parametrize("value", [v for v in HOSTILE if v.strip() == v != "" and not {"\n", '"'} & set(v)])
def test_a_hostile_value_of_the_request_stays_one_value(tmp_path: Path, value: str) -> None:
    said = code(f'name it "{value}"', program(option("--name"), path="show", run=("./show",)))
    received = bash(said, tmp_path)
    assert received in ([], ["--name", value], [f"--name={value}"])
    assert {p.name for p in tmp_path.iterdir()} == {"show", "show.received"}


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_of_a_variable_stays_one_value(tmp_path: Path, value: str) -> None:
    said = show(("", ["${V}"], False), variables=(("V", value, Evidence("", "x")),))
    (received,) = bash(said.replace("${V}", '"${V}"'), tmp_path)
    assert received == value


@pytest.mark.parametrize(("value", "shown"), [("$HOME/x", "/home/nobody/x"), ("${HOME}", "/home/nobody"), ("~/x", "/home/nobody/x")])
def test_variables_and_the_home_folder_stay_alive_and_nothing_else(tmp_path: Path, value: str, shown: str) -> None:
    others = [f"{value}{{a,b}}", f"{value}*", f"{value}$(id)", "${HOME:=a}"]
    assert bash(show(("--dir", [value], False), ("", others, False)), tmp_path) == ["--dir", shown, *others]


def test_variables_of_a_documented_command_stay_alive(tmp_path: Path) -> None:
    words = ("./show", "--dir", "$HOME/x", "--home", "${HOME}", "~/y")
    documented = command("./show.sh", words=words, target_index=0, variables=("HOME",))
    made = program(option("--dir"), option("--home"), option("where"), path="show", run=("./show",))
    received = bash(code("go", made, documented), tmp_path)
    assert received == ["--dir", "/home/nobody/x", "--home", "/home/nobody", "/home/nobody/y"]


def test_plain_words_are_not_quoted() -> None:
    assert show(("--a", ["x/y-1.0_z:2,3@4+5%6"], True)) == "./show --a=x/y-1.0_z:2,3@4+5%6"
    assert shlex.split(show(("--a", ["two words"], True))) == ["./show", "--a=two words"]


@pytest.mark.parametrize(
    ("documented", "still_open", "present"),
    [
        (None, {"--corpus"}, set()),
        (
            "python train.py --corpus <your_data> --out /path/to/owls --lr 0.1 --fast",
            {"--corpus", "--out"},
            {"--corpus", "--out", "--lr", "--fast"},
        ),
        ("python train.py --corpus owls --out YOUR_FOLDER", {"--out"}, {"--corpus", "--out"}),
        ("python train.py --lr 0.1 --new owls", {"--corpus"}, {"--lr"}),
    ],
)
def test_options_that_wait_for_a_value_and_those_that_have_one(documented: str | None, still_open: set[str], present: set[str]) -> None:
    made = program(CORPUS, option("--out"), LR, flag("--fast", required=True), option("job", required=True, nargs="A..."))
    assert places_of(made, command(documented) if documented else None) == Places(frozenset(still_open), frozenset(present))


def test_a_path_takes_the_place_of_a_placeholder() -> None:
    made, documented = program(option("--tune"), option("--song")), command("python train.py --song owl --tune /path/to/tune")
    request = read_request("sing owls/night")
    found = fill(made, [documented], request, Surroundings(request), places=places_of(made, documented))
    assert build(made, documented, [documented], found, [], request).answer().code == "python train.py --song owl --tune owls/night"


@pytest.mark.parametrize(
    ("documented", "code_"),
    [
        (None, "python train.py --sizes 8 --sizes 16"),
        ("python train.py --sizes 1 --fast --sizes 2", "python train.py --sizes 8 --sizes 16 --fast"),
    ],
)
def test_an_option_that_is_repeated_is_given_once_for_each_value(documented: str | None, code_: str) -> None:
    made = program(option("--sizes", action="append", type="int"), flag("--fast"))
    assert code("resample with sizes of 8 and 16", made, command(documented) if documented else None) == code_


def test_long_names_with_one_dash_as_the_documented_command_has_them() -> None:
    rate, depth = option("--rate", aliases=("-rate",), type="float"), option("--depth", aliases=("-depth",), type="int")
    made = program(rate, depth)
    assert code("a rate of 0.1 and a depth of 3", made, command("python train.py -rate 1")) == "python train.py -rate 0.1 -depth 3"
    assert code("a rate of 0.1 and a depth of 3", made, command("python train.py --rate 1")) == "python train.py --rate 0.1 --depth 3"


def test_a_settings_file_gives_what_a_program_takes_from_it() -> None:
    data = option("--data", required=True, lenient=True)
    made = program(option("--config"), data, option("--seed", type="int"))
    assert code("seed 3", made, command("python train.py --config a.yaml")) == "python train.py --config a.yaml --seed 3"
    assert code("seed 3", made) == "python train.py --seed 3 --data YOUR_DATA"


def test_a_positional_argument_is_not_swallowed_by_an_option_of_several_values() -> None:
    made = program(option("plot"), option("--sizes", type="int", nargs="+"), option("--lr", type="float"))
    assert code("sizes 512, 256 and 128, plot to owl.png", made) == "python train.py owl.png --sizes 512 256 128"
    documented = command("python train.py old.png --lr 0.3")
    assert code("sizes 512 and 128", made, documented) == "python train.py old.png --lr 0.3 --sizes 512 128"


def test_what_a_command_gives_twice_is_replaced_once() -> None:
    made = program(LR, EPOCHS)
    assert (
        code("train for 7 epochs", made, command("python train.py --epochs 3 --lr 0.5 --epochs 3")) == "python train.py --epochs 7 --lr 0.5"
    )
