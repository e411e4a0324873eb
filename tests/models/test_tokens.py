"""Counting without a download."""

import socket

import pytest

from ml_agent.models.messages import Message
from ml_agent.models.tokens import count_request, count_tokens, how_counted
from ml_agent.trajectory import ToolCall
from tests.models.parts import RUN

pytest.importorskip("bpe_openai")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.filterwarnings("ignore:open_binary is deprecated")
def test_openai_is_exact() -> None:
    assert count_tokens("hello world", "openai:gpt-4o") == 2
    assert how_counted("openai:gpt-4o") == "o200k_base"
    assert count_tokens("hello world", "openai:a-model-of-tomorrow") == 2
    assert [how_counted(f"openai:{m}") for m in ("gpt-4", "gpt-4-turbo", "gpt-4.1", "o3")] == ["cl100k_base"] * 2 + ["o200k_base"] * 2
    assert count_tokens("<|endoftext|> \udcff", "openai:gpt-4") > 1


def test_others_are_estimated() -> None:
    assert count_tokens("abcde", "anthropic:claude-sonnet-4") == 2
    assert count_tokens("", "gguf:/m.gguf") == 0
    assert how_counted("gguf:/m.gguf") == "four characters a token, about"


def test_a_request_counts_its_calls_and_tools() -> None:
    bare = count_request([Message("assistant", "x")], (), "gguf:m")
    called = count_request([Message("assistant", "x", (ToolCall("1", "run", {"command": "ls -la"}),))], (), "gguf:m")
    assert bare < called < count_request([Message("assistant", "x", (ToolCall("1", "run", {"command": "ls -la"}),))], [RUN], "gguf:m")
