import pytest

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.selection import choose
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
