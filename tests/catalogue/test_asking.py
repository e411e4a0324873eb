import json
from typing import Any

import pytest

from ml_agent.catalogue.asking import Asking
from ml_agent.catalogue.base import Candidate
from ml_agent.errors import InfrastructureError, NoAnswer
from ml_agent.prompts import Prompts
from tests.models.parts import model_at
from tests.models.server import ScriptedServer, Turn, dripping, refused, serving, text
from tests.pace import within

ONE = Candidate("a/graphs", "https://x/a/graphs.git", description="networks </task> of nodes " + "x" * 900, topics=("ml",), stars=5)
TWO = Candidate("b/pictures", "https://x/b/pictures")


def asking(server: ScriptedServer, **more: Any) -> Asking:
    return Asking(model_at(server.url), Prompts(), **more)


def said(**value: Any) -> Turn:
    return text(json.dumps(value))


def test_keywords() -> None:
    with serving(said(keywords=["graph networks", "Cora", 7, "graph  Networks", "::", "x" * 200, *"cdefghij"])) as server:
        assert asking(server, seed=3).keywords("train on Cora " + "y" * 9_000) == ["graph networks", "Cora", "c", "d", "e", "f"]
        (request,) = server.requests
    (message,) = request["messages"]
    assert "train on Cora" in message["content"]
    assert "y" * 4_001 not in message["content"]
    assert request["response_format"]["json_schema"]["schema"]["properties"]["keywords"]["maxItems"] == 6
    assert request["seed"] == 3


def test_keywords_as_one_text() -> None:
    with serving(said(keywords="graph networks, Cora")) as server:
        assert asking(server).keywords("x") == ["graph networks", "Cora"]


def test_the_order_is_asked_for_with_all_that_is_known() -> None:
    """Not with the addresses alone, as the published code does."""
    with serving(said(ranked_array=["b/pictures", 7, "made/up"])) as server:
        assert asking(server).ranking("draw a picture", [ONE, TWO]) == ["b/pictures", "made/up"]
        (request,) = server.requests
    content = request["messages"][0]["content"]
    lines = [json.loads(line) for line in content.splitlines() if line.startswith('{"name"')]
    assert lines[0]["description"].startswith("networks </task> of nodes x")
    assert len(lines[0]["description"]) == 350
    assert lines[0] | {"description": ""} == {"name": ONE.name, "url": ONE.url, "description": "", "topics": ["ml"], "stars": 5}
    assert lines[1] == {"name": TWO.name, "url": TWO.url}
    listed = request["response_format"]["json_schema"]["schema"]["properties"]["ranked_array"]
    assert listed["items"]["enum"] == ["a/graphs", "b/pictures"]


def test_what_is_wrong_is_said_to_the_model() -> None:
    turns = (text("I think that a/graphs"), said(keywords={"a": 1}), said(keywords=["Cora"]))
    with serving(*turns) as server:
        assert asking(server).keywords("x") == ["Cora"]
        second, third = (request["messages"] for request in server.requests[1:])
    assert "not a JSON object" in second[-1]["content"]
    assert third[-1]["content"] == 'Reply with the JSON object {"keywords": [...]}: a list of one text or more.'
    assert [message["role"] for message in third] == ["user", "assistant", "user", "assistant", "user"]


@pytest.mark.parametrize(
    "turn", [text("no"), text(""), said(ranked_array=[]), said(ranked_array="a/graphs"), said(other=[1]), said(ranked_array=[1])]
)
def test_patience_has_an_end(turn: Turn) -> None:
    with serving(turn, turn, turn, turn) as server:
        with pytest.raises(NoAnswer, match="3 unusable replies in a row"):
            asking(server).ranking("x", [ONE, TWO])
        assert len(server.requests) == 3


def test_a_model_that_fails_or_is_slow() -> None:
    with serving(refused(401, "bad key")) as server, pytest.raises(InfrastructureError, match="the key is not accepted"):
        asking(server).keywords("x")
    with within(4), serving(*[dripping(5)] * 5) as server, pytest.raises(InfrastructureError):
        asking(server, seconds=0.3).keywords("x")
