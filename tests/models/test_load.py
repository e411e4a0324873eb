"""Models by name: what is missing is said in one line."""

import os

import pytest

from ml_agent.errors import UsageError
from ml_agent.models.load import load_model
from tests.models.parts import HI
from tests.models.server import serving, text


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("name", "url", "words"),
    [
        ("gpt-4o", None, "the model 'gpt-4o' is not of the form provider:model"),
        ("", None, "is not of the form provider:model"),
        ("openai:", None, "is not of the form provider:model"),
        ("openai:gpt-4o", None, "openai needs a key: set the environment variable OPENAI_API_KEY"),
        ("opneai:gpt-4o", None, "there is no provider 'opneai'; for instance: anthropic, "),
        ("upstage:solar", None, "upstage needs a package that is not installed: pip install langchain-upstage"),
        ("x", "localhost:8000", "is not of the form http://host:port/v1"),
        ("x", "file:///etc/passwd", "is not of the form http://host:port/v1"),
        ("x", "http://[::1", "is not of the form http://host:port/v1"),
        ("x", "http://me:secret@host/v1", "the base URL holds a name or password"),
        ("gguf:/x.gguf", "http://host/v1", "leave --base-url out"),
    ],
)
def test_refused(name: str, url: str | None, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_model(name, url)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_unknown_tool_mode() -> None:
    with pytest.raises(UsageError, match="none of auto, native, json"):
        load_model("openai:gpt-4o", tool_mode="magic")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "full", "sent"),
    [("qwen2.5:7b", "openai:qwen2.5:7b", "qwen2.5:7b"), ("openai:a/b", "openai:a/b", "a/b"), ("m", "openai:m", "m")],
)
def test_a_service_of_ones_own(name: str, full: str, sent: str) -> None:
    with serving(text("fine")) as server:
        model = load_model(name, server.url)
        assert model.complete(HI).text == "fine"
    assert (model.name, server.requests[0]["model"], server.paths) == (full, sent, ["/v1/chat/completions"])
    assert model.price is None


def test_the_key_of_the_environment_is_sent_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnop1234")
    with serving(text("fine")) as server:
        model = load_model("m", server.url)
        model.complete(HI)
    assert server.headers[0]["authorization"] == "Bearer sk-abcdefghijklmnop1234"
    assert "abcdefghijklmnop" not in repr(vars(model))


def test_the_price_of_the_service_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnop1234")
    price = load_model("openai:gpt-4o").price
    assert price is not None
    assert (price.input, price.output) == (2.5, 10)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.test/v1")
    assert load_model("openai:gpt-4o").price is None
