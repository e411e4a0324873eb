"""What another distribution announces, really built, installed and used by name."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import ml_agent, one_line
from tests.distribution import install

TASK = "train the MLP on the moons for 3 epochs"
ANSWER = "python train.py --epochs 3"


class Theirs:
    """Runs ml-agent where the distribution is installed."""

    def __init__(self, folder: Path) -> None:
        self.marker = folder / "imported"
        path = os.pathsep.join(filter(None, (str(folder / "installed"), os.environ.get("PYTHONPATH"))))
        self._environment: dict[str, Any] = {"PYTHONPATH": path, "MARKER": str(self.marker), "COLUMNS": "400"}

    def __call__(self, *arguments: "str | Path") -> "subprocess.CompletedProcess[str]":
        done = ml_agent(*arguments, **self._environment)
        assert not self.marker.exists(), "what takes a name of ml-agent's own is never imported"
        return done

    def json(self, *arguments: "str | Path") -> Any:
        done = self(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *arguments: "str | Path") -> str:
        done = self(*arguments)
        assert done.returncode == 2
        return one_line(done)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Theirs:
    folder = tmp_path_factory.mktemp("theirs")
    install(folder / "installed", folder)
    return Theirs(folder)


def by_name(listed: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {one["name"]: one for one in listed}
    assert len(found) == len(listed)
    return found


def test_policies(theirs: Theirs) -> None:
    found = by_name(theirs.json("policies")["policies"])
    assert found["grounded"]["distribution"] == found["create-agent"]["distribution"] == found["react"]["distribution"] == "ml-agent"
    one = found["theirs"]
    assert (one["about"], one["distribution"], one["version"]) == (
        *("Trains for so many epochs, whatever the task says.", "their-things", "1.2"),
    )
    assert (one["error"], one["uses_model"], one["resumable"]) == (None, False, True)
    assert one["options"] == [
        {"name": "epochs", "type": "integer", "required": False, "default": 3, "about": "How many to train for."},
        {"name": "with-run", "type": "boolean", "required": False, "default": True, "about": "Run it first."},
    ]
    assert (found["their-loop"]["uses_model"], found["their-loop"]["resumable"]) == (True, False)
    assert "No module named 'a_module_that_is_not_there'" in found["broken"]["error"]
    lines = theirs("policies").stdout.splitlines()
    assert any(line.split()[0] == "theirs" and line.endswith("(their-things 1.2)") for line in lines)
    assert any(line.split()[0] == "broken" and "cannot import the policy broken of their-things" in line for line in lines)
    shown = theirs("policies", "theirs").stdout.splitlines()
    assert shown[2].split() == "epochs integer, default 3 How many to train for.".split()
    assert "cannot import the policy broken of their-things" in theirs.refused("policies", "broken")


def test_tools(theirs: Theirs) -> None:
    found = by_name(theirs.json("tools")["tools"])
    assert found["submit"]["distribution"] == "ml-agent"
    one = found["count_words"]
    assert (one["about"], one["distribution"], one["error"]) == ("Count the words of a file.", "their-things", None)
    assert one["arguments"] == [{"name": "path", "type": "string", "required": False, "default": "README.md", "about": "Of which file."}]
    assert "is no tool" in found["no_tool"]["error"]
    assert "has the name of ml-agent's own tool submit" in found["takes_name"]["error"]


def test_suites(theirs: Theirs) -> None:
    found = by_name(theirs.json("bench", "list")["suites"])
    assert found["smoke"]["distribution"] == "ml-agent"
    assert (found["their-suite"]["about"], found["their-suite"]["version"]) == ("One task on a repository of theirs.", "1.2")


def test_solve(theirs: Theirs, smoke: Path) -> None:
    words: list[str | Path] = [
        "solve",
        "--repo",
        smoke,
        "--task",
        TASK,
        "--policy",
        "theirs",
        "--sandbox",
        "theirs",
        "--tool",
        "count_words",
    ]
    result = theirs.json(*words, "--option", "epochs=3")
    assert result["answer"]["code"] == ANSWER
    assert result["run"]["outcome"] == "completed"
    stored = [json.loads(line) for line in Path(result["trajectory"]).read_text().splitlines()]
    assert stored[0]["policy"] == "theirs"
    assert stored[0]["settings"]["solve"]["sandbox"]["sandbox"] == "theirs"
    assert "count_words" in stored[0]["settings"]["tools"]
    observed = [event for event in stored if event["event"] == "observation"]
    assert observed[0]["data"] == {"words": len((smoke / "README.md").read_text().split())}
    assert theirs.json("replay", result["trajectory"])["steps"] == 1


def test_without_being_asked_for_no_tool_of_theirs_is_offered(theirs: Theirs, smoke: Path) -> None:
    result = theirs.json("solve", "--repo", smoke, "--task", TASK, "--policy", "theirs", "--no-run")
    assert "count_words" not in json.loads(Path(result["trajectory"]).read_text().splitlines()[0])["settings"]["tools"]


def test_bench(theirs: Theirs, smoke: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words: list[str | Path] = [
        "bench",
        "run",
        "their-suite",
        "--repos",
        smoke.parent,
        "--policy",
        "theirs",
        "--sandbox",
        "theirs",
        "--out",
        run,
    ]
    assert theirs.json(*words)["endings"] == {"answered": 1}
    scored = theirs.json("bench", "score", run, "--repos", smoke.parent, "--scorer", "static")
    assert (scored["policy"]["name"], scored["suite"]["name"], scored["by_reason"]) == ("theirs", "their-suite", {"passed": 1})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--policy", "their"], "no policy is called 'their': did you mean theirs?"),
        (["--policy", "broken"], "cannot import the policy broken of their-things"),
        (["--policy", "pretends"], "pretends has the name of ml-agent's own policy react"),
        (["--policy", "theirs", "--option", "epochs=0"], "the option epochs of the policy theirs"),
        (["--policy", "theirs", "--tool", "takes_name"], "has the name of ml-agent's own tool submit"),
        (["--policy", "theirs", "--tool", "no_tool"], "no_tool is no tool"),
        (["--sandbox", "their"], "no sandbox is called 'their': did you mean theirs?"),
        (["--sandbox", "pretends"], "the sandbox pretends needs a `name` of its own, not 'docker'"),
        (["--sandbox", "theirs", "--gpus", "all"], "give --sandbox docker"),
    ],
)
def test_what_does_not_fit_is_told_in_a_line(theirs: Theirs, smoke: Path, words: list[str], told: str) -> None:
    assert told in theirs.refused("solve", "--repo", smoke, "--task", TASK, *words)


def test_a_suite_with_a_name_that_is_taken(theirs: Theirs, tmp_path: Path) -> None:
    told = theirs.refused("bench", "run", "pretends", "--policy", "theirs", "--out", tmp_path / "run")
    assert "the suite pretends has the name of ml-agent's own suite smoke" in told


def test_names_of_its_own_are_never_taken(theirs: Theirs, smoke: Path) -> None:
    """The marker: see `Theirs`."""
    result = theirs.json("solve", "--repo", smoke, "--task", TASK, "--policy", "grounded", "--sandbox", "auto", "--no-run")
    assert json.loads(Path(result["trajectory"]).read_text().splitlines()[0])["policy"] == "grounded"
    assert theirs("bench", "show", "smoke").returncode == 0
    assert theirs("tools", "submit").stdout.splitlines()[1].startswith("Hand in the answer.")
