"""Classes by name: those that come with ml-agent, those that other distributions announce, and the user's own by module or file.

A distribution announces its own with an entry point of the group `ml_agent.policies`, `ml_agent.agents`, `ml_agent.tools`,
`ml_agent.sandboxes` or `ml_agent.suites`. They are looked for only when a name is not ml-agent's own: the search takes milliseconds.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that has names."""

    word: str
    """As users are told of it: `policy`."""
    group: str
    """Of the entry points."""
    known: Mapping[str, str]
    """Those that come with ml-agent, as `module:attribute`."""


def announced(kind: Kind) -> "dict[str, EntryPoint]":
    """Name -> entry point, of what other distributions announce; ml-agent's own names cannot be taken."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=kind.group) if point.name not in kind.known}


def load(kind: Kind, name: str) -> Any:
    """What stands under a name of that kind: a known name, an entry point's, `module:Class` or `path/to/file.py:Class`.

    Raises UsageError, in one line, if there is none or it cannot be imported.
    """
    if name in kind.known:
        module, _, attribute = kind.known[name].partition(":")
        return getattr(import_module(module), attribute)
    module_name, _, attribute = name.rpartition(":")
    if not module_name or not attribute:
        return _announced(kind, name)
    module_ = _import(module_name, kind)
    try:
        return getattr(module_, attribute)
    except AttributeError:
        classes = [key for key, value in vars(module_).items() if isinstance(value, type) and value.__module__ == module_.__name__]
        near = get_close_matches(attribute, classes, n=1)
        raise UsageError(f"{module_name} has no {attribute!r}" + (f": did you mean {near[0]}?" if near else "")) from None


def _announced(kind: Kind, name: str) -> Any:
    others = announced(kind)
    if name in others:
        try:
            return others[name].load()
        except (Exception, SystemExit) as error:
            origin = others[name].dist
            package = origin.name if origin is not None else "another distribution"
            raise UsageError(f"cannot import the {kind.word} {name} of {package}: {reason(error)}") from error
    names = [*kind.known, *sorted(others)]
    near = get_close_matches(name, names, n=1)
    guess = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"no {kind.word} is called {name!r}: {guess}known: {', '.join(names)}; your own: module:Class or file.py:Class")


def _import(name: str, kind: Kind) -> ModuleType:
    """A module by name, or by the path of its file: the folder that one works in is not searched, it may be a foreign repository."""
    try:
        if not name.endswith(".py"):
            return import_module(name)
        path = Path(name).resolve()
        spec = spec_from_file_location(f"{kind.word} of {path}", path)  # the name of no module that could be imported
        if spec is None or spec.loader is None:
            raise ImportError(f"{name} is not a Python file")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look there
        spec.loader.exec_module(module)
        return module
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            remedy = "install it, put its folder on PYTHONPATH, or give the file as path/to/file.py:Class"
            raise UsageError(f"there is no module {error.name!r}: {remedy}") from error
        raise UsageError(f"cannot import {name}: {reason(error)}") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"cannot import {name}: {reason(error)}") from error


def reason(error: BaseException) -> str:
    """An exception as one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
