from pathlib import Path

from ml_agent.policies.grounded.fronts import behind_fronts, dispatching
from ml_agent.repo.commands import Command
from tests.policies.grounded.support import command, option, program, proposals, write

PLOT = program(option("logdir", nargs="*"), option("--smooth", type="int"), path="nest/utils/plot.py")
RUN = program(path="nest/run.py", kind="plain", run=("python", "-m", "nest.run"), open_ended=True)
KNOWN = {p.path: p for p in (PLOT, RUN)}


def shown(text: str) -> list[Command]:
    words = text.split(" ")
    return [command("python nest/run.py", target="nest/run.py", words=("python", "-m", "nest.run", *words), target_index=2)]


def test_a_sub_command_takes_what_the_program_of_its_name_takes() -> None:
    made = dispatching(RUN, [*shown("plot data/a"), *shown("ppo --env Owl-v2 --lr 0.1")], KNOWN)
    selector, *inner = made.options
    assert (selector.choices, selector.selects) == (("plot", "ppo"), True)
    assert [(o.name, o.command) for o in inner] == [("logdir", "plot"), ("--smooth", "plot"), ("--env", "ppo"), ("--lr", "ppo")]


def test_only_where_there_is_one_such_program_and_little_is_known() -> None:
    twice = {**KNOWN, "nest/old/plot.py": program(option("--x"), path="nest/old/plot.py")}
    bare = {**KNOWN, PLOT.path: program(path=PLOT.path)}
    known = program(option("--lr"), path="nest/run.py")
    assert dispatching(RUN, shown("plot data/a"), twice) is RUN
    assert dispatching(RUN, shown("plot data/a"), bare) is RUN
    assert dispatching(RUN, shown("data/a plot"), KNOWN) is RUN
    assert dispatching(known, shown("plot data/a"), KNOWN) is known


def test_the_file_behind_a_documented_program() -> None:
    behind = program(option("--lr", source="nest/score.py:3"), path="nest/score.py")
    front = program(option("--lr", source="nest/score.py:3"), option("--help", action="help"), path="nest/__main__.py")
    assert behind_fronts([front, behind], ["nest/__main__.py"]) == {"nest/score.py": "nest/__main__.py"}
    assert behind_fronts([front, behind], ["nest/__main__.py", "nest/score.py"]) == {}
    assert behind_fronts([front, behind], []) == {}


def test_the_program_that_documents_run_is_run(tmp_path: Path) -> None:
    parser = "import argparse\n\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('--batch-size', type=int)\n"
    parser += "    p.parse_args()\n"
    write(
        tmp_path,
        {
            "README.md": "# Birds\n\n```bash\npython -m birds --batch-size 8\n```\n",
            "birds/__init__.py": "",
            "birds/score.py": parser + "\nif __name__ == '__main__':\n    main()\n",
            "birds/__main__.py": "from birds.score import main\n\nmain()\n",
        },
    )
    assert proposals(tmp_path, "give me the score of the birds with batch size 32")[0].answer.code == "python -m birds --batch-size 32"


def test_from_the_readme_to_the_sub_command(tmp_path: Path) -> None:
    plot = "import argparse\np = argparse.ArgumentParser()\np.add_argument('path', nargs='*')\n"
    plot += "p.add_argument('--smooth', type=int)\np.parse_args()\n"
    write(
        tmp_path,
        {
            "README.md": "# Birds\n\nPlot it:\n\n```bash\npython -m nest.run plot data/a\n```\n",
            "nest/__init__.py": "",
            "nest/run.py": "import sys\nimport other\nif __name__ == '__main__':\n    other.call(sys.argv[1:])\n",
            "nest/utils/plot.py": plot,
        },
    )
    answer = proposals(tmp_path, "Plot data/hop and data/walk, smoothed over a window of 5")[0].answer
    assert answer.code == "python -m nest.run plot data/hop data/walk --smooth 5"
