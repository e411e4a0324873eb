"""A solve made of settings: they can be written down and read again, and what is wrong leaves nothing behind."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from ml_agent import config
from ml_agent.api import solve
from ml_agent.errors import UsageError
from ml_agent.models.choice import ModelChoice
from ml_agent.sandbox.options import Options
from ml_agent.solving import SolveSettings, limits_of
from ml_agent.trajectory import read_trajectory
from tests.asking import asking, wanting
from tests.commandline import scripted, submit
from tests.models.server import serving

ANSWER = "python train.py --dataset blobs --model softmax --epochs 2"
TOOL = """
from pydantic import BaseModel
from ml_agent.tools.base import Tool
from ml_agent.trajectory import Observation


class Nothing(BaseModel):
    pass


class Moon(Tool[Nothing]):
    '''Say the phase of the moon.'''

    name = NAME
    arguments = Nothing

    def call(self, arguments, context):
        return Observation("full")
"""


def tool(folder: Path, name: str = "moon") -> str:
    path = folder / "moon.py"
    path.write_text(TOOL.replace("NAME", repr(name)))
    return f"{path}:Moon"


@pytest.mark.parametrize(
    "settings",
    [
        SolveSettings(),
        SolveSettings(
            "x.py:Y",
            {"temperature": "0.5", "as_published": True},
            ModelChoice("gguf:x.gguf", None, "json", 4096, "/cache"),
            ("m:Tool",),
            False,
            Options("docker", image="i", gpus="all", setup="pip install .", network="setup", data=("/a:b", "/c")),
            7,
        ),
    ],
)
def test_settings_can_be_written_down_and_read_again(settings: SolveSettings) -> None:
    assert SolveSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


@pytest.mark.parametrize("value", [{}, {"sandbox": 3}, {"sandbox": {"data": []}}, {**SolveSettings().to_json(), "model": {"nosuch": 1}}])
def test_what_are_no_settings(value: Any) -> None:
    with pytest.raises(UsageError, match="the settings of the run are not whole"):
        SolveSettings.from_json(value)


def test_limits() -> None:
    assert limits_of({}, model=False).seconds == config.TIME_LIMIT
    assert limits_of({}, model=True).seconds == config.MODEL_TIME_LIMIT
    made = limits_of({"seconds": 5, "steps": 3, "tokens": 10, "money": 0.5}, model=True)
    assert (made.seconds, made.steps, made.tokens, made.money) == (5, 3, 10, 0.5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"minutes": 3}, "there is no limit 'minutes': choose of seconds, steps, tokens, money"),
        ({"steps": 0}, "the limit steps is 0; give a number above zero"),
        ({"steps": True}, "the limit steps is True"),
        ({"tokens": "many"}, "the limit tokens is 'many'"),
        ({"money": math.nan}, "the limit money is nan"),
        ({"money": math.inf}, "the limit money is inf"),
        ({"seconds": -1}, "the limit seconds is -1"),
        ({"sandbox_seconds": 5}, "no limit 'sandbox_seconds'"),
    ],
)
def test_limits_that_are_none(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        limits_of(given, model=False)


def test_a_further_tool_can_be_called(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, ("moon", {}), submit(ANSWER))
    result = solve(smoke, "train", policy=policy, tools=[tool(tmp_path)], run=False)
    ((_, seen),) = read_trajectory(result.trajectory).observations("moon")
    assert seen.text == "full"


def test_a_tool_cannot_take_anothers_name(smoke: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="own tool submit"):
        solve(smoke, "train", tools=[tool(tmp_path, "submit")], run=False, trajectory=tmp_path / "t")
    with pytest.raises(UsageError, match="there is a tool 'moon' already"):
        solve(smoke, "train", tools=[tool(tmp_path)] * 2, run=False, trajectory=tmp_path / "t")
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"model": "openai:gpt-4o"}, "the policy grounded uses no model: leave --model out"),
        ({"options": {"x": 1}}, "the policy grounded has no options: leave x out"),
    ],
)
def test_what_does_not_go_together_is_told_before_anything_is_done(smoke: Path, tmp_path: Path, more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        solve(smoke, "train", trajectory=tmp_path / "t", **more)
    assert not (tmp_path / "t").exists()


def test_a_policy_with_a_model_wants_one(smoke: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the policy asks needs a chat model: give --model"):
        solve(smoke, "train", policy=asking(tmp_path))


def test_money_that_cannot_be_counted_leaves_no_record(smoke: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="limit tokens instead"):
        solve(
            smoke, "train", policy=asking(tmp_path), model="m", base_url="http://127.0.0.1:9/v1", limits={"money": 1.0}, run=False,
            trajectory=tmp_path / "t",
        )  # fmt: skip
    assert not (tmp_path / "t").exists()


def test_the_record_says_what_the_solve_was_made_with(smoke: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the key of my own")
    with serving(wanting(submit(ANSWER))) as server:
        result = solve(
            smoke, "train", policy=asking(tmp_path), model="m", base_url=server.url, tool_mode="native", context_tokens=5000,
            cache=tmp_path / "cache", limits={"steps": 5, "tokens": 99}, seed=3, run=False,
        )  # fmt: skip
    assert (result.outcome, result.tokens, result.money) == ("answered", 18, None)
    assert server.requests[0]["seed"] == 3
    assert server.headers[0]["authorization"] == "Bearer the key of my own"
    settings = read_trajectory(result.trajectory).settings
    assert settings["solve"]["model"] == {
        "name": "m", "base_url": server.url, "tool_mode": "native", "context_tokens": 5000, "cache": str(tmp_path / "cache"),
    }  # fmt: skip
    limits = settings["limits"]
    assert (limits["seconds"], limits["steps"], limits["tokens"], limits["money"]) == (config.MODEL_TIME_LIMIT, 5, 99, None)
    assert settings["resumed"] is None
    assert "the key of my own" not in result.trajectory.read_text()
