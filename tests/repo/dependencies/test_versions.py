"""Versions of poetry and conda."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from ml_agent.repo.dependencies.versions import from_conda, from_poetry


@pytest.mark.parametrize(
    ("written", "fits", "misfits"),
    [
        ("^1.2.3", "1.9", "2.0"),
        ("^0.2.3", "0.2.9", "0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^1", "1.5", "2.0"),
        ("~1.2.3", "1.2.9", "1.3.0"),
        ("~1.2", "1.2.5", "1.3"),
        ("~1", "1.9", "2.0"),
        ("1.2.3", "1.2.3", "1.2.4"),
        ("1.2.*", "1.2.7", "1.3"),
        ("=1.2", "1.2", "1.3"),
        (">=3.8,<3.11", "3.10", "3.11"),
        (">=3.8 <3.11", "3.10", "3.11"),
        ("~=1.4", "1.9", "2.0"),
        ("!=1.1", "1.2", "1.1"),
    ],
)
def test_poetry(written: str, fits: str, misfits: str) -> None:
    specifier = SpecifierSet(from_poetry(written))
    assert specifier.contains(fits)
    assert not specifier.contains(misfits)


@pytest.mark.parametrize(
    ("written", "fits", "misfits"),
    [
        ("=1.19", "1.19.5", "1.20"),
        ("1.19", "1.19.5", "1.2"),
        ("==1.19", "1.19", "1.19.5"),
        ("=1.19.2=py37h8b_0", "1.19.2", "1.19.3"),
        ("1.19.2 py37_0", "1.19.2", "1.19.3"),
        (">=1.8,<2", "1.9", "2.0"),
        (">= 1.8, < 2", "1.9", "2.0"),
        ("1.7.*", "1.7.1", "1.8"),
        ("=1.7*", "1.7.1", "1.8"),
    ],
)
def test_conda(written: str, fits: str, misfits: str) -> None:
    specifier = SpecifierSet(from_conda(written))
    assert specifier.contains(fits)
    assert not specifier.contains(misfits)


@pytest.mark.parametrize("any_version", ["*", "", "1.2|1.3"])
def test_any_version(any_version: str) -> None:
    assert from_conda(any_version) == from_poetry(any_version) == ""


@given(st.text(alphabet="0123456789.*^~<>=!,| abx+-", max_size=30))
def test_never_fails(written: str) -> None:
    for read in (from_poetry, from_conda):
        try:
            SpecifierSet(read(written))
        except InvalidSpecifier:
            continue
