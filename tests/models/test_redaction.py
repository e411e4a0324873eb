"""No key survives, and ordinary text does."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.redaction import KEY_VARIABLES, REDACTED, redact, redacted
from tests.pace import within

KEYS = [
    "sk-proj-abcdefghijklmnop_qrstuv-1234",
    "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "AKIAIOSFODNN7EXAMPLE",
    "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "sk-svcacct-ab_cd-efGHIJKLMNOPQRSTUVWXYZ",
    "sk_live_abcdefghijklmnop",
    "github_pat_abcdefghijklmnopqrstuvwxyz01234",
    "glpat-abcdefghijklmnopqrst",
    "gsk_abcdefghijklmnopqrstuvwxyz0123",
    "xai-abcdefghijklmnopqrstuvwxyz0123",
    "pplx-abcdefghijklmnopqrstuvwxyz0123",
    "nvapi-abcdefghijklmnopqrstuvwxyz0123",
    "xoxb-123456789012-abcdef",
    "lsv2_pt_abcdefghijklmnopqrstuvwxyz0123",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
]


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key(key: str) -> None:
    assert redact(f"export TOKEN={key} # mine", environment={}) == f"export TOKEN={REDACTED} # mine"


@given(st.text(), st.text(st.characters(codec="utf-8"), min_size=8), st.text())
def test_values_of_the_environment(before: str, value: str, after: str) -> None:
    if value.startswith("/") or value in REDACTED:
        return
    assert value not in redact(before + value + after, environment={"MY_SERVICE_API_KEY": value}).replace(REDACTED, "\0")


def test_bearer_and_fields() -> None:
    assert redact("Authorization: Bearer abcdefghijklmnop1234", environment={}) == f"Authorization: Bearer {REDACTED}"
    assert redact('"api_key": "abcdefghijklmnop1234"', environment={}) == f'"api_key": "{REDACTED}"'


@pytest.mark.parametrize(
    "text",
    [
        "python train.py --task-name sk-learn --lr 0.01",
        "disk-usage-of-the-whole-machine",
        "git clone https://example.org/sk-learn-tutorial-examples-2024 && cd sk-learn-tutorial-examples-2024",
        "max_tokens=100 and tokenizer=bert-base-uncased",
        "sha256 cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    environment = {"HOME": "/root/home", "OPENAI_API_KEY": "short", "GOOGLE_APPLICATION_CREDENTIALS": "/etc/credentials.json"}
    assert redact(text, environment=environment) == text


VALUES = st.recursive(
    st.none() | st.integers() | st.text() | st.sampled_from(KEYS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(KEYS), inner, max_size=3),
)


@given(VALUES)
def test_a_value_has_each_of_its_texts_redacted(value: Any) -> None:
    def each(one: Any) -> Any:
        if isinstance(one, str):
            return redact(one)
        if isinstance(one, dict):
            return {each(name): each(inner) for name, inner in one.items()}
        return [each(inner) for inner in one] if isinstance(one, list) else one

    assert redacted(value) == each(value)


def test_what_is_no_text_stays_what_it_is() -> None:
    value = {"a": 1.5, "b": None, "c": (True, {"d": Path("/x")}), "e": KEYS[0]}
    assert redacted(value) == {"a": 1.5, "b": None, "c": [True, {"d": Path("/x")}], "e": REDACTED}
    plain = {"a": ("x", "y")}
    assert redacted(plain) is plain


@given(st.lists(st.sampled_from([*KEYS, "Bearer ", "api_key=", "abcdefghijklmnopqrstuv", " ", "\n", "-", "x"])).map("".join))
def test_what_is_redacted_stays_as_it_is(text: str) -> None:
    """A run that is taken up sees the stored text, and has to send the same."""
    once = redact(text, environment={})
    assert redact(once, environment={}) == once
    environment = {"MY_TOKEN": "redacted", "OTHER_TOKEN": "abcdefghijklmnopqrstuv"}
    once = redact(text, environment=environment)
    assert redact(once, environment=environment) == once


@pytest.mark.parametrize("provider", KEY_VARIABLES)
def test_every_providers_key_is_known(provider: str) -> None:
    assert redact("here: no pattern at all", environment={KEY_VARIABLES[provider]: "no pattern at all"}) == f"here: {REDACTED}"


@pytest.mark.parametrize(
    "piece",
    [
        "a-",
        "sk-",
        "-eyJ",
        "eyJaaaaaaaaaa.",
        "bearer ",
        "api_key",
        "api_key ",
        "-----BEGIN ",
        "-----BEGIN A ",
        "sk-aaaaaaaaaaaaaaa-",
        "AKIA",
        "hf_",
    ],
)
def test_no_text_of_a_repository_makes_it_slow(piece: str) -> None:
    text = piece * (300_000 // len(piece)) + " " * 100_000
    with within(2, time.perf_counter):
        redact(text, environment={})
