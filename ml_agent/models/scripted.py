"""A langchain chat model that plays a list of replies: for tests of policies, with the same layers above it as any other model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field

from ml_agent.errors import UsageError
from ml_agent.models.messages import ChatModel
from ml_agent.models.retry import RetryRule

Calls = Sequence[tuple[str, Mapping[str, Any]]]
Scripted = str | AIMessage | Calls
"""One reply: a text, calls of tools (name, arguments), or a whole message."""
Script = Sequence[Scripted | Callable[[list[BaseMessage]], Scripted]]
"""A function is told the messages that it replies to."""


class ScriptedChat(BaseChatModel):
    """Replies what stands in `script`, one reply a request. It takes tools, and notes what it was asked.

    Raises UsageError when all are played: a test that asks for more than it wrote down is wrong.
    """

    script: list[Any]
    asked: list[list[BaseMessage]] = Field(default_factory=list)
    """The messages of each request."""
    offered: list[list[str]] = Field(default_factory=list)
    """The names of the tools of each request."""
    options: list[dict[str, Any]] = Field(default_factory=list)
    """The settings of each request, such as temperature and response_format."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **settings: Any) -> Runnable[LanguageModelInput, AIMessage]:
        return self.bind(tools=list(tools), **settings)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **settings: Any,
    ) -> ChatResult:
        played = len(self.asked)
        if played >= len(self.script):
            last = str(messages[-1].content)[:200] if messages else ""
            raise UsageError(f"the script of the chat model is over after {played} replies; it was asked: {last!r}")
        self.asked.append(list(messages))
        self.offered.append([_name(tool) for tool in settings.pop("tools", ())])
        self.options.append(settings)
        reply = self.script[played]
        return ChatResult(generations=[ChatGeneration(message=_message(reply(messages) if callable(reply) else reply, played))])


def scripted_model(*script: Any, name: str = "scripted:test", context: int | None = None) -> ChatModel:
    """A ChatModel that plays the script; it makes native calls of tools. Its `chat` is the ScriptedChat."""
    from ml_agent.models.langchain_model import LangchainModel

    class Played(LangchainModel):
        chat = ScriptedChat(script=list(script))

    return Played(Played.chat, name=name, mode="native", rule=RetryRule(tries=1), context=context)


def _message(reply: Scripted, number: int) -> AIMessage:
    if isinstance(reply, AIMessage):
        return reply
    usage = UsageMetadata(input_tokens=100, output_tokens=10, total_tokens=110)
    if isinstance(reply, str):
        return AIMessage(content=reply, usage_metadata=usage)
    calls = [{"type": "tool_call", "id": f"call-{number}-{n}", "name": t, "args": dict(a)} for n, (t, a) in enumerate(reply)]
    return AIMessage(content="", tool_calls=calls, usage_metadata=usage)


def _name(tool: Any) -> str:
    return str(tool["function"]["name"]) if isinstance(tool, Mapping) else str(tool.name)
