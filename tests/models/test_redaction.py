"""No key survives, and ordinary text does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.redaction import REDACTED, redact

KEYS = [
    "sk-proj-abcdefghijklmnop_qrstuv-1234",
    "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
]


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key(key: str) -> None:
    assert redact(f"export TOKEN={key} # mine", environment={}) == f"export TOKEN={REDACTED} # mine"


@given(st.text(), st.text(st.characters(codec="utf-8"), min_size=8), st.text())
def test_values_of_the_environment(before: str, value: str, after: str) -> None:
    if value.startswith("/"):
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
        "max_tokens=100 and tokenizer=bert-base-uncased",
        "sha256 cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    environment = {"HOME": "/root/home", "OPENAI_API_KEY": "short", "GOOGLE_APPLICATION_CREDENTIALS": "/etc/credentials.json"}
    assert redact(text, environment=environment) == text
