"""Questions that are too long for the model, and replies that are not what was asked for."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ml_agent.errors import NoAnswer
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import Fault, Message, Options, Reply
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.ml_agent.asking import Asking
from ml_agent.policies.ml_agent.defects import MlAgentSettings
from ml_agent.policies.ml_agent.documents import Document
from ml_agent.policies.ml_agent.schemas import Parameters
from tests.models.parts import Fixed

WORDS = "".join(f"line {n}\n" for n in range(4_000))


class Noting(Fixed):
    """Notes what it is asked."""

    def __init__(self, *replies: Reply | Exception, context: int | None = None) -> None:
        super().__init__(*replies)
        self.context = context
        self.requests: list[tuple[list[Message], Options]] = []

    def count(self, messages: Any, tools: Any = ()) -> int:
        return sum(len(message.text) // 4 + 1 for message in messages)

    def complete(self, messages: Any, tools: Any = (), *, options: Options = Options(), **more: Any) -> Reply:  # noqa: B008 - frozen
        self.requests.append((list(messages), options))
        return super().complete(messages, tools, options=options)


GOOD = Reply('{"args_code": "--lr"}', data={"args_code": "--lr"})


def ask(model: Any, text: str = WORDS, *, attempt: int = 0, seed: int = 0, **settings: Any) -> str:
    asking = Asking(model, MlAgentSettings(**settings), attempt=attempt, seed=seed)
    return asking.ask(Parameters, {"file": Document("file", text)}, path="a.py")[0].args_code


def lengths(model: Noting) -> list[int]:
    """Tokens of the document in each request."""
    return [len(messages[1].text.split("<file>")[1].split("</file>")[0]) // 4 for messages, _ in model.requests]


def test_what_is_too_long_is_cut_to_half() -> None:
    model = Noting(*[ContextOverflow("too long")] * 3, GOOD)
    assert ask(model) == "--lr"
    for tokens, most in zip(lengths(model), (4_000, 2_000, 1_000, 500), strict=True):
        assert most * 0.8 < tokens < most + 30
    assert all("is left out]" in messages[1].text for messages, _ in model.requests)


def test_three_times_at_most() -> None:
    model = Noting(*[ContextOverflow("too long")] * 4)
    with pytest.raises(NoAnswer, match="step parameters does not fit into the model: too long"):
        ask(model)
    assert model.asked == 4


def test_short_documents_are_cut_by_their_own_length() -> None:
    """Half of what may be shown would cut nothing."""
    model = Noting(ContextOverflow("too long"), GOOD)
    assert ask(model, "a line\n" * 200) == "--lr"
    before, after = lengths(model)
    assert after < before * 0.7


def test_what_cannot_fit_is_not_sent() -> None:
    model = Noting(GOOD, context=4_096)
    assert ask(model) == "--lr"
    assert model.asked == 1
    assert 1_500 < lengths(model)[0] < 2_100
    model = Noting(GOOD, context=100)  # the count is a guess: at last it is sent
    assert ask(model) == "--lr"
    assert lengths(model)[0] < 600


def test_whole_files_are_sent_whole() -> None:
    model = Noting(GOOD, context=4_096)
    assert ask(model, defects="whole-files") == "--lr"
    assert WORDS.strip() in model.requests[0][0][1].text
    with pytest.raises(NoAnswer, match="does not fit"):
        ask(Noting(ContextOverflow("too long")), defects="whole-files")


@pytest.mark.parametrize(
    "reply",
    [
        Reply("words"),
        Reply("", faults=(Fault("empty", "It was empty."),)),
        Reply("{}", data={}),
        Reply('{"args_code": "--lr', data=None, faults=(Fault("length", "It was cut off."),)),
        Reply('{"args_code": "x"}', data={"args_code": "x"}, faults=(Fault("too_long", "It was cut."),)),
        Reply("[]", data=None),
    ],
)
def test_replies_that_cannot_be_used(reply: Reply) -> None:
    model = Noting(reply, GOOD)
    assert ask(model) == "--lr"
    again = model.requests[1][0]
    assert again[:2] == model.requests[0][0]
    assert again[-1].role == "user"
    assert (again[2].text if len(again) == 4 else "") == reply.text
    with pytest.raises(NoAnswer, match="is not what was asked for"):
        ask(Noting(reply), defects="plain-text-ends")


def test_attempts_are_independent_samples() -> None:
    seeds = []
    for attempt in range(3):
        model = Noting(GOOD)
        ask(model, attempt=attempt, seed=7, temperature=0.3)
        (_, options) = model.requests[0]
        seeds.append(options.seed)
        assert options.temperature == 0.3
    assert seeds == [7_000, 7_001, 7_002]


@pytest.mark.parametrize("say", [lambda n: {"args_code": None}, lambda n: {"args_code": "", "more": n}])
def test_nothing_is_a_text_as_well(say: Callable[[int], Any]) -> None:
    assert ask(scripted_model(json.dumps(say(1)))) == ""
