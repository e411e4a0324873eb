"""The example repository does what its README says, and the default policy does its tasks."""

import ast
import json
import os
import posixpath
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ml_agent import Answer, check, solve
from tests.test_architecture import ROOT

TASKS = [json.loads(line) for line in (ROOT / "benchmarks" / "smoke" / "tasks.jsonl").read_text().splitlines()]


def blocks(readme: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", readme.read_text(), re.DOTALL)


@pytest.mark.parametrize("readme", ["README.md", "examples/names/README.md"])
def test_what_the_readme_says_can_be_run(smoke: Path, readme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    subprocess.run(["bash", "-euc", "\n".join(blocks(smoke / readme, "bash"))], cwd=smoke, check=True, capture_output=True, timeout=40)
    for code in blocks(smoke / readme, "python"):
        subprocess.run([sys.executable, "-c", code], cwd=smoke, check=True, capture_output=True, timeout=20)


def test_the_accuracies_of_the_readme_are_true(smoke: Path) -> None:
    claimed = dict(re.findall(r"^\| `(\w+)` +\| \w+ +\| ([\d.]+) +\|$", (smoke / "README.md").read_text(), re.MULTILINE))
    assert set(claimed) == {"blobs", "moons", "rings", "spirals", "xor"}
    commands = [
        "--dataset blobs --model softmax --lr 0.5 --epochs 10",
        "--dataset moons --model mlp --hidden 16 --lr 0.1 --epochs 30",
        "--dataset spirals --model mlp --hidden 32 --optimizer adam --lr 0.02 --epochs 60",
        "--config configs/rings.json",
        "--config configs/xor.json",
    ]
    for options in commands:
        done = subprocess.run([sys.executable, "train.py", *options.split()], cwd=smoke, check=True, capture_output=True, text=True)
        found = re.search(r"test accuracy ([\d.]+) \(\d+ points of (\w+)", done.stdout)
        assert found is not None
        assert abs(float(found[1]) - float(claimed[found[2]])) < 0.006


def test_gradients(smoke: Path) -> None:
    code = (
        "from tinynets.gradcheck import gradient_error as e; from tinynets.models import *\n"
        "print(max(e(MLP(3, 5, 4, 'tanh', 1)), e(MLP(3, 5, 4, 'relu', 2)), e(SoftmaxRegression(3, 4))))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=smoke, check=True, capture_output=True, text=True)
    assert float(done.stdout) < 1e-6


def options_of(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The options with their values, and the other words."""
    options: dict[str, str] = {}
    rest: list[str] = []
    for word in words:
        if word.startswith("-"):
            name, _, value = word.partition("=")
            options[name] = value
        elif options and list(options.values())[-1] == "" and not rest:
            options[list(options)[-1]] = word
        else:
            rest.append(word)
    return options, rest


def wrong_with(answer: Answer, expected: dict[str, Any]) -> str:
    """Why an answer does not do what a task asks for; empty if it does."""
    if answer.language != expected["language"]:
        return f"it is {answer.language}"
    if answer.language == "python":
        nodes = list(ast.walk(ast.parse(answer.code)))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        literals = [node.value for node in nodes if isinstance(node, ast.Constant)]
        keywords = {
            (node.arg, node.value.value) for node in nodes if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant)
        }
        missing = [use for use in expected["uses"] if use.rpartition(".")[2] not in names]
        missing += [value for value in expected["values"] if value not in literals]
        missing += [f"{name}={value}" for name, value in expected["keywords"].items() if (name, value) not in keywords]
        return f"it lacks {', '.join(missing)}" if missing else ""
    words = shlex.split(answer.code)
    index = next(i for i, word in enumerate(words) if word.endswith((".py", ".sh")))
    program = posixpath.normpath(posixpath.join(answer.workdir, words[index]))
    if program != expected["program"]:
        return f"it runs {program}"
    options, rest = options_of(words[index + 1 :])
    different = {name: options.get(name) for name, value in expected["options"].items() if options.get(name) != value}
    if different:
        return f"it has {different}"
    return f"it has the arguments {rest}" if rest != expected.get("arguments", []) else ""


@pytest.mark.parametrize("task", TASKS, ids=lambda task: str(task["id"]))
def test_the_tasks_can_be_done(task: dict[str, Any], smoke: Path) -> None:
    expected = task["answer"]
    if expected["language"] == "python":
        code = "\n".join(f"from {use.rpartition('.')[0]} import {use.rpartition('.')[2]}" for use in expected["uses"])
    else:
        words = ["bash" if expected["program"].endswith(".sh") else "python", posixpath.relpath(expected["program"], expected["workdir"])]
        code = shlex.join([*words, *(word for pair in expected["options"].items() for word in pair), *expected.get("arguments", [])])
    found = check(smoke, code, workdir=expected["workdir"], language=expected["language"])
    assert found.findings == ()


@pytest.mark.bubblewrap
def test_the_default_policy_does_the_tasks(smoke: Path) -> None:
    """All of them run; nearly all do just what was asked for."""
    wrong = {}
    for task in TASKS:
        result = solve(smoke, task["instruction"])
        assert result.answer is not None, result.message
        assert result.answer.evidence
        assert result.check is not None
        assert result.check.ok
        assert result.run is not None
        why = wrong_with(result.answer, task["answer"]) or ("" if result.run.outcome == "completed" else str(result.run.reason))
        if why:
            wrong[task["id"]] = (result.answer.as_text(), why)
    assert len(wrong) <= 2, wrong
