"""A question to a model, within what is left of a run's limits."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ml_agent.errors import InfrastructureError, LimitReached
from ml_agent.limits import Remaining
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel, Message, Options, Reply, ToolLike, Usage
from ml_agent.models.scripted import scripted_model
from ml_agent.models.tokens import count_request
from ml_agent.policies.grounded_plus.asking import Asker, ModelFailed
from tests.models.parts import Fixed, model_at
from tests.models.server import raw, refused, serving, text

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
INF = math.inf
UNLIMITED = Remaining(INF, INF, INF, INF, INF)


def number(made: Mapping[str, Any]) -> int | None:
    return made["n"] if isinstance(made.get("n"), int) else None


def asker(model: ChatModel, **options: Any) -> Asker:
    return Asker(model, "Help.", Options(**options))


class Noting(Fixed):
    """Notes how long a reply may take, and how it is asked for."""

    def __init__(self, *replies: Reply | Exception) -> None:
        super().__init__(*replies)
        self.noted: list[tuple[float, Options]] = []

    def complete(self, messages: Any, tools: Any = (), *, options: Options = Options(), seconds: float = 0, on_text: Any = None) -> Reply:  # noqa: B008
        self.noted.append((seconds, options))
        return super().complete(messages, tools, options=options, seconds=seconds, on_text=on_text)

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        return count_request(messages, tools, self.name)


def n(value: int, tokens: int = 50, seconds: float = 0.0) -> Reply:
    return Reply(f'{{"n": {value}}}', data={"n": value}, usage=Usage(tokens - 10, 10), seconds=seconds)


def test_what_it_is_asked() -> None:
    model = scripted_model('{"n": 3}')
    assert asker(model, temperature=0.5).ask("How many?", SCHEMA, number, UNLIMITED) == 3
    assert [m.content for m in model.chat.asked[0]] == ["Help.", "How many?"]  # type: ignore[attr-defined]
    options = model.chat.options[0]  # type: ignore[attr-defined]
    assert options["response_format"]["json_schema"]["schema"] == SCHEMA
    assert options["temperature"] == 0.5
    assert "max_tokens" not in options


@pytest.mark.parametrize("first", ["words", '{"m": 3}', '{"n": "three"}', "[1]", ""])
def test_an_object_that_is_not_as_asked_is_asked_for_again(first: str) -> None:
    model = scripted_model(first, '{"n": 3}')
    assert asker(model).ask("How many?", SCHEMA, number, UNLIMITED) == 3
    again = model.chat.asked[1]  # type: ignore[attr-defined]
    assert [m.content for m in again[:2]] == ["Help.", "How many?"]
    assert "JSON object" in again[-1].content or "empty" in again[-1].content
    with pytest.raises(ModelFailed, match="unusable replies"):
        asker(scripted_model(first, first)).ask("How many?", SCHEMA, number, UNLIMITED)


@pytest.mark.parametrize("error", [InfrastructureError("gone\naway"), ContextOverflow("too long")])
def test_failures(error: Exception) -> None:
    with pytest.raises(ModelFailed, match=r"gone away|too long"):
        asker(Fixed(error)).ask("How many?", SCHEMA, number, UNLIMITED)


@pytest.mark.parametrize(
    ("turn", "requests"),
    [
        (refused(401, "no"), 1),
        (refused(500, "broken"), 3),
        (refused(400, "too long", code="context_length_exceeded"), 1),
        (raw(b"<html>", kind="text/html"), 2),
        (text("no object"), 2),
        (text(None), 2),
    ],
)
def test_failures_of_a_service(turn: Any, requests: int) -> None:
    with serving(*[turn] * 6) as server, pytest.raises(ModelFailed):
        asker(model_at(server.url)).ask("How many?", SCHEMA, number, UNLIMITED)
    assert len(server.requests) == requests


def test_limits_that_are_spent_end_the_run() -> None:
    with pytest.raises(LimitReached):
        asker(Fixed(LimitReached("money", "the limit of 1 money is spent"))).ask("How many?", SCHEMA, number, UNLIMITED)


def test_half_of_the_time_is_kept() -> None:
    model = Noting(n(1, seconds=30), n(2, seconds=30), n(3))
    asking, left = asker(model), Remaining(INF, 100.0, INF, INF, INF)
    for _ in range(2):
        asking.ask("How many?", SCHEMA, number, left)
    asking.ask("How many?", SCHEMA, number, Remaining(INF, 40.0, INF, INF, INF))  # the next step: what was spent is counted in it
    assert [seconds for seconds, _ in model.noted] == [50.0, 20.0, 20.0]


def test_tokens_are_kept_for_the_rest_of_the_run() -> None:
    model = Noting(n(1, 400), n(2, 400))
    asking, left = asker(model), Remaining(INF, INF, INF, 1_000, INF)
    question = "How many?"
    need = math.ceil(1.3 * model.count([Message("system", "Help."), Message("user", question)]))
    for _ in range(2):
        asking.ask(question, SCHEMA, number, left)
    assert [options.max_tokens for _, options in model.noted] == [999 - need, 599 - need]
    with pytest.raises(ModelFailed, match="too few tokens"):
        asking.ask("How many? " * 100, SCHEMA, number, left)
    assert model.asked == 2
    assert asker(Noting(n(1)), max_tokens=50).ask(question, SCHEMA, number, left) == 1
