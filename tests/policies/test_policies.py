import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.policies import POLICIES, load_policy

GOOD = """
    from __future__ import annotations
    from dataclasses import dataclass

    @dataclass
    class Setting:
        depth: int = 3

    class Mine:
        name = "mine"
        def start(self, task, tools, *, attempt=0, seed=0): ...
        def decide(self, trajectory, remaining): ...

    class NoPolicy:
        pass

    class NoName:
        start = decide = lambda self: None

    class Needs(Mine):
        def __init__(self, key): ...

    class Fails(Mine):
        def __init__(self):
            raise RuntimeError("no key\\nset KEY")

    thing = 3
    made = Mine()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.syspath_prepend(tmp_path)
    name = f"policy_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(GOOD))
    yield name
    sys.modules.pop(name, None)


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_of_the_table_is_there(name: str) -> None:
    assert load_policy(name).name == name


def test_a_class_of_a_module(module: str) -> None:
    assert load_policy(f"{module}:Mine").name == "mine"


def test_a_class_of_a_file(module: str, tmp_path: Path) -> None:
    policy = load_policy(f"{tmp_path / module}.py:Mine")
    assert (policy.name, type(policy).__name__) == ("mine", "Mine")
    assert module not in sys.modules


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nosuch", "no policy is called 'nosuch': known: grounded"),
        ("groundet", "did you mean grounded"),
        ("", "no policy is called ''"),
        (":Mine", "no policy is called ':Mine'"),
        ("MODULE:", "no policy is called"),
        ("MODULE:mine", "did you mean Mine"),
        ("MODULE:zzz", "has no 'zzz'"),
        ("MODULE:NoPolicy", "methods start and decide"),
        ("MODULE:NoName", "needs a `name`"),
        ("MODULE:thing", "is no policy"),
        ("MODULE:made", "has to be a class"),
        ("MODULE:Needs", "cannot make the policy .*key"),
        ("MODULE:Fails", "RuntimeError: no key set KEY"),
        ("no_such_module_x:A", "no module 'no_such_module_x': install it"),
        ("json.nosuch:A", "no module 'json.nosuch'|cannot import json.nosuch"),
        ("/no/such/file.py:A", "cannot import /no/such/file.py: FileNotFoundError"),
        ("..:A", "cannot import|no module"),
        ("a b:A", "no module 'a b'"),
        ("\0:A", "cannot import|no module"),
    ],
)
def test_what_is_no_policy_is_a_usage_error_of_one_line(module: str, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        load_policy(name.replace("MODULE", module))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import no_such_dependency", "cannot import .*no_such_dependency"),
        ("x = (", "SyntaxError"),
        ("raise SystemExit(4)", "SystemExit: 4"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_module_that_fails_says_why(tmp_path: Path, code: str, words: str) -> None:
    (tmp_path / "broken.py").write_text(code)
    with pytest.raises(UsageError, match=words) as caught:
        load_policy(f"{tmp_path}/broken.py:Mine")
    assert "\n" not in str(caught.value)


def test_the_working_folder_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "foreign_policy_module.py").write_text("raise AssertionError('ran foreign code')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    with pytest.raises(UsageError, match="no module 'foreign_policy_module'"):
        load_policy("foreign_policy_module:A")
