"""`ml-agent policies`: the same for tools and suites is in test_plugins_installed.py."""

import json
from pathlib import Path
from typing import Any

import pytest

from ml_agent.agents import AGENTS
from ml_agent.cli import main
from ml_agent.policies import POLICIES
from tests.commandline import ml_agent

MINE = '''
from collections.abc import Callable
from pydantic import Field
from ml_agent.policies.settings import ModelSettings

class Mine:
    """Decides [/bold] \\x1b[31m everything.

    At once.
    """
    name = "mine"
    model = None
    class Settings(ModelSettings):
        depth: int | None = Field(ge=1, description="How\\n deep [red].")
    def __init__(self, settings): ...
    def start(self, task, tools, *, attempt=0, seed=0): ...
    def decide(self, trajectory, remaining): ...

class Defaults(Mine):
    """With defaults."""
    class Settings(ModelSettings):
        as_it_is: bool = Field(False, description="As it is.")

class Undescribed(Defaults):
    class Settings(ModelSettings):
        odd: Callable[[], int] = int
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}"


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["policies", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_policy_is_there_and_says_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = {one["name"]: one for one in asked(capsys)["policies"]}
    assert {*POLICIES, *AGENTS} <= set(found)
    assert [one["error"] for one in found.values() if one["distribution"] == "ml-agent"] == [None] * len({*POLICIES, *AGENTS})
    assert all(len(found[name]["about"]) > 20 for name in (*POLICIES, *AGENTS))
    assert not found["grounded"]["uses_model"]
    assert all(found[name]["uses_model"] for name in (*POLICIES, *AGENTS) if name != "grounded")
    for one in found.values():
        assert all(option["about"] for option in one["options"]), one["name"]


def test_on_the_screen() -> None:
    done = ml_agent("policies", COLUMNS="200")
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert {*POLICIES, *AGENTS} <= set(lines)
    assert lines["create-agent"].split()[1] == "model"
    assert lines["grounded"].split()[1] != "model"
    one = ml_agent("policies", "create-agent", COLUMNS="200").stdout
    assert "  temperature  number, optional  Of the replies" in one
    assert one.splitlines()[-1] == "it needs a chat model: --model"
    assert ml_agent("policies", "grounded").stdout.splitlines()[-1] == "it uses no model"


def test_foreign_words_are_no_markup(mine: str) -> None:
    done = ml_agent("policies", f"{mine}:Defaults", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"{mine}:Defaults"
    assert "as-it-is     boolean, default False  As it is." in done.stdout
    refused = ml_agent("policies", f"{mine}:Mine")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the option depth of the policy" in refused.stderr  # it cannot be made without


def test_one_in_json(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = asked(capsys, f"{mine}:Defaults")["policy"]
    assert (one["name"], one["about"], one["uses_model"]) == (f"{mine}:Defaults", "With defaults.", True)
    assert one["options"][-1] == {"name": "as-it-is", "type": "boolean", "required": False, "default": False, "about": "As it is."}


@pytest.mark.parametrize("name", ["nosuch", "MINE:Nosuch", "MINE:Undescribed", ""])
def test_what_is_none_is_told_in_a_line(mine: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policies", name.replace("MINE", mine)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
