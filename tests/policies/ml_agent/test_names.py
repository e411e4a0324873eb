import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.ml_agent.names import nearest, nearest_first, readmes_of, resolve

PATHS = ["README.md", "docs/readme.rst", "a/b/README", "a/README.md", "readme.py", "a/train.py", "b/train.py", "b/model.py"]


def test_readmes() -> None:
    assert readmes_of(PATHS, md_only=True) == ["README.md", "a/README.md"]
    assert readmes_of(PATHS, md_only=False) == ["README.md", "a/b/README", "a/README.md", "docs/readme.rst"]


def test_the_files_beside_the_readme_come_first() -> None:
    assert nearest_first(PATHS, "b/README.md")[:3] == ["b/model.py", "b/train.py", "README.md"]
    assert nearest_first(PATHS, "README.md")[0] == "README.md"
    assert sorted(nearest_first(PATHS, "x/y.md")) == sorted(PATHS)


@pytest.mark.parametrize(
    ("named", "beside", "expected"),
    [
        ("a/train.py", "", "a/train.py"),
        ("./a//train.py ", "", "a/train.py"),
        ("/a/train.py", "", "a/train.py"),
        ("`a/train.py`", "", "a/train.py"),
        ("a\\train.py", "", "a/train.py"),
        ("train.py", "b", "b/train.py"),
        ("../a/train.py", "b", "a/train.py"),
        ("train.py", "", None),  # there are two
        ("model.py", "", "b/model.py"),
        ("zoo/a/train.py", "", "a/train.py"),
        ("zoology/a/train.py", "", None),
        ("../../etc/passwd", "", None),
        ("/etc/passwd", "", None),
        ("", "", None),
        ("a", "", None),
    ],
)
def test_files_as_they_are_named(named: str, beside: str, expected: str | None) -> None:
    assert resolve(named, PATHS, beside=beside, repository="zoo") == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [("", "."), (".", "."), ("/", "."), ("zoo", "."), ("zoo/a", "a"), ("a/", "a"), ("./a", "a"), ("b", "a/b"), ("..", None), ("c", None)],
)
def test_folders_as_they_are_named(named: str, expected: str | None) -> None:
    assert resolve(named, {".", "a", "a/b"}, repository="zoo") == expected


@given(named=st.text(), beside=st.text(max_size=8), repository=st.text(max_size=8))
def test_only_what_is_known(named: str, beside: str, repository: str) -> None:
    found = resolve(named, PATHS, beside=beside, repository=repository)
    assert found is None or found in PATHS
    assert set(nearest(named, PATHS)) <= set(PATHS)


def test_the_nearest() -> None:
    assert nearest("c/train.py", PATHS)[:2] == ["a/train.py", "b/train.py"]
    assert nearest("b/modle.py", PATHS)[0] == "b/model.py"
    assert len(nearest("x", PATHS)) == 5
    assert nearest("x", []) == []
