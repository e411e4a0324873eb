"""A small policy with a model, written to a file: it hands on what the model calls and tells it what came of it."""

import json
from pathlib import Path
from typing import Any

from tests.models.server import Turn, calls

POLICY = """
from ml_agent.models.messages import Message, Options
from ml_agent.models.patience import Patience
from ml_agent.trajectory import Decision


class Asks:
    name = "asks"

    def __init__(self):
        self.model = None

    def start(self, task, tools, *, attempt=0, seed=0):
        self.tools = list(tools.values())
        self.messages = [Message("system", PROMPT), Message("user", task.instruction)]
        self.reply, self.patience, self.seed = None, Patience(), seed

    def decide(self, trajectory, remaining):
        if self.reply is not None:
            step = trajectory.steps[-1]
            seen = zip(step.decision.calls, step.observations, strict=True)
            self.messages += self.reply.turn({call.id: observation.text for call, observation in seen})
        self.reply = self.model.complete(self.messages, self.tools, options=Options(seed=self.seed))
        self.patience.hear(self.reply)
        return Decision(self.reply.text, self.reply.calls)
"""


def asking(folder: Path, prompt: str = "Use the tools.", code: str = "") -> str:
    """The policy as `--policy` takes it; `code` stands at the end of its file."""
    path = folder / "asks.py"
    path.write_text(f"PROMPT = {prompt!r}\n{POLICY}\n{code}")
    return f"{path}:Asks"


def wanting(*wanted: tuple[str, dict[str, Any]]) -> Turn:
    """The model wants these calls made."""
    return calls(*[(tool, json.dumps(arguments)) for tool, arguments in wanted])


def unanswered(request: Any) -> list[str]:
    """Ids of calls in a request that no message of the role `tool` answers, at once and in their order."""
    messages, found = request["messages"], []
    for number, message in enumerate(messages):
        made = [call["id"] for call in message.get("tool_calls") or ()]
        replies = [m.get("tool_call_id") for m in messages[number + 1 : number + 1 + len(made)]]
        found += [call for call, reply in zip(made, replies + [None] * len(made), strict=False) if call != reply]
    return found
