"""From what a service replied to a Reply: calls that can be made, and faults in words that help a model."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ml_agent.models.actions import find_object
from ml_agent.models.messages import Fault, Options, Reply, ToolLike, Usage, clean
from ml_agent.trajectory import ToolCall

TEXT_CHARACTERS = 200_000
"""Of a reply; what is more is cut."""
CALLS = 16
"""In one reply; more are cut."""
_SHOWN = 200
_LENGTH = {"length", "max_tokens", "max_output_tokens", "model_length"}


@dataclass(frozen=True, slots=True)
class Raw:
    """A service's reply, read as far as every provider's client reads it. A call is (id, name, arguments: an object or the words)."""

    text: str
    calls: tuple[tuple[str, str, Any], ...]
    finish: str
    usage: Usage | None


def raw_of(message: Any) -> Raw:
    """What is in langchain's AIMessage."""
    made = [(c.get("id"), c.get("name"), c.get("args")) for c in [*message.tool_calls, *message.invalid_tool_calls]]
    counted = message.usage_metadata
    usage = Usage(int(counted["input_tokens"]), int(counted["output_tokens"])) if counted else None
    finish = message.response_metadata.get("finish_reason") or message.response_metadata.get("stop_reason") or ""
    return Raw(clean(str(message.text)), tuple((str(i or _new_id()), clean(str(n or "")), a) for i, n, a in made), str(finish), usage)


def raw_of_completion(completion: Any) -> Raw:
    """What is in openai's ChatCompletion, of a reply in text."""
    choice, counted = completion.choices[0], completion.usage
    usage = Usage(int(counted.prompt_tokens), int(counted.completion_tokens)) if counted else None
    return Raw(clean(choice.message.content or ""), (), str(choice.finish_reason), usage)


def read_native(raw: Raw, tools: Sequence[ToolLike], options: Options) -> Reply:
    """A reply whose calls the service reports as such."""
    return _reply(raw, raw.text, raw.calls, tools, options)


def read_action(raw: Raw, tools: Sequence[ToolLike], options: Options) -> Reply:
    """A reply whose text is to be an action."""
    found = find_object(raw.text)
    if found is None:
        if raw.finish in _LENGTH or not raw.text.strip():
            return _reply(raw, raw.text, (), tools, options)
        return _reply(
            raw, raw.text, (), tools, options, Fault("not_json", "Your reply is not a JSON object. Reply with one and nothing else.")
        )
    name = found.get("tool", found.get("name"))
    if not isinstance(name, str):
        fault = Fault("not_json", 'Your JSON object names no tool: it needs "tool" and "arguments".')
        return _reply(raw, raw.text, (), tools, options, fault)
    thought = found.get("thought")
    call = (_new_id(), name, found.get("arguments", {}))
    return _reply(raw, thought if isinstance(thought, str) else "", (call,), tools, options)


def read_object(raw: Raw, options: Options) -> Reply:
    """A reply whose text is to be an object of `options.schema`; that it fits the schema is for the caller to check."""
    found = find_object(raw.text)
    if found is None and raw.text.strip() and raw.finish not in _LENGTH:
        return _reply(
            raw, raw.text, (), (), options, Fault("not_json", "Your reply is not a JSON object. Reply with one and nothing else.")
        )
    return _reply(raw, raw.text, (), (), options, data=found)


def read_nothing(kind: str) -> Reply:
    """For a reply of which the client made nothing: `empty`, `refused` or `arguments`."""
    if kind == "refused":
        return Reply(faults=(Fault("refused", "The reply was withheld by a filter."),))
    if kind == "arguments":
        return Reply(faults=(Fault("arguments", "The arguments of a tool call are not a JSON object. Make the call again with one."),))
    return Reply(faults=(Fault("empty", "Your reply was empty. Say what to do next."),))


def _reply(
    raw: Raw,
    text: str,
    calls: Sequence[tuple[str, str, Any]],
    tools: Sequence[ToolLike],
    options: Options,
    *faults: Fault,
    data: Mapping[str, Any] | None = None,
) -> Reply:
    found = list(faults)
    good: list[ToolCall] = []
    bad: list[ToolCall] = []
    names = sorted(tool.name for tool in tools)
    seen: set[str] = set()
    for given_id, name, arguments in calls[:CALLS]:
        call_id = given_id if given_id not in seen else _new_id()
        seen.add(call_id)
        as_object = _object(arguments)
        if name not in names:
            text_of = f"There is no tool {name!r:.{_SHOWN}}; there are: {', '.join(names) or 'none'}."
            found.append(Fault("unknown_tool", text_of, call_id))
        elif as_object is None:
            shown = arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)
            found.append(Fault("arguments", f"The arguments of {name} are not a JSON object: {shown:.{_SHOWN}}", call_id))
        else:
            good.append(ToolCall(call_id, name, as_object))
            continue
        bad.append(ToolCall(call_id, name or "unnamed", as_object if as_object is not None else {"malformed": str(arguments)[:_SHOWN]}))
    if options.single_call and len(good) > 1:
        found += [Fault("several_calls", "Make one call at a time; this one was not made.", call.id) for call in good]
        good, bad = [], [*good, *bad]
    if len(text) > TEXT_CHARACTERS:
        found.append(Fault("too_long", f"Your reply had {len(text)} characters and was cut; keep it short."))
        text = text[:TEXT_CHARACTERS]
    if raw.finish in _LENGTH:
        found.append(Fault("length", "Your reply was cut off at its greatest length; say less, or do one smaller thing."))
    elif not (text.strip() or calls or found):
        refused = "content_filter" in raw.finish or raw.finish == "refusal"
        found += read_nothing("refused" if refused else "empty").faults
    if options.must_call and tools and not calls and not found:
        found.append(Fault("no_call", f"Call one of the tools: {', '.join(names)}."))
    return Reply(text, tuple(good), tuple(bad), tuple(found), data, raw.usage or Usage(), finish=raw.finish)


def _object(arguments: Any) -> dict[str, Any] | None:
    """The arguments as an object without what UTF-8 cannot carry; None if they are something else."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}", strict=False)  # a newline in a string is a small model's commonest slip
        except (ValueError, RecursionError):
            return None
    if not isinstance(arguments, Mapping):
        return None
    cleaned: dict[str, Any] = json.loads(clean(json.dumps(dict(arguments), ensure_ascii=False, default=str)))
    return cleaned


def _new_id() -> str:
    return f"call_{secrets.token_hex(6)}"
