from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ml_agent.agent import PlannerLoop
from ml_agent.agents import AGENTS, AgentChoice
from ml_agent.errors import UsageError
from ml_agent.limits import Limits
from ml_agent.models.scripted import scripted_model
from ml_agent.policies import POLICIES
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import Trajectory
from ml_agent.workspace import Workspace
from tests.tools.support import repository

MINE = """
from pydantic import Field
from ml_agent.agent import Run
from ml_agent.policies.settings import ModelSettings, Settings
from ml_agent.trajectory import End

class Asks:
    name, ranked = "asks", True
    model = None
    class Settings(Settings):
        depth: int = Field(3, ge=1, description="How deep.")
    def __init__(self, settings):
        self.settings = settings
    def start(self, task, tools, *, attempt=0, seed=0): ...
    def decide(self, trajectory, remaining): ...

class Loop:
    name = "loop"
    def __init__(self, *settings, model, trajectory_file, attempt, seed, settings_of_run, on_event):
        self.given = (settings, model, attempt, seed, settings_of_run)
        self.file, self.on_event = trajectory_file, on_event
    def run(self, task, workspace, tools, limits):
        run = Run(self.name, task, workspace, tools, limits, trajectory_file=self.file, on_event=self.on_event)
        def steps():
            run.begin(self.given[4])
            return End("no_answer", message="that was all")
        return run.carry_out(steps)

class Set(Loop):
    Settings = ModelSettings
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}"


def test_no_name_is_both() -> None:
    assert not set(AGENTS) & set(POLICIES)


def test_a_policy_without_a_model() -> None:
    choice = AgentChoice("grounded")
    assert (choice.name, choice.uses_model, choice.ranked, choice.resumable) == ("grounded", False, True, True)
    assert choice.kind.__name__ == "Grounded"
    assert isinstance(choice.make(), PlannerLoop)
    choice.check_model("")
    with pytest.raises(UsageError, match="the policy grounded uses no model: leave --model out"):
        choice.check_model("openai:gpt-4o")
    with pytest.raises(UsageError, match="grounded has no options: leave x out"):
        AgentChoice("grounded", {"x": "1"})


def test_a_policy_with_a_model(mine: str) -> None:
    choice = AgentChoice(f"{mine}:Asks", {"depth": "5"})
    assert (choice.name, choice.uses_model, choice.ranked, choice.resumable) == ("asks", True, True, True)
    with pytest.raises(UsageError, match="the policy asks needs a chat model: give --model"):
        choice.check_model("")
    choice.check_model("openai:gpt-4o")
    model = scripted_model()
    first, second = (vars(choice.make(model=model))["_policy"] for _ in range(2))
    assert first is not second  # a policy has a state
    assert (first.model, first.settings.depth) == (model, 5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depth": "many"}, "the option depth of the policy .*:Asks: Input should be a valid integer.*, not 'many'"),
        ({"depth": "0"}, "greater than or equal to 1"),
        ({"with": "1"}, "has no option 'with'; it has: depth"),
    ],
)
def test_options_that_do_not_fit(mine: str, options: Mapping[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        AgentChoice(f"{mine}:Asks", options)
    assert "\n" not in str(caught.value)


def test_a_loop_of_its_own(mine: str, tmp_path: Path) -> None:
    choice = AgentChoice(f"{mine}:Loop")
    assert (choice.name, choice.uses_model, choice.ranked, choice.resumable) == ("loop", True, False, False)
    model, events = scripted_model(), list[Any]()
    agent: Any = choice.make(model=model, attempt=1, seed=2, settings={"solve": {}}, on_event=events.append)
    assert agent.given == ((), model, 1, 2, {"solve": {}})
    root = repository(tmp_path)
    with Workspace(root, Options(sandbox="none")) as workspace:
        done: Trajectory = agent.run(Task("x", root), workspace, default_tools(), Limits())
    assert (done.policy, events) == ("loop", [done.end])
    assert done.settings["solve"] == {}
    with pytest.raises(UsageError, match=r"the agent .*:Loop has no options: leave x out"):
        AgentChoice(f"{mine}:Loop", {"x": "1"})


def test_its_settings(mine: str) -> None:
    agent: Any = AgentChoice(f"{mine}:Set", {"max-tokens": "64"}).make(model=scripted_model())
    assert agent.given[0][0].max_tokens == 64
    with pytest.raises(UsageError, match="it has: prompts, temperature, max-tokens"):
        AgentChoice(f"{mine}:Set", {"x": "1"})


def test_names_that_are_none() -> None:
    with pytest.raises(UsageError, match=r"no policy is called 'create-agnt'.*known: grounded.*create-agent") as caught:
        AgentChoice("create-agnt")
    assert "did you mean create-agent?" in str(caught.value)
