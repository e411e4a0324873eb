"""Replies of a scripted model in the schemas of the policy, and what it was sent."""

import json
from pathlib import Path
from typing import Any

from ml_agent.models.messages import ChatModel
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.ml_agent import MlAgent
from ml_agent.policies.ml_agent.defects import MlAgentSettings
from ml_agent.trajectory import Trajectory
from tests.policies.with_model import run
from tests.tools.support import repository

TASK = "Train the line with a learning rate of 0.25 and write it to m.txt."
CODE = "python train.py --lr 0.25 --out m.txt"
WRONG = "python train.py --rate 0.25 --out m.txt"
MORE = "# Examples\n\nThe line is trained by `train.py`.\n"


def lines(folder: Path) -> Path:
    """A repository with two READMEs: the root's, and that of `examples`, where the program is."""
    root = repository(folder)
    (root / "examples/README.md").write_text(MORE)
    return root


def policy(**settings: Any) -> MlAgent:
    return MlAgent(MlAgentSettings(**settings))


def ranked(*paths: str, flag: str = "Yes") -> str:
    return json.dumps({"task_flag": flag, "ranked_readmefiles": paths})


def decided(flag: str, *, file_path: str = "", code: str = "", folder: str = "") -> str:
    return json.dumps({"flag": flag, "file_path": file_path, "code": code, "folder": folder})


def code(text: str = CODE, folder: str = "examples") -> str:
    return decided("CODE", code=text, folder=folder)


def file(path: str) -> str:
    return decided("FILE", file_path=path)


def parameters(text: str = "--lr, --out") -> str:
    return json.dumps({"args_code": text})


def final(flag: str = "CODE", text: str = CODE, folder: str = "examples") -> str:
    return json.dumps({"flag": flag, "finally_code": text, "folder": folder})


def refined(text: str = CODE, folder: str = "examples") -> str:
    return json.dumps({"code": text, "folder": folder})


NO = decided("No")


def played(root: Path, *replies: Any, made: MlAgent | None = None, context: int | None = None, **more: Any) -> tuple[Trajectory, ChatModel]:
    """A run with these replies, and the model that gave them: all of them, no reply is left over."""
    model = scripted_model(*replies, context=context)
    trajectory = run(made or policy(), model, TASK, root, **more)
    assert len(sent(model)) == len(replies)
    return trajectory, model


def sent(model: Any) -> list[list[str]]:
    """The messages of each request, as texts."""
    return [[str(message.content) for message in messages] for messages in model.chat.asked]


def question(model: Any, request: int) -> str:
    return sent(model)[request][1]


def calls(trajectory: Trajectory) -> list[tuple[str, Any]]:
    """Tool and path or code of each call, in order."""
    made = [call for step in trajectory.steps for call in step.decision.calls]
    return [(call.tool, call.arguments.get("path", call.arguments.get("code"))) for call in made]
