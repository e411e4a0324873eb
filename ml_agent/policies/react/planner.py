"""The plan: a few lines, asked for in a request of its own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, Options, Reply
from ml_agent.prompts import Prompts
from ml_agent.task import CONTEXT
from ml_agent.trajectory import Observation, ToolCall

STEPS = 6
_LINE = 160
_TOKENS = 600
"""Of the reply, at most."""
_DONE = 12
"""Calls that a revision is told of."""
_WRONG = 1_500
"""Characters of what went wrong."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"plan": {"type": "array", "items": {"type": "string"}, "maxItems": STEPS}},
    "required": ["plan"],
    "additionalProperties": False,
}


class Planner:
    """Makes the plan and revises it. A reply that is none leaves the plan as it is: the work goes on without."""

    def __init__(self, model: ChatModel, prompts: Prompts, options: Options, instruction: str, tools: Sequence[str]) -> None:
        self._model, self._prompts = model, prompts
        self._options = replace(options, schema=SCHEMA, must_call=False, max_tokens=min(options.max_tokens or _TOKENS, _TOKENS))
        self._instruction, self._tools = instruction.partition(CONTEXT)[0], tools
        self._plan: tuple[str, ...] = ()
        self._done: list[str] = []
        self._wrong = ""
        self._age = 0

    @property
    def age(self) -> int:
        """Steps since the plan was made."""
        return self._age

    def step(self) -> None:
        """A step begins."""
        self._age += 1
        self._wrong = ""

    def note(self, call: ToolCall, observation: Observation, *, failed: bool) -> None:
        """Take in what was done and came of it."""
        arguments = " ".join(f"{name}={value}" for name, value in call.arguments.items())
        first = observation.text.partition("\n")[0]
        self._done.append(f"{_line(f'{call.tool} {arguments}')}: {_line(first)}")
        if failed:
            self._wrong = observation.text[:_WRONG]

    def make(self) -> tuple[tuple[str, ...], Reply | None]:
        """The plan, new or revised, empty if the model gave none; and its reply, if there was one."""
        self._age = 0
        values = {"plan": self._plan, "done": self._done[-_DONE:], "wrong": self._wrong}
        messages = [
            Message("system", self._prompts.render("react/planner", tools=self._tools, most=STEPS)),
            Message("user", self._prompts.render("react/plan_request", task=self._instruction, **values)),
        ]
        try:
            reply = self._model.complete(messages, options=self._options)
        except ContextOverflow:
            return (), None
        found = _read(reply)
        self._plan = found or self._plan
        return found, reply


def _read(reply: Reply) -> tuple[str, ...]:
    lines = (reply.data or {}).get("plan")
    if not isinstance(lines, list):
        return ()
    return tuple(_line(line) for line in lines if isinstance(line, str) and line.strip())[:STEPS]


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"
