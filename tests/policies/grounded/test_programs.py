from pathlib import Path

import pytest

from ml_agent.policies.grounded.knowledge import choice_families
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import Ranked, rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from tests.policies.grounded.support import command, first, option, program, write

EPOCHS = option("--epochs", type="int")
LR = option("--lr", type="float")


def ranked(text: str, programs: list[EntryPoint], *commands: Command) -> list[Ranked]:
    """All lines, with the same retrieval score for each."""
    material = Material([(0.5, p) for p in programs], [(0.5, c) for c in commands])
    return rank_programs(material, choice_families(programs), read_request(text))


def best(text: str, programs: list[EntryPoint], *commands: Command) -> str:
    return ranked(text, programs, *commands)[0].line.program.path


def at(*paths: str) -> list[EntryPoint]:
    return [program(EPOCHS, LR, path=path, run=("python", path)) for path in paths]


@pytest.mark.parametrize("said", ["TinyTaco", "tiny taco", "tiny-taco", "TINYTACO"])
def test_the_named_program_wins_over_its_siblings(said: str) -> None:
    siblings = at("tts/wave_glee/train.py", "tts/tiny_taco/train.py", "tts/fast_pitchy/train.py")
    assert best(f"train the {said} vocoder for 20 epochs", siblings) == "tts/tiny_taco/train.py"
    assert best(f"train the {said} vocoder for 20 epochs", siblings[::-1]) == "tts/tiny_taco/train.py"


def test_a_name_in_a_heading_counts_as_well() -> None:
    programs = at("rl/a.py", "rl/b.py")
    documented = [command("python rl/b.py --lr 1", target="rl/b.py", headings=("Agents", "Actor Critic (A2C)"))]
    assert best("train A2C", programs, *documented) == "rl/b.py"
    assert best("train the actor critic", programs, *documented) == "rl/b.py"


def test_what_is_to_be_done_chooses_among_files() -> None:
    programs = at("ranker/evaluate.py", "ranker/export.py", "ranker/train.py", "ranker/prepare_data.py")
    assert best("train the ranker", programs) == "ranker/train.py"
    assert best("evaluate the ranker", programs) == "ranker/evaluate.py"
    assert best("preprocess the data for the ranker", programs) == "ranker/prepare_data.py"


def test_support_files_lose_unless_they_are_meant() -> None:
    programs = at("tests/test_tagger.py", "docs/conf_tagger.py", "nlp/tagger.py", "setup.py")
    assert best("run the tagger for 3 epochs", programs) == "nlp/tagger.py"
    assert best("play it for 3 epochs", at("tests/play.py", "zoo/play.py")) == "zoo/play.py"
    assert best("run tests/test_tagger.py", programs) == "tests/test_tagger.py"


def test_a_documented_script_that_is_named_wins() -> None:
    programs = [*at("audio/train.py"), program(path="audio/sing_all.sh", kind="shell", run=("bash", "audio/sing_all.sh"))]
    documented = command("bash sing_all.sh", workdir="audio")
    found = ranked("train with the sing_all script", programs, documented)
    assert found[0].line.answer().as_text() == "cd audio && bash sing_all.sh"
    assert best("run `audio/sing_all.sh`", programs, documented) == "audio/sing_all.sh"


def test_the_program_that_takes_what_is_asked_for_wins() -> None:
    programs = [program(EPOCHS, path="a/fit.py"), program(EPOCHS, option("--beam-width", type="int"), path="b/fit.py")]
    assert best("fit it with a beam width of 4 for 2 epochs", programs) == "b/fit.py"


def test_a_documented_program_wins_over_one_that_is_not() -> None:
    programs = at("x/play.py", "y/play.py")
    assert best("play for 2 epochs", programs, command("python play.py --epochs 5", workdir="y")) == "y/play.py"


def test_the_documented_command_that_agrees_wins() -> None:
    made = program(option("--corpus"), EPOCHS, path="train.py")
    documented = [
        command("python train.py --corpus tinyspeech --epochs 4", source="README.md:3"),
        command("python train.py --corpus birdsong --epochs 90", source="README.md:4"),
    ]
    found = ranked("train on BirdSong for 7 epochs", [made], *documented)
    assert found[0].line.answer().code == "python train.py --corpus birdsong --epochs 7"
    assert found[0].line.command is documented[1]
    assert [r.line.command for r in found if r.line.command is not documented[1]] == [documented[0]]


def test_an_unsure_value_is_placed_otherwise_in_further_answers() -> None:
    made = program(option("--corpus", default="'owls'"), option("--voice", default="'deep'"), option("--epochs", type="int"))
    found = ranked("train on BirdSong for 7 epochs", [made], command("python train.py --corpus owls --voice deep --epochs 5"))
    codes = [r.line.answer().code for r in found]
    assert codes[0] == "python train.py --corpus BirdSong --voice deep --epochs 7"
    assert "python train.py --corpus owls --voice deep --epochs 7" in codes[1:]
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)


def test_a_value_without_a_place_gets_the_likeliest_in_a_further_answer() -> None:
    made = program(option("--corpus"), option("--most-likely", type="int"), option("--owl", type="float"))
    found = ranked("train on BirdSong, of 40 something", [made], command("python train.py --corpus owls"))
    first, second, *_ = (r.line.answer().code for r in found)
    assert (first, second) == ("python train.py --corpus BirdSong", "python train.py --corpus BirdSong --most-likely 40")


def test_of_two_versions_the_one_with_more_programs_leads() -> None:
    programs = at("torch_port/gan/train.py", "torch_port/vae/train.py", "torch_port/flow/train.py", "old_port/gan/train.py")
    assert best("train the gan", programs) == best("train the gan", programs[::-1]) == "torch_port/gan/train.py"


def test_a_command_with_unresolved_variables_loses_to_one_without() -> None:
    made = program(option("--data"), EPOCHS, path="train.py")
    documented = [command("python train.py --data $DATA/$SPLIT"), command("python train.py --data songs/all")]
    assert ranked("train it", [made], *documented)[0].line.answer().code == "python train.py --data songs/all"


def test_a_program_whose_options_could_not_be_read_takes_those_that_are_documented() -> None:
    made = program(path="lab/train.py", kind="plain")
    found = ranked("train with a step size of 0.3", [made], command("python train.py --step_size 0.1 --out m", workdir="lab"))
    assert found[0].line.answer().as_text() == "cd lab && python train.py --step_size 0.3 --out m"


def test_the_order_is_by_score_and_does_not_depend_on_the_order_of_the_material() -> None:
    programs = at("a/one.py", "a/two.py", "b/one.py", "b/two.py")
    found = ranked("train one for 3 epochs", programs)
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)
    again = ranked("train one for 3 epochs", programs[::-1])
    assert [(r.score, r.line.program.path) for r in again] == [(r.score, r.line.program.path) for r in found]
    assert all(r.score == pytest.approx(sum(r.features.values())) for r in found)


def test_nothing_to_rank(tmp_path: Path) -> None:
    assert ranked("train it", []) == []
    assert ranked("", at("a.py"))[0].line.answer().code == "python a.py"


def test_a_program_that_only_a_document_tells_of() -> None:
    ringing = Command(
        ("bin/bell", "-min-weight", "3", "-loud", "2"), "bin/bell", 0, ".", "README.md:9", redirects=(("<", "tower.txt"), (">", "out.txt"))
    )
    found = ranked("ring the bell for churches/north.txt into rung.txt with a min weight of 7", at("lamps/train.py"), ringing)
    answer = found[0].line.answer()
    assert answer.code == "bin/bell -min-weight 7 -loud 2 < churches/north.txt > rung.txt"
    assert {e.words for e in answer.evidence} >= {"churches/north.txt", "rung.txt"}
    assert ranked("ring the bell", [], ringing)[0].line.answer().code == "bin/bell -min-weight 3 -loud 2 < tower.txt > out.txt"


def test_a_built_program_from_the_readme_to_the_answer(tmp_path: Path) -> None:
    readme = "# Bells\n\nRing the bells of a tower:\n\n```bash\nmake\n./bell -min-weight 3 < tower.txt > rung.txt\n```\n"
    write(tmp_path, {"Makefile": "bell: bell.c\n\tgcc bell.c -o bell\n", "bell.c": "int main() {}\n", "README.md": readme})
    assert first(tmp_path, "ring the bells of north.txt into out.txt, min weight 7") == "./bell -min-weight 7 < north.txt > out.txt"


def test_a_script_that_runs_at_once_is_a_program() -> None:
    found = ranked("burn the lamp", [program(path=p, kind="plain", run=("python", p)) for p in ("run_lamp.py", "parts/lamp.py")])
    assert found[0].line.program.path == "run_lamp.py"


def test_the_setup_script_compiles() -> None:
    building = command("python setup.py build_ext --inplace", workdir="ringing", target="ringing/setup.py")
    programs = [*at("train.py"), program(path="ringing/setup.py", kind="plain", run=("python", "ringing/setup.py"))]
    assert ranked("compile the ringing extension in place", programs, building)[0].line.answer().as_text() == (
        "cd ringing && python setup.py build_ext --inplace"
    )
    assert best("train the lamps", programs, building) == "train.py"


def test_a_first_word_may_be_a_sub_command() -> None:
    programs = [program(path="bells/run.py", kind="plain", run=("python", "-m", "bells.run"), open_ended=True)]
    lines = [
        Command(("python", "-m", "bells.run", name, "tower"), "bells/run.py", 2, ".", f"README.md:{n}")
        for n, name in enumerate(("train", "evaluate", "plot"), 1)
    ]
    for text, name in (("train on tower", "train"), ("how good is tower?", "evaluate"), ("plot tower", "plot")):
        assert ranked(text, programs, *lines)[0].line.answer().code == f"python -m bells.run {name} tower"


def test_a_sub_command_that_no_document_shows() -> None:
    job = option("job", required=True, nargs="A...", choices=("grow", "moult", "count"))
    feathers = option("--feathers", type="int", command="moult")
    made = program(job, option("--out", command="grow"), feathers, run=("nest",), path="nest/cli.py")
    shown = Command(("nest", "grow", "--out", "a.txt"), "nest/cli.py", 0, ".", "README.md:3")
    lines = [r.line.answer().code for r in ranked("moult 12 feathers", [made], shown)]
    assert lines[0] == "nest moult --feathers 12"
    assert "nest grow" not in lines


def test_a_folder_that_is_called_as_the_program_is_still_to_be_given() -> None:
    made = program(option("--output-dir"), path="owls.py", run=("python", "owls.py"))
    assert ranked("draw in the folder owls", [made])[0].line.answer().code == "python owls.py --output-dir owls"
    bare = ranked("draw in the folder owls", [program(path="owls.py", run=("python", "owls.py"))])[0]
    assert bare.line.unused == ("owls",)
