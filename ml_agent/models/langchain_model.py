"""A langchain chat model as a ChatModel: native calls or actions in JSON, one retry layer, usage and price."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from ml_agent.models.actions import action_messages, action_schema, looks_like_action, object_request
from ml_agent.models.background import run
from ml_agent.models.failures import BadReply, Unsupported
from ml_agent.models.messages import Message, OnText, Options, Reply, ToolLike, Usage, clean
from ml_agent.models.prices import Price
from ml_agent.models.reading import Raw, raw_of, raw_of_completion, read_action, read_native, read_nothing, read_object
from ml_agent.models.redaction import redact, redacted
from ml_agent.models.retry import RetryRule, Tally, persist
from ml_agent.models.tokens import count_request, count_tokens

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

ToolMode = Literal["auto", "native", "json"]

_SEEDED = {"azure_openai", "deepseek", "fireworks", "gguf", "groq", "ollama", "openai", "openrouter", "together", "xai"}
"""Providers whose requests have a `seed`."""


class LangchainModel:
    """One of langchain's chat models, made with `max_retries=0`.

    `auto` begins with native calls and goes over to JSON when the service refuses tools, or the model writes its calls into the text.
    A service that refuses a JSON schema is asked for JSON in words.
    """

    def __init__(
        self,
        chat: "BaseChatModel",
        *,
        name: str,
        mode: ToolMode = "auto",
        price: Price | None = None,
        rule: RetryRule,
        trace: bool = False,
        context: int | None = None,
    ) -> None:
        self._chat, self._name, self._price, self._rule, self._trace = chat, name, price, rule, trace
        self._mode = mode
        self._context = context or _context_of(chat)
        self._enforced = True
        """The service takes a JSON schema for its reply, as far as we know."""

    @property
    def name(self) -> str:
        return self._name

    @property
    def price(self) -> Price | None:
        return self._price

    @property
    def context(self) -> int | None:
        return self._context

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        """As ChatModel.complete."""
        if tools and options.schema:
            raise ValueError("either tools or a schema")
        return run(self._complete(messages, tools, options, seconds, on_text))

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        """As ChatModel.count."""
        return count_request(messages, tools, self._name)

    def close(self) -> None:
        """Nothing is held that the process would not free."""

    async def _complete(
        self, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options, seconds: float, on_text: OnText | None
    ) -> Reply:
        start, tally, spent = time.monotonic(), Tally(), Usage()
        while True:
            native = bool(tools) and self._mode != "json"
            left = seconds - (time.monotonic() - start)
            try:
                raw = await self._ask(messages, tools, options, left, on_text, tally)
                reply = self._read(raw, tools, options)
            except BadReply as error:
                raw, reply = None, read_nothing(error.kind)
            except Unsupported as error:
                self._do_without(error)
                continue
            usage = self._usage(raw, messages, tools, reply)
            spent = Usage(spent.input + usage.input, spent.output + usage.output, spent.estimated or usage.estimated)
            if native and self._mode == "auto" and not (reply.calls or reply.faulty_calls) and looks_like_action(reply.text, tools):
                self._mode = "json"
                continue
            money = self._price.of(spent) if self._price else None
            return replace(reply, usage=spent, money=money, seconds=time.monotonic() - start, requests=tally.requests)

    def _read(self, raw: Raw, tools: Sequence[ToolLike], options: Options) -> Reply:
        if tools and self._mode == "json":
            return read_action(raw, tools, options)
        return read_object(raw, options) if options.schema else read_native(raw, tools, options)

    def _do_without(self, error: Unsupported) -> None:
        """Drop the feature that the service refuses; raises what it said if we insist on it."""
        if error.feature == "tools" and self._mode == "auto":
            self._mode = "json"
        elif error.feature == "schema" and self._enforced:
            self._enforced = False
        else:
            raise error.otherwise

    async def _ask(
        self, messages: Sequence[Message], tools: Sequence[ToolLike], options: Options, seconds: float, on_text: OnText | None, tally: Tally
    ) -> Raw:
        settings: dict[str, Any] = {"max_tokens": options.max_tokens, "temperature": options.temperature}
        provider = self._name.partition(":")[0]
        if provider in _SEEDED:
            settings["seed"] = options.seed
        settings = {name: value for name, value in settings.items() if value is not None}
        schema = options.schema
        if tools and self._mode == "json":
            schema, messages = action_schema(tools), action_messages(messages, tools)
        elif tools:
            functions = [{"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)} for tool in tools]
            settings["tools"] = [{"type": "function", "function": function} for function in functions]
        if schema and self._enforced:
            settings["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
        elif schema and not tools:
            messages = object_request(messages, schema)
        converted = [_converted(message) for message in messages]

        async def request() -> Raw:
            try:
                return raw_of(await self._request(converted, settings, on_text))
            except Exception as error:
                completion = getattr(error, "completion", None)  # openai: a reply to a schema that was cut off
                if completion is None:
                    raise
                return raw_of_completion(completion)

        return await persist(request, rule=self._rule, seconds=seconds, provider=provider, name=self._name, tally=tally)

    async def _request(self, messages: "list[BaseMessage]", settings: dict[str, Any], on_text: OnText | None) -> Any:
        from langsmith import tracing_context

        bound = self._chat.bind_tools(settings.pop("tools")) if "tools" in (settings := dict(settings)) else self._chat
        with tracing_context(enabled=None if self._trace else False):
            if on_text is None:
                return await bound.ainvoke(messages, **settings)
            whole: Any = None
            async for chunk in bound.astream(messages, **settings):
                if piece := str(chunk.text):
                    on_text(clean(piece))
                whole = chunk if whole is None else whole + chunk
        if whole is None:
            raise BadReply("empty")
        return whole

    def _usage(self, raw: Raw | None, messages: Sequence[Message], tools: Sequence[ToolLike], reply: Reply) -> Usage:
        if raw is not None and raw.usage is not None:
            return raw.usage
        said = raw.text if raw is not None else reply.text
        return Usage(self.count(messages, tools), count_tokens(said, self._name), estimated=True)


def _context_of(chat: "BaseChatModel") -> int | None:
    """As langchain knows it of the model."""
    profile = getattr(chat, "profile", None) or {}
    size = profile.get("max_input_tokens")
    return size if isinstance(size, int) and size > 0 else None


def _converted(message: Message) -> "BaseMessage":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    text = redact(clean(message.text))  # a repository may hold keys, the user's own among them
    if message.role == "tool":
        return ToolMessage(content=text, tool_call_id=message.call_id)
    if message.role == "assistant":
        calls = [{"type": "tool_call", "id": c.id, "name": c.tool, "args": redacted(dict(c.arguments))} for c in message.calls]
        return AIMessage(content=text, tool_calls=calls)
    return SystemMessage(content=text) if message.role == "system" else HumanMessage(content=text)
