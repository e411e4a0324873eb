"""Whole commands: what is right, and what is wrong with the others."""

import pytest

from ml_agent.benchmarks.phrasings.command_lines import Syntax, WholeCommand, read
from ml_agent.task import Answer

SYNTAX = Syntax(
    flags=frozenset({"--amp"}),
    several=frozenset({"--sizes"}),
    short={"-o": "--output"},
    launcher=frozenset({"--nproc"}),
)


def problems(wanted: str, given: str, program: int = 2, syntax: Syntax = SYNTAX, workdir: str = ".") -> list[str]:
    command = read(wanted, ".", syntax)
    assert command is not None
    return WholeCommand("", (command,), program, syntax).problems(Answer("bash", given, workdir))


WANTED = "python train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/x"


@pytest.mark.parametrize(
    "given",
    [
        WANTED,
        "python3 ./train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/x",
        "python -u train.py --output=out/x --amp a.txt --lr=1e-1 'b c.txt' --sizes 3 5",
        "# a comment\npython train.py a.txt 'b c.txt' \\\n  --lr 0.10 --amp \\\n  --sizes 3 5 -o out/x\n",
    ],
)
def test_right(given: str) -> None:
    assert problems(WANTED, given) == []


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("python test.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/x", ["another program"]),
        ("python -m train a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/x", ["another program"]),
        ("python train.py a.txt 'b c.txt' --lr 0.2 --amp --sizes 3 5 --output out/x", ["wrong --lr"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 --output out/x", ["wrong --sizes"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --amp=yes --sizes 3 5 --output out/x", ["wrong --amp"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/y", ["wrong --output"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --sizes 3 5 --output out/x", ["missing --amp"]),
        ("python train.py a.txt 'b c.txt' --amp --sizes 3 5", ["missing --lr", "missing --output"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5 --output out/x --seed 1", ["extra --seed"]),
        ("python train.py a.txt b c.txt --lr 0.1 --amp --sizes 3 5 --output out/x", ["other arguments"]),
        ("python train.py 'b c.txt' a.txt --lr 0.1 --amp --sizes 3 5 --output out/x", ["other arguments"]),
        ("python --lr 0.1 train.py a.txt 'b c.txt' --amp --sizes 3 5 --output out/x", ["misplaced --lr"]),
        ("python train.py a.txt 'b c.txt' --lr 0.1 --amp --sizes 3 5.0 --output out/x", ["wrong --sizes"]),
        (f"for x in 1 2; do {WANTED}; done", ["not a single command"]),
        (f"X=1 {WANTED}", ["not a single command"]),
        (f"pip install owl\n{WANTED}", ["not a single command"]),
        (f"{WANTED} > log", ["not a single command"]),
        ("", ["not a single command"]),
    ],
)
def test_wrong(given: str, found: list[str]) -> None:
    assert problems(WANTED, given) == found


def test_no_answer_or_one_in_python() -> None:
    command = read("python a.py", ".", SYNTAX)
    assert command
    whole = WholeCommand("", (command,), 2, SYNTAX)
    assert whole.problems(None) == whole.problems(Answer("python", "python a.py")) == ["not a single command"]


@pytest.mark.parametrize(
    ("given", "workdir", "right"),
    [
        ("cd impl/a && python a.py --lr 1", ".", True),
        ("cd impl/a/\npython a.py --lr 1", ".", True),
        ("python a.py --lr 1", "impl/a", True),
        ("python impl/a/a.py --lr 1", ".", True),
        ("python a.py --lr 1", ".", False),
        ("cd impl && python a/a.py --lr 1", ".", False),
        ("python a.py --lr 1", "impl/b", False),
    ],
)
def test_folders(given: str, workdir: str, right: bool) -> None:
    assert problems("cd impl/a && python a.py --lr 1", given, workdir=workdir) == ([] if right else ["another program"])


def test_paths_are_those_of_the_root() -> None:
    assert problems("python tools/a.py --data d", "cd tools && python a.py --data d") == ["another program"]


def test_installed_commands_and_modules() -> None:
    assert problems("owl train d", "owl train d") == []
    assert problems("owl train d", "owl evaluate d") == ["another program"]
    assert problems("owl train d", "owl --lr 1 train d") == ["extra --lr", "misplaced --lr"]
    assert problems("python -m owl.fid --a 1", "python3 -m owl.fid --a 1", 3) == []
    assert problems("python -m owl.fid --a 1", "python owl/fid.py --a 1", 3) == ["another program"]


def test_numbers() -> None:
    assert problems("python a.py --x 0.001", "python a.py --x 1e-3") == []
    assert problems("python a.py --x 30", "python a.py --x 30.0") == ["wrong --x"]


def test_launchers() -> None:
    wanted = "python -m torch.distributed.launch --nproc 2 run.py --lr 1"
    assert problems(wanted, "python -m torch.distributed.launch --nproc=2 run.py --lr 1", 4) == []
    assert problems(wanted, "python -m torch.distributed.launch --nproc=4 run.py --lr 1", 4) == ["wrong --nproc"]
    assert problems(wanted, "python -m torch.distributed.launch run.py --nproc=2 --lr 1", 4) == ["misplaced --nproc"]
    assert problems(wanted, "python -m torch.distributed.launch --nproc=2 --lr 1 run.py", 4) == ["misplaced --lr"]
    assert problems(wanted, "python --nproc=2 -m torch.distributed.launch run.py --lr 1", 4) == ["misplaced --nproc"]
    assert problems(wanted, "python run.py --lr 1", 4) == ["another program"]


def test_trailing_settings() -> None:
    syntax = Syntax(flags=frozenset({"--eval"}), trailing=True)
    assert problems("python t.py --eval A.B 1", "python t.py --eval A.B 1", 2, syntax) == []
    assert problems("python t.py --eval A.B 1", "python t.py A.B 1 --eval", 2, syntax) == ["misplaced --eval"]
    assert problems("python t.py --eval A.B 1", "python t.py --eval A.B 2", 2, syntax) == ["other arguments"]


def test_assigned_settings_and_defaults() -> None:
    syntax = Syntax(assigned=True, defaults={"model": "owl"})
    assert problems("python t.py model=owl a.b=0.1", "python t.py a.b=1e-1", 2, syntax) == []
    assert problems("python t.py model=owl a.b=1", "python t.py a.b=1 model=owl", 2, syntax) == []
    assert problems("python t.py model=jay a.b=1", "python t.py a.b=1", 2, syntax) == ["missing model"]
    assert problems("python t.py model=owl a.b=1", "python t.py model=owl", 2, syntax) == ["missing a.b"]
    assert problems("python t.py model=owl", "python t.py model=owl a.b=1", 2, syntax) == ["extra a.b"]


def test_the_nearest_of_several_is_wanted() -> None:
    wanted = tuple(command for text in ("python a.py --x 1 --y 1", "python a.py --x 2 --y 2") if (command := read(text, ".", SYNTAX)))
    whole = WholeCommand("", wanted, 2, SYNTAX)
    assert whole.problems(Answer("bash", "python a.py --x 2 --y 2")) == []
    assert whole.problems(Answer("bash", "python a.py --x 2 --y 3")) == ["wrong --y"]
    assert len(whole.problems(Answer("bash", "python a.py --x 2 --y 1"))) == 1


def test_settings_replace_those_of_the_same_name() -> None:
    command = read("python a.py --x 1 --y 1", ".", SYNTAX)
    assert command
    assert command.setting({"--x": "3", "--z": None}).options == {"--x": "3", "--y": "1", "--z": None}


def test_syntax_as_it_is_written() -> None:
    syntax = Syntax.read({"flags": ["--a"], "short": {"-b": "--bee"}, "trailing": True})
    assert syntax == Syntax(flags=frozenset({"--a"}), short={"-b": "--bee"}, trailing=True)
