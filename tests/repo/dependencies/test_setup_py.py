"""setup.py, which is never run."""

from pathlib import Path

from tests.repo.dependencies.support import brief, declared


def test_what_is_written_out(tmp_path: Path) -> None:
    text = """\
import os, setuptools
base = ["numpy>=1", "scipy"]
EXTRAS = {"gpu": ["cupy"], "all": base + ["tqdm"]}
setuptools.setup(
    name="x",
    install_requires=base + [
        "torch",
    ],
    extras_require=EXTRAS,
    tests_require=("pytest",),
    python_requires=">=3.8",
)
open("ran", "w")
"""
    found = declared(tmp_path, {"setup.py": text})
    assert [(d.name, d.place, d.group) for d in found.requirements if not d.group] == [
        ("numpy", "setup.py:2", ""),
        ("scipy", "setup.py:2", ""),
        ("torch", "setup.py:7", ""),
    ]
    assert {(d.name, d.group) for d in found.requirements if d.group} == {("cupy", "[gpu]"), ("tqdm", "[all]"), ("pytest", "tests")}
    assert [(p.specifier, p.place) for p in found.python] == [(">=3.8", "setup.py:11")]
    assert found.unread == ()
    assert not (tmp_path / "ran").exists()


def test_files_that_it_reads_them_from(tmp_path: Path) -> None:
    text = """\
from setuptools import setup
def read(name): return open(name).read().split()
def fixed():
    with open("requirements.txt") as f: return f.readlines()
more = read("more.txt")
setup(**dict(install_requires=fixed(), extras_require={"m": more}))
"""
    found = declared(tmp_path, {"setup.py": text, "requirements.txt": "a\n", "more.txt": "b\n"})
    assert brief(found) == {"a": "requirements.txt:1", "b": "more.txt:1 [m]"}
    assert found.unread == ()


def test_what_only_a_run_would_tell_is_said(tmp_path: Path) -> None:
    text = "from setuptools import setup\nsetup(install_requires=['a', *compute()], ext_modules=[1])\n"
    found = declared(tmp_path, {"py/setup.py": text})
    assert brief(found) == {"a": "py/setup.py:2"}
    assert [(u.place, u.reason) for u in found.unread] == [("py/setup.py:2", "install_requires is computed: `compute()`")]
    assert found.compiled == {"py"}


def test_names_that_lead_in_a_circle(tmp_path: Path) -> None:
    text = "a = b\nb = a + a\nc = {**c}\nsetup(install_requires=a, extras_require=c)\n"
    assert declared(tmp_path, {"setup.py": text}).requirements == ()


def test_python_2_and_nesting(tmp_path: Path) -> None:
    found = declared(tmp_path, {"setup.py": "print 'x'\n", "a/setup.py": f"setup(install_requires={'[' * 5000})\n"})
    assert sorted(u.place.split(":")[0] for u in found.unread) == ["a/setup.py", "setup.py"]
