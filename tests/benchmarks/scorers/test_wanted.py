import pytest

from ml_agent.benchmarks.scorers.wanted import is_asked, same, same_values
from tests.benchmarks.scorers.samples import bash


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1e-3", "0.001"),
        ("./runs/", "runs"),
        ("'Owl'", "owl"),
        ('{"a": 1, "b": "x"}', "{'b':'x','a':1.0}"),
        ('{"sing": true}', "{'sing': True}"),
        ("a=1,b=2", "b=2,a=1.0"),
        ("a.b='x',,c=2", "c=2,,a.b=x"),
    ],
)
def test_the_same_value(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "2"),
        ("a/b", "b"),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ('{"a": 1}', '{"a": "1"}'),
        ('{"a": [1, 2]}', '{"a": [2, 1]}'),
        ('{"a": [1]}', '{"a": 1}'),
        ("a=1,b=2", "a=2,b=1"),
        ("a=1,b=2", "a=1;b=2"),
        ("a=1,b=2", "a=1"),
        ("a=1", '{"a": 1}'),
        ("a=1", "b=1"),
    ],
)
def test_another_value(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_words_that_are_settings_have_no_order() -> None:
    assert same_values(["a=1", "b=2"], ["b=2", "a=1"])
    assert not same_values(["a=1", "b=2"], ["b=2"])
    assert not same_values(["a=1", "b=2"], ["b=2", "a=2"])
    assert not same_values(["1", "2"], ["2", "1"])


def test_what_is_asked_for() -> None:
    sample = bash("python train.py --hparams a=1,b=2", {"hparams": "a=1,b=2"})
    assert is_asked(sample, ["b=2,a=1"])
    assert not is_asked(sample, ["c=3"])
