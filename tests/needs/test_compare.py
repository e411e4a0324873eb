"""Declared beside installed."""

from pathlib import Path

import pytest

from ml_agent.needs.compare import compare, fitting_python
from ml_agent.needs.report import DistributionNeed
from tests.repo.dependencies.support import declared


def needs(root: Path, text: str, installed: dict[str, str], version: str = "3.9.2") -> dict[str, DistributionNeed]:
    found = declared(root, {"requirements.txt": text})
    return {need.name: need for need in compare(found.requirements, installed, version, ())}


def test_states(tmp_path: Path) -> None:
    text = "a>=1\nb>=2\nc\nhttps://example.org/x.zip\ne==1.0\nf\ng; python_version>='3.10'\nh>=1\n"
    found = needs(tmp_path, text, {"a": "1.5", "b": "1.9", "e": "1.0+cpu", "f": "", "h": "what"})
    assert {name: (need.state, need.installed) for name, need in found.items()} == {
        "c": ("missing", None),
        "b": ("other_version", "1.9"),
        "https://example.org/x.zip": ("unknown", None),
        "h": ("unknown", "what"),
        "a": ("present", "1.5"),
        "e": ("present", "1.0+cpu"),
        "f": ("present", ""),
        "g": ("not_here", None),
    }
    assert next(iter(found)) == "c"


@pytest.mark.parametrize(("version", "state"), [("3.9.2", "not_here"), ("3.10.1", "missing")])
def test_markers_are_of_the_environments_python(tmp_path: Path, version: str, state: str) -> None:
    text = "a; python_version >= '3.10'\nb; python_full_version > '3.10.0'\nc; extra == 'x'\nd; platform_system == 'Linux'\n"
    found = needs(tmp_path, text, {}, version)
    assert {name: need.state for name, need in found.items()} == {"a": state, "b": state, "c": "not_here", "d": "missing"}


def test_pre_releases_that_are_there_count(tmp_path: Path) -> None:
    assert needs(tmp_path, "a>=1\n", {"a": "2.0rc1"})["a"].state == "present"


def test_a_stand_in_is_named(tmp_path: Path) -> None:
    need = needs(tmp_path, "opencv-python>=4\n", {"opencv-python-headless": "4.5"})["opencv-python"]
    assert (need.state, need.provided_by) == ("present", "opencv-python-headless")


def test_constraints_count_for_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "limits.txt").write_text("a<2\nz==1\n")
    found = needs(tmp_path, "a\n-c limits.txt\n", {"a": "2.1"})
    assert {name: (need.state, need.requirement) for name, need in found.items()} == {"a": ("other_version", "a (<2: limits.txt:1)")}


def test_several_places_show_the_one_that_is_not_met(tmp_path: Path) -> None:
    files = {"requirements.txt": "a\n", "setup.py": "setup(install_requires=['a>=3'])", "requirements-dev.txt": "a>=9\n"}
    found = compare(declared(tmp_path, files).requirements, {"a": "2"}, "3.9.2", ())
    assert [(n.group, n.state, n.requirement, n.place, n.places) for n in found] == [
        ("", "other_version", "a>=3", "setup.py:1", ("requirements.txt:1", "setup.py:1")),
        ("requirements-dev.txt", "other_version", "a>=9", "requirements-dev.txt:1", ("requirements-dev.txt:1",)),
    ]


def test_what_only_conda_has_is_not_missing(tmp_path: Path) -> None:
    found = declared(tmp_path, {"environment.yml": "dependencies: [cudatoolkit=11, numpy]\n"})
    assert {n.name: n.state for n in compare(found.requirements, {}, "3.9.2", ())} == {"numpy": "missing", "cudatoolkit": "unknown"}


@pytest.mark.parametrize(
    ("specifiers", "fitting"),
    [
        ([">=3.7", "<3.9"], "3.8"),
        (["==3.6.9.*"], "3.6"),
        ([">=3.9,<3.9.5"], "3.9"),
        ([">=3.9", "<3.8"], ""),
        (["<3"], ""),
    ],
)
def test_a_python_that_fits(specifiers: list[str], fitting: str) -> None:
    assert fitting_python(specifiers) == fitting
