"""One requirement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import InvalidRequirement, Requirement

from ml_agent.repo.dependencies.requirement import parse_requirement


@pytest.mark.parametrize(
    ("written", "name", "specifier"),
    [
        ("Foo_Bar", "foo-bar", ""),
        ("foo >= 1.2 , < 2", "foo", "<2,>=1.2"),
        ("foo[x,y]==1.*", "foo", "==1.*"),
        ("foo==1.0 --hash=sha256:abc --hash=sha256:def", "foo", "==1.0"),
        ("foo @ https://example.org/foo-1.zip", "foo", ""),
        ("foo @ file:///home/build/foo", "foo", ""),
        ("git+https://example.org/a/Some.Thing.git@v1", "some-thing", ""),
        ("git+ssh://git@example.org/a/thing.git", "thing", ""),
        ("git+https://example.org/a/b.git@main#subdirectory=x&egg=real_name", "real-name", ""),
        ("https://example.org/wheels/foo_bar-1.0-py3-none-any.whl", "foo-bar", ""),
        ("./wheels/foo-1.0.tar.gz", "foo", ""),
        ("https://example.org/archive/main.zip", "", ""),
    ],
)
def test_what_pip_takes(written: str, name: str, specifier: str) -> None:
    found = parse_requirement(written)
    assert (found.name, found.specifier) == (name, specifier)


def test_the_marker_is_kept() -> None:
    assert parse_requirement('foo>=2; python_version < "3.8"').marker == 'python_version < "3.8"'
    assert parse_requirement("git+https://example.org/a/b.git ; os_name == 'nt'").marker == "os_name == 'nt'"


@pytest.mark.parametrize("written", ["", "foo=1.2", "foo>>1", "a b c", "=1", "foo (", "foo; what == 1", "x" * 3_000])
def test_what_pip_does_not_take_is_said(written: str) -> None:
    with pytest.raises(ValueError, match="require") as caught:
        parse_requirement(written)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_never_fails_otherwise(written: str) -> None:
    try:
        found = parse_requirement(written)
    except ValueError:
        return
    assert found.text
    try:
        Requirement(found.text)
    except InvalidRequirement:
        assert (
            "/" in found.text
            or found.text.startswith(".")
            or found.text.lower().endswith((".whl", ".zip", ".tgz", ".tar", "gz", "xz", "bz2"))
        )
