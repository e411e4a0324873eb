import hashlib
import json
from dataclasses import asdict

import pytest

from ml_agent.benchmarks.base import Repository, Sample, Suite

SAMPLES = tuple(Sample(f"{n}/1", "ab"[n % 2], f"do\ud800 {n}", "bash", "x", arguments={"b": 1, "a": [n, 1j]}) for n in range(12))
REPOSITORIES = {name: Repository(name, f"https://example.org/{name}") for name in "ab"}


@pytest.mark.parametrize(("samples", "repositories"), [(SAMPLES, REPOSITORIES), (SAMPLES[:1], {}), ((), REPOSITORIES), ((), {})])
def test_the_hash_is_over_all_of_the_content(samples: tuple[Sample, ...], repositories: dict[str, Repository]) -> None:
    whole = [
        sorted((asdict(sample) for sample in samples), key=lambda sample: str(sample["key"])),
        sorted((asdict(repository) for repository in repositories.values()), key=lambda one: str(one["name"])),
    ]
    expected = hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()
    assert Suite("s", "1", samples, repositories).hash == expected


def test_what_counts_for_the_hash() -> None:
    """Not the order, not the name; each word and each commit."""
    suite = Suite("s", "1", SAMPLES, REPOSITORIES)
    assert Suite("t", "2", SAMPLES[::-1], dict(reversed(REPOSITORIES.items()))).hash == suite.hash
    assert Suite("s", "1", SAMPLES[1:], REPOSITORIES).hash != suite.hash
    assert Suite("s", "1", SAMPLES, {**REPOSITORIES, "a": Repository("a", "https://example.org/a", "0" * 40)}).hash != suite.hash
