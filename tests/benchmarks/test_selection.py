from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.selection import choose, stratified
from ml_agent.errors import UsageError

SUITE = Suite(
    "s",
    "1",
    tuple(
        Sample(key, name, "do", "python" if key.endswith("2") else "bash", "x")
        for key, name in (("1/1", "Dgl"), ("1/2", "Dgl"), ("2/1", "bert"), ("12/2", "bert"))
    ),
    {name: Repository(name) for name in ("Dgl", "bert")},
)


@pytest.mark.parametrize(
    ("only", "keys"),
    [
        ("", ["1/1", "1/2", "2/1", "12/2"]),
        ("1/*", ["1/1", "1/2"]),
        ("1/1", ["1/1"]),
        ("2/1, 1/1", ["1/1", "2/1"]),
        ("repository=dgl", ["1/1", "1/2"]),
        ("repository = DGL and language=python", ["1/2"]),
        ("language!=python", ["1/1", "2/1"]),
        ("repository=bert and language=bash or key=1/2", ["1/2", "2/1"]),
        ("?/2", ["1/2"]),
    ],
)
def test_what_is_chosen(only: str, keys: list[str]) -> None:
    assert [sample.key for sample in choose(SUITE, only)] == keys


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ("9/9", "fits no sample of s"),
        ("owner=x", "no field is called 'owner'"),
        ("1/1 2/1", "'1/1 2/1' is no condition"),
        (",", "'' is no condition"),
        ("output=x", "no field is called 'output'"),
    ],
)
def test_what_is_refused(only: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as refused:
        choose(SUITE, only)
    assert "\n" not in str(refused.value)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, 150))
def test_a_stratified_sample(sizes: list[int], number: int) -> None:
    """Each stratum within one of its share, one at least; the order and the choice are the same each time."""
    samples = [Sample(f"{r}/{n}", f"r{r}", "do", "bash", "x") for r, size in enumerate(sizes) for n in range(size)]
    if number < len(sizes):
        with pytest.raises(UsageError, match="pairs of a repository and a language"):
            stratified(samples, number)
        return
    chosen = stratified(samples, number)
    assert chosen == stratified(list(samples), number)
    assert len(chosen) == min(number, len(samples))
    assert [sample for sample in samples if sample in chosen] == list(chosen)
    counts = Counter(sample.repository for sample in chosen)
    assert set(counts) == {f"r{r}" for r in range(len(sizes))}
    large = [r for r, size in enumerate(sizes) if size * number >= len(samples)]
    if len(large) == len(sizes):
        assert all(abs(counts[f"r{r}"] - number * sizes[r] / len(samples)) <= 1 or number > len(samples) for r in large)
