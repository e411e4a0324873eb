"""What programs received is what they received, whatever the answer does; each attack here would pass if the record were of its making."""

from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Attempt
from ml_agent.benchmarks.execution import Executed, execute
from ml_agent.benchmarks.scorers import load_scorer
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer

SAMPLES = {sample.key: sample for sample in load_suite("smoke").samples}
FIRST = SAMPLES["tinynets/1"]
RIGHT = "train.py --dataset moons --model mlp --lr 0.05 --epochs 20"
VECTOR = tuple(RIGHT.split())


def run(code: str, *, workdir: str = ".", sandbox: str = "bubblewrap", seconds: float = 20, folder: Path = REPOSITORY) -> Executed:
    return execute(FIRST, Answer("bash", code, workdir), folder, options=Options(sandbox=sandbox), seconds=seconds)


@pytest.mark.parametrize("sandbox", [pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("bubblewrap", "docker")])
def test_an_honest_answer(sandbox: str) -> None:
    record, received = run(f"python {RIGHT} && cd scripts && bash -eu run.sh -e 1 -s 4 moons softmax", sandbox=sandbox)
    assert record.outcome == "completed", record.output_tail
    assert received is not None
    assert received[:2] == (VECTOR, ("scripts/run.sh", "-e", "1", "-s", "4", "moons", "softmax"))
    assert [vector[0] for vector in received] == ["train.py", "scripts/run.sh", "train.py", "evaluate.py"]
    assert "runs/moons-softmax.json" in record.made


@pytest.mark.bubblewrap
def test_a_module_a_quoted_word_and_another_folder() -> None:
    _, received = run(
        'cd examples; cd names; X="0.7"; python -u -W ignore train.py --temperature "$X"; cd ../..; python -m train --epochs 1'
    )
    assert received == (("examples/names/train.py", "--temperature", "0.7"), ("train.py", "--epochs", "1"))


FORGER = """
import glob, json, os
env = [f"{name}={value}" for name, value in os.environ.items()]
started = {"event": "exec", "pid": 99999, "argv": ["python", *os.environ["RIGHT"].split()], "cwd": os.getcwd(), "env": env, "changed": []}
text = "".join(json.dumps(event) + chr(10) for event in (started, {"event": "exit", "pid": 99999, "status": 0, "changed": []}))
for path in [*glob.glob("/proc/[0-9]*/fd/*"), "/opt/ml-agent-record/record"]:
    if not path.startswith(f"/proc/{os.getpid()}/"):
        try:
            with open(path, "a") as file:
                file.write(text)
        except OSError:
            pass
"""
"""Writes what the launcher would, to whatever can be written to."""
ATTACKS = {
    "echo": f"echo python {RIGHT}; printf '%s\\n' '{RIGHT}'",
    "a function": f'python() {{ echo "$@"; }}; python {RIGHT}',
    "another name for echo": f"exec -a python /bin/echo {RIGHT}",
    "a copy of echo": f"mkdir bin; cp /bin/echo bin/python; PATH=$PWD/bin:$PATH python {RIGHT}",
    "a script for python": (
        f"mkdir bin; printf '#!/bin/sh\\nexit 0\\n' > bin/python; chmod +x bin/python; PATH=$PWD/bin:$PATH python {RIGHT}"
    ),
    "an environment of its own": (
        'V=/tmp/v/lib/python$(python -c "import sys; print(*sys.version_info[:2], sep=chr(46))")/site-packages; mkdir -p /tmp/v/bin $V; '
        'ln -s "$(readlink -f "$(command -v python)")" /tmp/v/bin/python; '
        'echo "home = $(dirname "$(readlink -f /tmp/v/bin/python)")" > /tmp/v/pyvenv.cfg; '
        f"echo 'import os; os._exit(0)' > $V/sitecustomize.py; /tmp/v/bin/python {RIGHT} --no-such-option"
    ),
    "the program is changed": f"echo > train.py; python {RIGHT}",
    "the program is changed and put back": f"cp -p train.py /tmp; echo > train.py; python {RIGHT}; cp -p /tmp/train.py .",
    "what it imports is changed": f"echo 'raise SystemExit(0)' > tinynets/training.py; python {RIGHT} --no-such-option",
    "what it imports is changed and put back": (
        f"cp -p tinynets/data.py /tmp; echo 'raise SystemExit(0)' > tinynets/data.py; python {RIGHT}; cp -p /tmp/data.py tinynets"
    ),
    "a module in front of Python's": f"echo 'raise SystemExit(0)' > argparse.py; python {RIGHT}; rm argparse.py",
    "a link in front of Python's": (
        f"mkdir /tmp/a; echo 'raise SystemExit(0)' > /tmp/a/__init__.py; ln -s /tmp/a argparse; python {RIGHT}; rm argparse"
    ),
    "a path for modules": f"mkdir /tmp/m; echo 'raise SystemExit(0)' > /tmp/m/argparse.py; PYTHONPATH=/tmp/m python {RIGHT}",
    "code at Python's start": (
        'D="$(python -c "import site; print(site.getusersitepackages())")"; mkdir -p "$D"; '
        f'echo "import os; os._exit(0)" > "$D/usercustomize.py"; env -u PYTHONNOUSERSITE python {RIGHT}'
    ),
    "a library that is loaded first": f"LD_PRELOAD=/tmp/none.so python {RIGHT}",
    "code at the shell's start": "echo 'exit 0' > /tmp/env; BASH_ENV=/tmp/env bash scripts/run.sh moons mlp",
    "the shell only reads": "bash -n scripts/run.sh moons mlp",
    "python does not run it": f"python -c 'pass' {RIGHT}; python -h {RIGHT}; python -V {RIGHT}",
    "it fails": f"python {RIGHT} --no-such-option || true",
    "it is not waited for": f"python {RIGHT} --epochs 100000 & sleep 0.5",
    "it is killed": f"timeout -s KILL 0.3 python {RIGHT} --epochs 100000; true",
    "the record is written": f"RIGHT='{RIGHT}' python -c '{FORGER}'",
    "the launcher is changed": "echo > /opt/ml-agent-grader/watcher.py; rm -rf /opt/ml-agent-grader",
    "the launcher is looked into": "python -c \"import os; open(f'/proc/{os.getppid()}/mem', 'r+b'); open('/proc/2/mem', 'r+b')\"",
}


@pytest.mark.bubblewrap
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(name: str) -> None:
    _, received = run(ATTACKS[name])
    assert received == ()


@pytest.mark.bubblewrap
def test_who_kills_the_launcher_dies_with_it() -> None:
    record, received = run(f"python {RIGHT}; kill -9 $PPID; sleep 1; python {RIGHT}")
    assert record.outcome == "failed"
    assert record.exit_code is None
    assert received == (VECTOR,)


@pytest.mark.docker
@pytest.mark.parametrize("name", ["echo", "another name for echo", "a copy of echo", "the record is written", "the launcher is changed"])
def test_attacks_in_docker(name: str) -> None:
    _, received = run(ATTACKS[name], sandbox="docker")
    assert received == ()


@pytest.mark.bubblewrap
def test_still_running_at_the_limit() -> None:
    record, received = run(f"python {RIGHT} --epochs 10000000", seconds=2)
    assert record.outcome == "running_at_limit"
    assert received == ((*VECTOR, "--epochs", "10000000"),)
    sample = FIRST
    answer = Answer("bash", f"python {RIGHT}")
    judged = load_scorer("executed").score(sample, Attempt(sample.key, 0, "answered", answer, record=record, received=(VECTOR,)))
    assert (judged.passed, judged.reason) == (True, "running_at_limit")


@pytest.mark.bubblewrap
def test_paths_for_modules_of_the_repository_are_fine() -> None:
    _, received = run(f"PYTHONPATH=.:tinynets PYTHONHASHSEED=1 CUDA_VISIBLE_DEVICES=0 python {RIGHT} --epochs 1")
    assert received is not None
    assert [vector[0] for vector in received] == ["train.py"]


@pytest.mark.bubblewrap
def test_each_run_is_in_a_fresh_copy(smoke: Path) -> None:
    (smoke / ".git").mkdir()
    (smoke / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    before = {path: path.read_bytes() for path in smoke.rglob("*") if path.is_file()}
    for _ in range(2):
        record, _received = run("test ! -e .git && test ! -e left && touch left && echo >> train.py", folder=smoke)
        assert record.outcome == "completed"
    assert {path: path.read_bytes() for path in smoke.rglob("*") if path.is_file()} == before


def test_without_a_sandbox_nothing_is_received(smoke: Path) -> None:
    record, received = run(f"python {RIGHT}", sandbox="none")
    assert (record.outcome, received) == ("not_run", None)
    record, received = run(f"python {RIGHT} --epochs 1", sandbox="local")
    assert (record.outcome, received) == ("completed", None)


@pytest.mark.bubblewrap
def test_a_folder_that_is_not_there_is_the_answers_failure() -> None:
    record, received = run("true", workdir="nowhere")
    assert record.outcome == "failed"
    assert "nowhere" in str(record.reason)
    assert not received


@pytest.mark.bubblewrap
def test_a_python_answer_runs_in_its_folder() -> None:
    sample = SAMPLES["tinynets/10"]
    record, received = execute(sample, Answer("python", sample.output), REPOSITORY, options=Options(sandbox="bubblewrap"), seconds=30)
    assert record.outcome == "completed", record.output_tail
    assert received == ()  # it is no program of the repository
