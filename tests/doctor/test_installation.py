"""Packages that are missing, of the wrong version or broken, and a grammar of another ABI."""

from pathlib import Path

import pytest

from ml_agent.doctor.installation import look_at_grammars, look_at_itself, look_at_packages
from tests.doctor.support import given


def install(place: Path, name: str, version: str, files: dict[str, str], needs: tuple[str, ...] = ()) -> None:
    """As pip leaves it: modules, metadata, and the record of files."""
    info = place / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    for path, text in files.items():
        (place / path).write_text(text)
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    (info / "METADATA").write_text("Metadata-Version: 2.1\n" + "\n".join(lines) + "\n")
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_what_is_installed_here_is_well(tmp_path: Path) -> None:
    assert look_at_itself(given(tmp_path)).status == "ok"
    found = look_at_packages(given(tmp_path))
    assert found.status == "ok", found
    assert "tree-sitter 0." in found.detail
    found = look_at_grammars(given(tmp_path))
    assert found.status == "ok", found
    assert "bash" in found.detail


def test_each_fault_is_named(place: Path) -> None:
    needs = (
        "nosuch-package>=1",
        "rich>=9999",
        "ml-agent-test-broken",
        "ml-agent-test-well",
        'only-on-another-system; sys_platform == "win32"',
        'an-extra; extra == "dev"',
    )
    install(place, "ml-agent", "9", {}, needs)
    install(place, "ml-agent-test-broken", "1", {"ml_agent_test_broken.py": "raise RuntimeError('half of it\\nis missing')"})
    install(place, "ml-agent-test-well", "1", {"ml_agent_test_well.py": ""})
    said: list[str] = []
    told = given(place)
    found = look_at_packages(type(told)(told.repository, None, place, told.found, said.append))
    assert found.status == "error"
    faults = found.detail.split("; ")
    assert len(faults) == 3
    assert faults[0] == "nosuch-package is missing"
    assert faults[1].startswith("rich is ")
    assert faults[1].endswith(", but >=9999 is needed")
    assert faults[2] == "ml-agent-test-broken cannot be imported (RuntimeError: half of it is missing)"
    assert found.remedy is not None
    assert found.remedy.endswith("--force-reinstall 'nosuch-package>=1' 'rich>=9999' 'ml-agent-test-broken'`")
    assert said[-1] == "importing ml-agent-test-well"


WRONG = """
import ctypes
_words = (ctypes.c_uint32 * 4096)(99)
_make = ctypes.pythonapi.PyCapsule_New
_make.restype, _make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
def language():
    return _make(ctypes.addressof(_words), b"tree_sitter.Language", None)
"""


def test_a_grammar_of_another_abi(place: Path) -> None:
    install(place, "ml-agent", "9", {}, ("tree-sitter", "tree-sitter-bash", "tree-sitter-wrong"))
    install(place, "tree-sitter-wrong", "1", {"tree_sitter_wrong.py": WRONG})
    found = look_at_grammars(given(place))
    assert found.status == "error"
    assert "tree-sitter-wrong: Incompatible Language version 99" in found.detail
    assert "tree-sitter-bash" not in found.detail
    assert found.remedy is not None
    assert found.remedy.endswith("tree-sitter tree-sitter-wrong`")
