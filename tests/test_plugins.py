"""Names: ml-agent's own, those that distributions announce, modules and files. Distributions are real folders on sys.path."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.errors import UsageError
from ml_agent.plugins import Kind, Origin, absolute, announced, first_line, load, origin, origins
from tests.commandline import environment

KIND = Kind(
    "policy", "ml_agent.tests", {"grounded": "ml_agent.policies.grounded:Grounded", "scripted": "ml_agent.policies.scripted:Scripted"}
)
Announce = Callable[..., Path]


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Announce:
    """Puts a distribution with these entry points first on sys.path."""

    def made(distribution: str, text: str, *, kind: str = "dist-info") -> Path:
        folder = tmp_path / distribution
        info = folder / f"{distribution.replace('-', '_')}-1.5.{kind}"
        info.mkdir(parents=True)
        (info / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n"
        )
        (info / "entry_points.txt").write_text(text)
        monkeypatch.syspath_prepend(folder)
        return folder

    return made


def points(*lines: str) -> str:
    return "\n".join(("[ml_agent.tests]", *lines, "[another.group]", "elsewhere = os:path", ""))


def test_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made = load(KIND, "grounded")
    assert made.name == "grounded"
    monkeypatch.setattr(sys, "meta_path", [])  # nothing is looked for
    assert load(KIND, "grounded") is made
    assert origin(KIND, "grounded") == Origin("grounded", "ml-agent")


def test_what_a_distribution_announces(announce: Announce) -> None:
    folder = announce("plug-in", points("mine = plug_in_mine:Mine", "part = plug_in_mine:Mine.part", "module = plug_in_mine"))
    (folder / "plug_in_mine.py").write_text("class Mine:\n    '''A policy.\n\n    More.'''\n    part = 3\n")
    assert load(KIND, "mine").__name__ == "Mine"
    assert load(KIND, "part") == 3
    assert load(KIND, "module").__name__ == "plug_in_mine"
    assert first_line(load(KIND, "mine")) == "A policy."
    assert origin(KIND, "mine") == Origin("mine", "plug-in", "1.5")
    assert [one.name for one in origins(KIND)] == ["grounded", "scripted", "mine", "module", "part"]
    with pytest.raises(
        UsageError, match="no policy is called 'mime': did you mean mine\\? known: grounded, scripted, mine, module, part; your own"
    ):
        load(KIND, "mime")
    with pytest.raises(UsageError, match="no policy is called 'elsewhere'"):
        load(KIND, "elsewhere")


def test_an_egg_info_is_one_too(announce: Announce) -> None:
    folder = announce("plug-in", points("mine = plug_in_egg:Mine"), kind="egg-info")
    (folder / "plug_in_egg.py").write_text("class Mine: ...\n")
    assert load(KIND, "mine").__name__ == "Mine"


def test_a_name_of_its_own_cannot_be_taken(announce: Announce) -> None:
    folder = announce("taker", points("grounded = taker_module:Taker", "other = taker_module:Taker"))
    (folder / "taker_module.py").write_text("raise AssertionError('imported')\n")
    assert load(KIND, "grounded").__module__.startswith("ml_agent.")
    assert list(announced(KIND)) == ["other"]
    assert origin(KIND, "grounded").distribution == "ml-agent"
    assert [one for one in origins(KIND) if one.name == "grounded"] == [Origin("grounded", "ml-agent")]
    assert "taker_module" not in sys.modules


def test_of_two_the_first_on_the_path_counts(announce: Announce) -> None:
    for name in ("second", "first"):
        folder = announce(name, points(f"mine = of_{name}:made"))
        (folder / f"of_{name}.py").write_text(f"made = {name!r}\n")
    assert load(KIND, "mine") == "first"
    assert origin(KIND, "mine").distribution == "first"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_module_x:A", "ModuleNotFoundError: No module named 'no_such_module_x'"),
        ("bad_module:A", "ZeroDivisionError"),
        ("exits_module:A", "SystemExit: 4"),
        ("json:nosuch", "AttributeError"),
        (":", "AttributeError"),
    ],
)
def test_what_cannot_be_imported_says_why_and_whose_it_is(announce: Announce, value: str, words: str) -> None:
    folder = announce("plug-in", points(f"mine = {value}"))
    (folder / "bad_module.py").write_text("1 / 0\n")
    (folder / "exits_module.py").write_text("raise SystemExit(4)\n")
    with pytest.raises(UsageError, match=f"cannot import the policy mine of plug-in: {words}") as caught:
        load(KIND, "mine")
    assert "\n" not in str(caught.value)
    assert [one.name for one in origins(KIND)][-1] == "mine"  # listing imports nothing


def test_metadata_that_cannot_be_read(announce: Announce) -> None:
    announce("plug-in", points("no equals sign"))
    assert load(KIND, "grounded").name == "grounded"
    with pytest.raises(UsageError, match="the entry points of the packages that are installed cannot be read"):
        load(KIND, "mine")


def test_a_distribution_without_a_name(announce: Announce) -> None:
    folder = announce("plug-in", points("mine = os:path"))
    (folder / "plug_in-1.5.dist-info" / "METADATA").write_text("")
    assert origin(KIND, "mine") == Origin("mine", "an unnamed distribution")


def test_modules_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_file.py").write_text("class Mine: ...\n")
    assert load(KIND, f"{tmp_path}/a_file.py:Mine").__name__ == "Mine"
    assert load(KIND, "json:loads")("3") == 3
    assert origin(KIND, "json:loads") == Origin("json:loads", "")
    monkeypatch.chdir(tmp_path)
    assert absolute("a_file.py:Mine") == f"{tmp_path.resolve()}/a_file.py:Mine"
    assert [absolute(name) for name in ("grounded", "json:loads", "a.py", "")] == ["grounded", "json:loads", "a.py", ""]


@given(st.text() | st.from_regex(r"[a-z./]{0,9}:[A-Za-z.]{0,9}", fullmatch=True))
def test_any_name_is_a_thing_or_one_line(name: str) -> None:
    try:
        load(KIND, name)
    except UsageError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017


def test_first_lines() -> None:
    class Odd:
        __doc__ = 3  # type: ignore[assignment]

    said = type("Said", (), {"__doc__": " \n One. \n Two."})
    assert [first_line(made) for made in (Odd, Odd(), said)] == ["", "", "One."]


def test_nothing_is_looked_for_before_a_name_needs_it() -> None:
    code = (
        "import sys, ml_agent.cli.parser as p; p.build_parser(); print([m for m in ('importlib.metadata', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert done.stdout.strip() == "[]"
