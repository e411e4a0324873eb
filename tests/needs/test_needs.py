"""The whole report, over real virtual environments."""

import shlex
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.needs import EnvironmentReport, environment_report
from tests.sandbox.test_environment import add_package, make_venv


def report(tmp_path: Path, files: dict[str, str], packages: dict[str, str] | None = None) -> EnvironmentReport:
    repository, environment = tmp_path / "a repo", make_venv(tmp_path / "env")
    for name, version in (packages or {}).items():
        add_package(environment, name, version)
    for name, text in files.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text)
    return environment_report(repository, str(environment))


def setup(found: EnvironmentReport) -> str:
    assert found.remedy is not None
    return found.remedy.setup


def test_nothing_missing(tmp_path: Path) -> None:
    found = report(tmp_path, {"requirements.txt": "a>=1\n", "x.py": "import a, os, y", "y.py": ""}, {"a": "1.2"})
    assert found.ok
    assert found.remedy is None
    assert [(m.imported.module, m.installed, m.distribution, m.declared_as) for m in found.modules] == [("a", True, "", "needed")]


def test_the_file_and_what_it_forgot(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "torch>=1\n",
        "x.py": "import torch, cv2, strange\ntry:\n    import wandb\nexcept ImportError:\n    pass\n",
    }
    found = report(tmp_path, files)
    assert not found.ok
    assert [(m.imported.module, m.distribution, m.certain) for m in found.undeclared] == [
        ("cv2", "opencv-python", True),
        ("strange", "strange", False),
        ("wandb", "wandb", True),
    ]
    # What nobody knows is not installed by its name: another's package may have it.
    assert setup(found) == "pip install -r requirements.txt opencv-python"
    assert found.remedy is not None
    words = shlex.split(found.remedy.solve)
    assert words[:4] == ["ml-agent", "solve", "--repo", str(tmp_path / "a repo")]
    assert words[words.index("--setup") + 1] == setup(found)
    assert words[words.index("--network") + 1] == "setup"
    assert words[words.index("--python") + 1] == str(tmp_path / "env")


def test_a_project_is_installed_as_a_whole_and_a_compiled_one_by_its_names(tmp_path: Path) -> None:
    assert setup(report(tmp_path, {"pyproject.toml": '[project]\ndependencies = ["a>=1"]\n'})) == "pip install -e ."
    compiled = report(tmp_path / "2", {"py/setup.py": "setup(install_requires=['a>=1', 'b'], ext_modules=[E()])"})
    assert setup(compiled) == "pip install 'a>=1' b"
    assert compiled.remedy is not None
    assert "--setup \"pip install 'a>=1' b\"" in compiled.remedy.solve
    assert compiled.remedy.remarks == ("py/ compiles parts of its own when it is installed: its documents say how",)


def test_one_file_is_enough_where_it_has_all(tmp_path: Path) -> None:
    files = {"requirements.txt": "a\nb\n", "setup.py": "setup(install_requires=['a', 'c'])", "requirements-dev.txt": "d\n"}
    assert setup(report(tmp_path, files)) == "pip install -r requirements.txt -e ."
    assert setup(report(tmp_path / "2", {**files, "setup.py": "setup(install_requires=['a'])"})) == "pip install -r requirements.txt"


def test_many_parts(tmp_path: Path) -> None:
    found = report(tmp_path, {f"part{i}/requirements.txt": "a\n" for i in range(6)})
    assert setup(found) == "pip install -r part0/requirements.txt"
    assert found.remedy is not None
    assert "6 parts" in found.remedy.remarks[0]


def test_conda_has_its_own_way(tmp_path: Path) -> None:
    found = report(tmp_path, {"environment.yml": "dependencies:\n- python=3.6\n- numpy=1.19\n- cudatoolkit\n"})
    assert [(p.specifier, p.fits) for p in found.python_needs] == [("==3.6.*", False)]
    assert setup(found) == "pip install 'numpy==1.19.*'"
    assert found.remedy is not None
    assert "conda env create -p ~/envs/'a repo' -f environment.yml" in found.remedy.own[0]
    assert "--python python3.6" in found.remedy.solve


def test_a_part_speaks_for_itself_alone(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "a\n",
        "part/requirements.txt": "torch\n",
        "part/x.py": "import torch\n",
        "tests/requirements.txt": "tqdm\n",
        "y.py": "import tqdm\n",
    }
    found = report(tmp_path, files)
    assert {m.imported.module: m.declared_as for m in found.modules} == {"torch": "part/requirements.txt", "tqdm": ""}


def test_modules_that_may_be_the_repositorys(tmp_path: Path) -> None:
    files = {
        "x.py": "import tensorflow, inner, fast_ops, urllib2, numpy\n",
        "lib/tensorflow/y.py": "",
        "lib/inner/z.py": "",
        "setup.py": "Extension('fast_ops', [])",
    }
    found = report(tmp_path, files)
    assert {m.imported.module: (m.distribution, m.remark) for m in found.undeclared} == {
        "numpy": ("numpy", ""),
        "tensorflow": ("tensorflow", ""),
        "urllib2": ("", "a module of Python 2"),
    }


def test_what_is_optional_does_not_fail(tmp_path: Path) -> None:
    found = report(tmp_path, {"requirements.txt": "a\n", "requirements-dev.txt": "b\n"}, {"a": "1"})
    assert found.ok
    assert {(d.name, d.state, d.group) for d in found.distributions} == {("a", "present", ""), ("b", "missing", "requirements-dev.txt")}


def test_an_environment_of_ones_own_begins_empty(tmp_path: Path) -> None:
    files = {"setup.py": "setup(install_requires=['a', 'b'], ext_modules=[E()])", "x.py": "import yaml, a\n"}
    found = report(tmp_path, files, {"a": "1", "yaml": "1"})
    assert setup(found) == "pip install b"
    assert found.remedy is not None
    assert found.remedy.own[0].endswith("bin/pip install a b)")


def test_another_python_begins_empty_too(tmp_path: Path) -> None:
    found = report(tmp_path, {"pyproject.toml": '[project]\nrequires-python = "<3.9"\ndependencies = ["a"]\n'}, {"a": "1"})
    assert not found.ok
    assert setup(found) == "pip install -e ."
    assert found.remedy is not None
    assert "--python python3.8" in found.remedy.solve


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        environment_report(tmp_path / "nowhere")
    (tmp_path / "x.py").write_text("")
    with pytest.raises(UsageError, match="cannot be used"):
        environment_report(tmp_path, str(tmp_path / "x.py"))
