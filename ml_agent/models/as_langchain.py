"""A ChatModel as one of langchain's chat models: for loops that are made for those.

What our layers do (retries, budget, recording, calls as JSON) is below it, so a foreign loop is held to the same rules as ours.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, InvalidToolCall, SystemMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from ml_agent.models.messages import ChatModel, Fault, Message, Options, Reply, ToolLike
from ml_agent.trajectory import ToolCall


@dataclass(frozen=True, slots=True)
class _Offered:
    name: str
    description: str
    schema: Mapping[str, Any]


class AsLangchain(BaseChatModel):
    """langchain's view of `held`, asked with `options`.

    A reply's calls are `tool_calls`, those that cannot be made `invalid_tool_calls`; `read_reply` gives all of it back, faults too. The
    exceptions of ChatModel.complete pass through. Raises ValueError for a setting that a ChatModel does not have, such as `stop`.
    """

    held: Any
    """A ChatModel: a protocol, which pydantic cannot check."""
    options: Options = Field(default_factory=Options)
    cache: Any = False
    """langchain's own; ours is below."""

    @property
    def _llm_type(self) -> str:
        return "ml-agent"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **settings: Any) -> Runnable[LanguageModelInput, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **settings)

    def get_num_tokens(self, text: str) -> int:
        return self.get_num_tokens_from_messages([HumanMessage(text)])

    def get_num_tokens_from_messages(self, messages: Sequence[BaseMessage], tools: Sequence[Any] | None = None) -> int:
        model: ChatModel = self.held
        return model.count(read_messages(messages), _offered(convert_to_openai_tool(tool) for tool in tools or ()))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: Any = None,
        **settings: Any,
    ) -> ChatResult:
        if stop or settings or tool_choice not in (None, "auto", "any", "required"):
            raise ValueError(f"a ChatModel has no such setting: {stop or settings or tool_choice}")
        options = asdict(self.options) | ({"must_call": True} if tool_choice in ("any", "required") else {})
        model: ChatModel = self.held
        reply = model.complete(read_messages(messages), _offered(tools), options=Options(**options))
        return ChatResult(generations=[ChatGeneration(message=write_reply(reply, model.name))])


def write_reply(reply: Reply, model: str = "") -> AIMessage:
    """A reply as langchain's message."""
    told = {fault.call_id: fault.text for fault in reply.faults if fault.call_id}
    return AIMessage(
        content=reply.text,
        tool_calls=[{"type": "tool_call", "id": c.id, "name": c.tool, "args": dict(c.arguments)} for c in reply.calls],
        invalid_tool_calls=[
            InvalidToolCall(type="invalid_tool_call", id=c.id, name=c.tool, args=_text(c.arguments), error=told.get(c.id))
            for c in reply.faulty_calls
        ],
        usage_metadata=UsageMetadata(input_tokens=reply.usage.input, output_tokens=reply.usage.output, total_tokens=reply.usage.total),
        response_metadata={
            "model_name": model,
            "finish_reason": reply.finish,
            "faults": [asdict(fault) for fault in reply.faults],
        },
    )


def read_reply(message: AIMessage) -> Reply:
    """The reply that `write_reply` made the message of, as far as a loop needs it: text, calls and faults."""
    return Reply(
        str(message.text),
        tuple(ToolCall(str(c["id"] or ""), c["name"], c["args"]) for c in message.tool_calls),
        tuple(_faulty(c) for c in message.invalid_tool_calls),
        tuple(Fault(**fault) for fault in message.response_metadata.get("faults", ())),
    )


def write_messages(messages: Iterable[Message]) -> list[BaseMessage]:
    """Messages as langchain's."""
    return [_written(message) for message in messages]


def read_messages(messages: Iterable[BaseMessage]) -> list[Message]:
    """langchain's messages as ours. An assistant's without text and calls is left out: some services refuse it.

    Raises ValueError for one that has no counterpart.
    """
    found = [_read(message) for message in messages]
    return [message for message in found if message.role != "assistant" or message.text.strip() or message.calls]


def _written(message: Message) -> BaseMessage:
    if message.role == "tool":
        return ToolMessage(content=message.text, tool_call_id=message.call_id)
    if message.role == "assistant":
        return write_reply(Reply(message.text, message.calls))
    return SystemMessage(message.text) if message.role == "system" else HumanMessage(message.text)


def _read(message: BaseMessage) -> Message:
    text = str(message.text)
    if isinstance(message, ToolMessage):
        return Message("tool", text, call_id=message.tool_call_id)
    if isinstance(message, AIMessage):
        reply = read_reply(message)
        return Message("assistant", text, (*reply.calls, *reply.faulty_calls))
    if isinstance(message, SystemMessage):
        return Message("system", text)
    if isinstance(message, HumanMessage):
        return Message("user", text)
    raise ValueError(f"a message of the type {message.type} has no place in a conversation with a ChatModel")


def _faulty(call: InvalidToolCall) -> ToolCall:
    arguments: Any = call["args"] or ""
    with suppress(ValueError, RecursionError):
        arguments = json.loads(arguments)
    if not isinstance(arguments, dict):
        arguments = {"malformed": arguments}
    return ToolCall(str(call["id"] or ""), call["name"] or "unnamed", arguments)


def _text(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False, default=str)


def _offered(tools: Iterable[Mapping[str, Any]]) -> list[ToolLike]:
    functions = [tool["function"] for tool in tools]
    return [_Offered(f["name"], f.get("description", ""), f.get("parameters", {"type": "object", "properties": {}})) for f in functions]
