"""What several tests of models use."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ml_agent.models.load import load_model
from ml_agent.models.messages import ChatModel, Message, Options, Reply, ToolLike, Usage
from ml_agent.models.retry import RetryRule
from ml_agent.policies.base import ToolSpec

RUN = ToolSpec("run", "Run a command.", {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]})
READ = ToolSpec("read_file", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
HI = [Message("user", "hi")]
QUICK = RetryRule(tries=3, first_wait=0.05, request_seconds=20, seconds=20)
HASTY = replace(QUICK, request_seconds=0.6)
"""For a turn that never ends: a machine that is busy may take as long over a good one."""


def model_at(url: str, mode: str = "auto", rule: RetryRule = QUICK) -> ChatModel:
    """A model of the scripted server."""
    return load_model("scripted", url, mode, rule=rule)  # type: ignore[arg-type]


class Fixed:
    """A chat model that gives the replies of a list, and counts."""

    name = "openai:gpt-4o"
    context: int | None = None

    def __init__(self, *replies: Reply | Exception, priced: bool = True) -> None:
        from ml_agent.models.prices import price_of

        self.replies, self.asked, self.closed = list(replies), 0, False
        self.price = price_of(self.name) if priced else None

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = 0,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        self.asked += 1
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        return 1

    def close(self) -> None:
        self.closed = True


def said(text: str, **more: object) -> Reply:
    return Reply(text, usage=Usage(1000, 500), money=0.0075, finish="stop", **more)  # type: ignore[arg-type]
