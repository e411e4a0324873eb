import pytest

from ml_agent.policies.grounded.fill import Fill, Placed
from ml_agent.policies.grounded.knowledge import choice_families
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import Ranked, rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.wrappers import (
    bare_commands,
    for_cluster,
    launched,
    on_several,
    read_wrappers,
    wanted_as_it_is,
    with_inner_options,
    without_named,
)
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from tests.policies.grounded.support import command, option, program

EPOCHS, LAMPS = option("--epochs", type="int"), option("--lamps", required=True)
TRAIN = program(EPOCHS, LAMPS)
SCRIPT = program(path="scripts/train_unsup_lamps.sh", kind="shell", run=("bash", "scripts/train_unsup_lamps.sh"), open_ended=True)
INSIDE = command("python train.py --epochs 3 --lamps red", source="scripts/train_unsup_lamps.sh:2")


def best(text: str, programs: list[EntryPoint], *commands: Command) -> Ranked:
    material = Material([(0.5, p) for p in programs], [(0.5, c) for c in commands])
    return rank_programs(material, choice_families(programs), read_request(text))[0]


def test_a_script_around_one_command() -> None:
    found = read_wrappers([TRAIN, SCRIPT], [INSIDE])
    assert {path: (w.inner, w.workdir) for path, w in found.items()} == {SCRIPT.path: ("train.py", ".")}
    takes = program(EPOCHS, path=SCRIPT.path, kind="shell")
    assert read_wrappers([TRAIN, takes], [INSIDE]) == {}


@pytest.mark.parametrize(
    "text",
    [
        "start the stock recipe for the unsupervised lamps",
        "take the unsup lamps example script as it stands",
        "run the ready unsup lamps script",
    ],
)
def test_the_script_itself_is_the_answer_to_who_asks_for_it(text: str) -> None:
    assert best(text, [TRAIN, SCRIPT], INSIDE).line.answer().as_text() == "bash scripts/train_unsup_lamps.sh"


def test_else_the_command_inside_is_it() -> None:
    assert best("train the unsup lamps for 7 epochs", [TRAIN, SCRIPT], INSIDE).line.program.path == "train.py"


def test_a_script_that_hands_on_its_arguments_takes_those_of_the_program_inside() -> None:
    text = "take the stock recipe for unsupervised lamps, only with 9 epochs"
    assert best(text, [TRAIN, SCRIPT], INSIDE).line.answer().code == "bash scripts/train_unsup_lamps.sh --epochs 9"


def test_a_script_is_started_from_where_its_command_stands() -> None:
    inside = command("python train.py --lamps red", workdir="lab", source="lab/scripts/train_unsup_lamps.sh:2")
    script = program(path="lab/scripts/train_unsup_lamps.sh", kind="shell", run=("bash", "lab/scripts/train_unsup_lamps.sh"))
    answer = best("the stock recipe for the unsup lamps", [program(EPOCHS, path="lab/train.py"), script], inside).line.answer()
    assert (answer.workdir, answer.code) == ("lab", "bash scripts/train_unsup_lamps.sh")


def test_how_much_of_the_name_is_said() -> None:
    assert wanted_as_it_is(SCRIPT, read_request("train the lamps")) == 0
    assert wanted_as_it_is(SCRIPT, read_request("the stock recipe for bells")) == 0
    some, more = (wanted_as_it_is(SCRIPT, read_request(f"the stock recipe {t}")) for t in ("for lamps", "to train unsupervised lamps"))
    assert 0 < some < more <= 1


SPREAD = program(path="spread.py", kind="plain")
SPREADING = command("python -m spread train.py --epochs 3 --lamps red", target="spread.py", target_index=2)


def test_a_launcher_is_for_several_devices() -> None:
    programs = [SPREAD, program(EPOCHS, LAMPS)]
    assert launched(SPREAD, [SPREADING], {p.path: p for p in programs}) is programs[1]
    assert launched(SPREAD, [], {p.path: p for p in programs}) is None
    alone = command("python train.py --epochs 3 --lamps red")
    one = best("train the lamps for 8 epochs", programs, SPREADING, alone)
    assert one.line.program.path == "train.py"
    several = best("train the lamps for 8 epochs on several GPUs", programs, SPREADING, alone).line.answer().code
    assert several == "python -m spread train.py --epochs 8 --lamps red"


@pytest.mark.parametrize("text", ["on several GPUs", "distributed", "on all of them", "on all the cards", "with multi-gpu", "on 4 GPUs"])
def test_more_than_one_device(text: str) -> None:
    assert on_several(read_request(f"train the lamps {text}"))


@pytest.mark.parametrize("text", ["on one GPU", "on the GPU", "with 4 layers", "on card 2"])
def test_one_device(text: str) -> None:
    assert not on_several(read_request(f"train the lamps {text}"))


def test_a_program_for_a_cluster_has_to_be_asked_for() -> None:
    assert for_cluster("run_slurm.py", read_request("train the lamps on one machine"))
    assert not for_cluster("run_slurm.py", read_request("train the lamps on our cluster"))
    assert not for_cluster("run.py", read_request("train the lamps"))


RUN = program(
    option("what", choices=("train", "test")),
    path="lab/run_red_base.sh",
    kind="shell",
    run=("bash", "lab/run_red_base.sh"),
    open_ended=True,
)
SHEDS = option("--sheds", type="int")
INNER = [program(EPOCHS, LAMPS, option("--colour"), path="lab/train.py"), program(SHEDS, path="lab/test.py", run=("python", "lab/test.py"))]
STEPS = [
    command("python train.py --lamps x --colour red ${@:2}", workdir="lab", source="lab/run_red_base.sh:3"),
    command('python test.py --sheds 3 "$@"', workdir="lab", source="lab/run_red_base.sh:5"),
    command("bash run_red_base.sh test --sheds 2", workdir="lab", source="README.md:3"),
]


def test_a_script_that_is_told_what_to_do_hands_on_the_rest() -> None:
    wrapper = read_wrappers([*INNER, RUN], STEPS)[RUN.path]
    assert wrapper.takers == ("lab/train.py", "lab/test.py")
    made = with_inner_options(RUN, wrapper, {p.path: p for p in INNER})
    assert {o.name for o in made.options} == {"what", "--epochs", "--lamps", "--colour", "--sheds"}
    assert made.command_of(["train", "--epochs", "3"]) == "train"
    assert not any(o.required for o in made.options)


def test_each_word_that_says_what_to_do_is_a_command() -> None:
    wrapper = read_wrappers([*INNER, RUN], STEPS)[RUN.path]
    bare = bare_commands(RUN, wrapper, STEPS[2:], read_request("training"))
    assert [(score, c.words, c.workdir) for score, c in bare] == [(1.0, ("bash", "run_red_base.sh", "train"), "lab")]


def test_a_script_is_named_by_a_word_of_its_name() -> None:
    text = "train with the red base script for 9 epochs"
    assert best(text, [*INNER, RUN], *STEPS).line.answer().as_text() == "cd lab && bash run_red_base.sh train --epochs 9"
    assert wanted_as_it_is(RUN, read_request("write a script for the red base")) == 0


def test_what_names_the_script_and_what_is_guessed_is_not_handed_on() -> None:
    placed = [
        Placed(INNER[0].options[2], ("red",), 1.0, "red", (2,)),
        Placed(EPOCHS, ("3",), 0.3, "3", (5,), guessed=True),
        Placed(LAMPS, ("b",), 1.0, "b", (7,)),
    ]
    assert [p.values for p in without_named(RUN, Fill(placed), {2}).placed] == [("b",)]
    assert len(without_named(INNER[0], Fill(placed), {2}).placed) == 3
    blue = [Placed(INNER[0].options[2], ("blue",), 1.0, "blue", (2,))]
    assert without_named(RUN, Fill(blue), {2}).placed == blue  # its heading says so, not the script


@pytest.mark.parametrize("text", ["unsupervised lamps, script please", "Which script trains the unsupervised lamps?"])
def test_a_script_is_asked_for(text: str) -> None:
    assert best(text, [TRAIN, SCRIPT], INSIDE).line.answer().as_text() == "bash scripts/train_unsup_lamps.sh"


def test_what_its_name_says_is_not_left() -> None:
    script = program(path="scripts/train_lamps_L4.sh", kind="shell", run=("bash", "scripts/train_lamps_L4.sh"))
    mentions = list(read_request("the stock lamps on L4 and oat_2").mentions)
    assert [m.value for m in without_named(script, Fill(left=mentions), ()).left] == ["oat_2"]
    assert without_named(TRAIN, Fill(left=mentions), ()).left == mentions


NUMBER = Option("NUM_PROC", ("NUM_PROC",), "spread.sh:2", required=True)
DISTRIBUTED = program(NUMBER, path="spread.sh", kind="shell", run=("bash", "spread.sh"), open_ended=True)
HANDS_ON = command("torchrun --nproc_per_node=$NUM_PROC train.py $@", source="spread.sh:4")
LIT = program(option("data", required=True), EPOCHS, option("--batch-size", aliases=("-b",), type="int", default="32"))
DOCUMENTED = command("./spread.sh 4 /data/lamps -b 64 --epochs 5", target="spread.sh")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("train on 8 GPUs with /my/lamps and a batch size of 16", "./spread.sh 8 /my/lamps -b 16 --epochs 5"),
        ("train on 4 GPUs, one process per GPU, 9 epochs", "./spread.sh 4 /data/lamps -b 64 --epochs 9"),
    ],
)
def test_a_script_that_hands_on_what_stands_behind_its_own_arguments(text: str, code: str) -> None:
    material = Material([(0.5, LIT), (0.5, DISTRIBUTED)], [(0.5, HANDS_ON), (0.5, DOCUMENTED)])
    ranked = rank_programs(material, (), read_request(text))
    assert next(r.line.answer().code for r in ranked if r.line.program.path == "spread.sh") == code
