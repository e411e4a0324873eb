"""All files together: what is needed, what is optional, what cannot be read."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.repo.dependencies.support import brief, declared


def test_needed_and_optional(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "a\n",
        "requirements-dev.txt": "-r requirements.txt\nb\n",
        "docs/requirements.txt": "c\n",
        "part/setup.py": "setup(install_requires=['d'], extras_require={'x': ['e']})",
        "requirements/train.txt": "f\n",
    }
    assert brief(declared(tmp_path, files)) == {
        "a": "requirements.txt:1",
        "b": "requirements-dev.txt:2 requirements-dev.txt",
        "c": "docs/requirements.txt:1 docs/requirements.txt",
        "d": "part/setup.py:1 part/setup.py",
        "e": "part/setup.py:1 part/setup.py [x]",
        "f": "requirements/train.txt:1 requirements/train.txt",
    }


def test_parts_side_by_side_are_all_needed(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[tool.black]\n",
        "a/requirements.txt": "x\n",
        "b/setup.py": "setup(install_requires=['y'])",
        "a/c/requirements.txt": "z\n",
    }
    assert {d.name: d.group for d in declared(tmp_path, files).requirements} == {"x": "", "y": "", "z": "a/c/requirements.txt"}


@pytest.mark.parametrize("name", ["requirements_gpu.txt", "environment-gpu.yml"])
def test_the_only_file_is_the_one_to_use(tmp_path: Path, name: str) -> None:
    text = "x\n" if name.endswith(".txt") else "dependencies: [x]\n"
    assert [d.group for d in declared(tmp_path, {name: text}).requirements] == [""]


def test_setup_cfg_and_pipfile(tmp_path: Path) -> None:
    cfg = "[options]\npython_requires = >=3.7\ninstall_requires =\n    numpy>=1\n    # no\n    scipy\n"
    cfg += "[options.extras_require]\nx = file: more.txt\ny = a; b\n"
    pipfile = '[packages]\nflask = "*"\ntorch = {version = "==1.0"}\n[dev-packages]\npytest = "*"\n[requires]\npython_version = "3.9"\n'
    found = declared(tmp_path, {"setup.cfg": cfg, "more.txt": "m\n", "Pipfile": pipfile})
    assert brief(found) == {
        "numpy>=1": "setup.cfg:4",
        "scipy": "setup.cfg:6",
        "m": "more.txt:1 [x]",
        "flask": "Pipfile:2",
        "torch==1.0": "Pipfile:3",
        "pytest": "Pipfile:5 dev-packages",
    }
    assert {p.specifier for p in found.python} == {">=3.7", "==3.9.*"}
    assert [u.place for u in found.unread] == ["setup.cfg:9"]


MALFORMED = {
    "requirements.txt": "good\n===\n",
    "pyproject.toml": "[project\n",
    "setup.cfg": "no section\n",
    "setup.py": "def (:\n",
    "environment.yml": "dependencies: [a\n",
    "Pipfile": "[packages\n",
}


def test_each_malformed_file_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    found = declared(tmp_path, MALFORMED)
    assert brief(found) == {"good": "requirements.txt:1"}
    assert {u.place.split(":")[0] for u in found.unread} == set(MALFORMED)
    assert all(u.reason and "\n" not in u.reason for u in found.unread)


def test_what_is_no_text(tmp_path: Path) -> None:
    files = dict.fromkeys(MALFORMED, b"\x00\x01binary")
    assert {u.reason for u in declared(tmp_path, files).unread} == {"it is not text"}
    big = declared(tmp_path / "big", {"requirements.txt": "# " + "x" * 300_000})
    assert "longer than" in big.unread[0].reason


def test_a_link_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret\n")
    root = tmp_path / "repo"
    root.mkdir()
    (root / "requirements.txt").symlink_to("../secret.txt")
    os.mkfifo(root / "setup.py")
    assert declared(root, {"x.py": ""}).requirements == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=st.sampled_from(sorted(MALFORMED)), text=st.text(alphabet="[]{}=\"'\n ,:-_#&*!|>@;\\abc1.", max_size=80))
def test_nothing_that_is_written_ends_the_reading(tmp_path: Path, name: str, text: str) -> None:
    head = {
        "pyproject.toml": "[project]\n",
        "Pipfile": "[packages]\n",
        "environment.yml": "dependencies:\n",
        "setup.cfg": "[options]\n",
    }.get(name, "")
    for whole in (text, head + text):
        assert all(d.line >= 1 for d in declared(tmp_path, {name: whole}).requirements)
    (tmp_path / name).unlink()
