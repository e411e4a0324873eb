"""How long a request takes to read."""

import time

import pytest

from ml_agent.policies.grounded.request import read_request


def reading(text: str) -> float:
    """Seconds of this process."""
    began = time.process_time()
    request = read_request(text)
    assert request.stems is not None
    assert len(request.grams) + len(request.words) > 0
    return time.process_time() - began


@pytest.mark.parametrize(
    ("start", "unit", "count", "end"),
    [
        ("(1", " ", 200_000, ""),
        ("(", "1,", 100_000, ""),
        ("a", "-", 200_000, ""),
        ("'", "a", 200_000, ""),
        ("", "A", 200_000, "1"),
        ("", "1", 200_000, "_aa"),
        ("", "two-", 50_000, ""),
        ("", "1 x ", 50_000, "1a"),
        ("", "1/", 100_000, "a"),
        ("", "a://", 50_000, ""),
        ("", "a.b", 60_000, ""),
        ("", "a = ", 50_000, ""),
        ("", "a:1", 60_000, ""),
        ("", "a@", 50_000, ""),
        ("", "a(a)", 50_000, "("),
    ],
)
def test_what_never_closes_takes_no_longer(start: str, unit: str, count: int, end: str) -> None:
    """Eight times the text takes about eight times as long, on any machine; what is not linear takes 64 times."""
    few, many = (reading(start + unit * number + end) for number in (count // 8, count))
    assert many < 24 * few + 0.3
