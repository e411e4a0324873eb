"""What the reader finds is what argparse itself makes of the same program."""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import Option
from tests.repo.entrypoints.programs import read_program

_names = st.from_regex(r"[a-z][a-z0-9]{0,5}([-_][a-z]{1,4})?", fullmatch=True).filter(lambda n: n not in ("h", "help"))
_texts = st.text(alphabet="abc xyz,.'\"\\é", max_size=12)
_values = {"int": st.integers(-5, 5), "float": st.floats(-2, 2, allow_nan=False).map(lambda x: round(x, 3)), "str": _texts}


@dataclass(frozen=True)
class Argument:
    flags: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...]

    @property
    def source(self) -> str:
        return ", ".join([*map(repr, self.flags), *(f"{k}={v}" for k, v in self.keywords)])


@st.composite
def _arguments(draw: st.DrawFn, name: str) -> Argument:
    dashed = draw(st.booleans())
    keywords: dict[str, str] = {}
    if draw(st.booleans()):
        keywords["help"] = repr(draw(_texts))
    if not dashed:
        if draw(st.booleans()):
            keywords["nargs"] = repr(draw(st.sampled_from(["?", "*", "+", 2])))
        return Argument((name,), tuple(keywords.items()))
    flags = [f"--{name}", *([f"-{name[0].upper()}{name[-1]}"] if draw(st.booleans()) else [])]
    action = draw(st.sampled_from(["store", "store", "store", "store_true", "store_false", "append", "count", "boolean"]))
    if action == "boolean":
        keywords["action"] = "argparse.BooleanOptionalAction"
    elif action != "store" or draw(st.booleans()):
        keywords["action"] = repr(action)
    if action in ("store", "append"):
        kind = draw(st.sampled_from(["int", "float", "str"]))
        if kind != "str" or draw(st.booleans()):
            keywords["type"] = kind
        if draw(st.booleans()):
            keywords["default"] = repr(draw(_values[kind]))
        if draw(st.booleans()):
            keywords["choices"] = repr(draw(st.lists(_values[kind], min_size=1, max_size=3)))
        if action == "store" and draw(st.booleans()):
            keywords["nargs"] = repr(draw(st.sampled_from(["?", "*", "+", 1, 3])))
        if draw(st.booleans()):
            keywords["required"] = repr(draw(st.booleans()))
    return Argument(tuple(draw(st.permutations(flags))), tuple(draw(st.permutations(list(keywords.items())))))


@st.composite
def _programs(draw: st.DrawFn) -> list[Argument]:
    names = draw(st.lists(_names, min_size=1, max_size=6, unique_by=lambda n: (n[0], n[-1])))
    return [draw(_arguments(name)) for name in names]


_STYLES = [
    "import argparse\np = argparse.ArgumentParser()\n{p}p.parse_args()\n",
    "import argparse\ndef get():\n    p = argparse.ArgumentParser()\n{i}    return p\nif __name__ == '__main__':\n    get().parse_args()\n",
    "import argparse\ndef add(p):\n{i}def main():\n    q = argparse.ArgumentParser()\n    add(q)\n    q.parse_args()\nmain()\n",
]


@settings(max_examples=120, deadline=None)
@given(_programs(), st.sampled_from(_STYLES))
def test_options_are_those_of_argparse(arguments: list[Argument], style: str) -> None:
    lines = [f"p.add_argument({a.source})\n" for a in arguments]
    code = style.format(p="".join(lines), i="".join("    " + line for line in lines))
    scope: dict[str, Any] = {"argparse": argparse, "p": argparse.ArgumentParser()}
    exec("".join(lines), scope)  # noqa: S102 - our own text, made above
    with tempfile.TemporaryDirectory() as folder:
        entry = read_program(Path(folder), code)
    assert not entry.open_ended
    assert entry.unread == ()
    expected = [a for a in scope["p"]._actions if not isinstance(a, argparse._HelpAction)]
    found = [o for o in entry.options if o.action != "help"]
    assert len(found) == len(expected)
    for option, action, argument in zip(found, expected, arguments, strict=True):
        _compare(option, action)
        path, _, line = option.source.rpartition(":")
        assert (path, argument.source in code.splitlines()[int(line) - 1]) == ("train.py", True)


def _compare(option: Option, action: argparse.Action) -> None:
    assert set(option.aliases) == (set(action.option_strings) or {action.dest})
    assert option.positional == (not action.option_strings)
    flags = (argparse._StoreTrueAction, argparse._StoreFalseAction, argparse.BooleanOptionalAction)
    kind = (
        "flag"
        if isinstance(action, flags)
        else "count"
        if isinstance(action, argparse._CountAction)
        else "append"
        if isinstance(action, argparse._AppendAction)
        else "store"
    )
    assert option.action == kind
    assert option.takes_value == (kind in ("store", "append"))
    assert option.choices == (None if action.choices is None else tuple(map(str, action.choices)))
    assert option.nargs == (None if kind == "flag" or kind == "count" or action.nargs is None else str(action.nargs))
    assert option.required == action.required or (option.positional and action.nargs == "*" and not option.required)
    if kind in ("store", "append"):
        assert option.type == (action.type.__name__ if isinstance(action.type, type) else None)
    if action.default is not None and option.default is not None:
        assert option.default == repr(action.default)
    assert (option.default is None) == (action.default is None)
    shown = action.help or ""
    if not isinstance(action, argparse.BooleanOptionalAction):  # Python 3.11 adds the default to its help
        assert option.help == " ".join(shown.split())
