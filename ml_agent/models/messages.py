"""What goes to a chat model and what comes back, as plain data that can be stored and read again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ml_agent.trajectory import ToolCall

if TYPE_CHECKING:
    from ml_agent.models.prices import Price

Role = Literal["system", "user", "assistant", "tool"]
FaultKind = Literal["length", "too_long", "empty", "arguments", "unknown_tool", "several_calls", "no_call", "not_json", "refused"]


class ToolLike(Protocol):
    """A tool as a model is told of it; `ml_agent.policies.base.ToolSpec` is one."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def schema(self) -> Mapping[str, Any]:
        """JSON schema of its arguments."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `calls` are an assistant's; `call_id` says which call a message of the role `tool` answers."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How one reply is asked for. None leaves it to the provider."""

    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    """Left out where the provider takes none."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of an object: the reply is that object, in `Reply.data`. Not together with tools."""
    single_call: bool = False
    """Two calls at once are a fault."""
    must_call: bool = False
    """A reply without any call is a fault."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply; `estimated` if the service did not say and we counted."""

    input: int = 0
    output: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a reply, in words for the model; `call_id` if one call is at fault."""

    kind: FaultKind
    text: str
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `calls` are those that can be made; a call that cannot is in `faulty_calls`, with a fault."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    faulty_calls: tuple[ToolCall, ...] = ()
    faults: tuple[Fault, ...] = ()
    data: Mapping[str, Any] | None = None
    """The object that `Options.schema` asked for."""
    usage: Usage = field(default_factory=Usage)
    money: float | None = None
    """US dollars; None if the price is not known."""
    finish: str = ""
    seconds: float = 0.0
    requests: int = 1
    cached: bool = False
    """It comes from a cache or a recording: nothing was spent."""

    def turn(self, results: Mapping[str, str] | None = None) -> list[Message]:
        """What this reply adds to the conversation: itself, a message of the role `tool` for each of its calls, the other faults.

        `results` has what the calls brought back, by their ids; one that is not in it counts as interrupted.
        """
        calls = (*self.calls, *self.faulty_calls)
        answers = {call.id: "This call was interrupted and has no result." for call in calls}
        answers.update({fault.call_id: fault.text for fault in self.faults if fault.call_id})
        answers.update(results or {})
        others = [fault.text for fault in self.faults if not fault.call_id]
        return [
            *([Message("assistant", self.text, calls)] if calls or self.text.strip() else []),  # an empty one is refused by some services
            *(Message("tool", answers[call.id], call_id=call.id) for call in calls),
            *([Message("user", "\n".join(others))] if others else []),
        ]


OnText = Callable[[str], None]


class ChatModel(Protocol):
    """A chat model, whatever is behind it."""

    @property
    def name(self) -> str: ...
    @property
    def price(self) -> "Price | None":
        """None if it is not known."""
        ...

    @property
    def context(self) -> int | None:
        """Tokens that it can hold, the reply included; None if it is not known."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = ...,
        seconds: float = ...,
        on_text: OnText | None = None,
    ) -> Reply:
        """One reply within `seconds`.

        With `on_text` it is streamed: pieces of text are handed over as they come, in another thread; those of a try that
        failed are followed by those of the next. Raises ContextOverflow if the messages are too many for the model, and
        InfrastructureError (one line that says what to do) if it cannot be reached or refuses.
        """
        ...

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        """Tokens of a request, about; nothing is downloaded for it."""
        ...

    def close(self) -> None:
        """Free what it holds, such as a server on this machine; safe to call twice."""
        ...


def clean(text: str) -> str:
    """`text` without what UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def to_json(reply: Reply) -> dict[str, Any]:
    """A reply as a JSON object."""
    stored = asdict(reply)
    del stored["cached"]
    return stored


def from_json(stored: Mapping[str, Any]) -> Reply:
    """A stored reply. Raises KeyError, TypeError or ValueError if it is none."""
    money = stored["money"]
    return Reply(
        text=str(stored["text"]),
        calls=_calls(stored["calls"]),
        faulty_calls=_calls(stored["faulty_calls"]),
        faults=tuple(Fault(f["kind"], str(f["text"]), str(f["call_id"])) for f in stored["faults"]),
        data=None if stored["data"] is None else dict(stored["data"]),
        usage=Usage(int(stored["usage"]["input"]), int(stored["usage"]["output"]), bool(stored["usage"]["estimated"])),
        money=None if money is None else float(money),
        finish=str(stored["finish"]),
        seconds=float(stored["seconds"]),
        requests=int(stored["requests"]),
        cached=True,
    )


def _calls(stored: Sequence[Mapping[str, Any]]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(str(c["id"]), str(c["tool"]), dict(c["arguments"])) for c in stored)
