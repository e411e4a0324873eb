"""A model by plain values: what can be written down is enough to open it again."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ml_agent.errors import InfrastructureError, LimitReached, UsageError
from ml_agent.limits import Limits
from ml_agent.models.choice import ModelChoice, held
from ml_agent.models.recording import spent
from tests.models.parts import HI, Fixed, said
from tests.models.server import serving, text


def test_it_can_be_written_down_and_opened_again(tmp_path: Path) -> None:
    with serving(text("hello"), text("again")) as server:
        choice = ModelChoice("qwen2.5:7b", server.url, "json", 4096)
        again = ModelChoice(**json.loads(json.dumps(asdict(choice))))
        assert again == choice
        model = again.open()
        assert model.complete(HI).text == "hello"
        assert (model.name, model.context) == ("openai:qwen2.5:7b", 4096)
        model.close()


def test_with_a_cache_the_same_request_is_asked_once(tmp_path: Path) -> None:
    with serving(text("hello")) as server:
        choice = ModelChoice("m", server.url, cache=str(tmp_path / "cache.sqlite"))
        replies = []
        for _ in range(2):
            model = choice.open()
            replies.append(model.complete(HI))
            model.close()
        assert [(reply.text, reply.cached) for reply in replies] == [("hello", False), ("hello", True)]
        assert len(server.requests) == 1


def test_a_cache_that_cannot_be_used_leaves_no_model_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Fixed()
    monkeypatch.setattr("ml_agent.models.load.load_model", lambda *args, **more: opened)
    with pytest.raises(InfrastructureError, match="cannot use the cache of replies"):
        ModelChoice("m", "http://127.0.0.1:1/v1", cache=str(tmp_path)).open()
    assert opened.closed


def test_what_is_paid_for_is_recorded_and_taken_from_the_limits() -> None:
    written: list[Mapping[str, Any]] = []
    limits = Limits(tokens=2000)
    model = held(Fixed(said("a"), said("b"), said("c")), limits, written.append)
    assert [model.complete(HI).text for _ in range(2)] == ["a", "b"]
    with pytest.raises(LimitReached, match="2000 tokens"):
        model.complete(HI)
    assert limits.used("tokens") == 3000
    assert spent(written) == (3000, 0.015)
    assert ["reply" in exchange for exchange in written] == [True, True, False]


def test_money_cannot_be_limited_where_the_price_is_not_known() -> None:
    with pytest.raises(UsageError, match="limit tokens instead"):
        held(Fixed(priced=False), Limits(money=1.0), lambda exchange: None)
