"""Classes by name: those that come with ml-agent, those that other distributions announce, and the user's own by module or file.

A distribution announces its own with an entry point of the group `ml_agent.policies`, `ml_agent.agents`, `ml_agent.tools`,
`ml_agent.sandboxes` or `ml_agent.suites`. They are looked for only when a name is not ml-agent's own: the search takes milliseconds, and
nothing is imported but what is asked for.
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


OWN = "ml-agent"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that has names."""

    word: str
    """As users are told of it: `policy`."""
    group: str
    """Of the entry points."""
    known: Mapping[str, str]
    """Those that come with ml-agent, as `module:attribute`."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A name of a kind, and what it comes with."""

    name: str
    distribution: str = OWN
    version: str = ""


def announced(kind: Kind) -> "dict[str, EntryPoint]":
    """Name -> entry point, of what other distributions announce; ml-agent's own names cannot be taken.

    Of a name that several announce the first on sys.path counts, as for modules. Raises UsageError if their metadata cannot be read.
    """
    from importlib.metadata import entry_points

    try:
        points = entry_points(group=kind.group)
    except Exception as error:  # one broken file is enough
        raise UsageError(f"the entry points of the packages that are installed cannot be read: {reason(error)}") from error
    return {point.name: point for point in reversed(list(points)) if point.name not in kind.known}


def origins(kind: Kind) -> list[Origin]:
    """All names that there are: ml-agent's own, then the others by name. Nothing is imported."""
    return [*map(Origin, kind.known), *(_origin(point) for _, point in sorted(announced(kind).items()))]


def origin(kind: Kind, name: str) -> Origin:
    """What a name that can be loaded comes with; of `module:Class` and files no distribution is known."""
    if name in kind.known:
        return Origin(name)
    point = None if ":" in name else announced(kind).get(name)
    return _origin(point) if point is not None else Origin(name, "")


def absolute(name: str) -> str:
    """The name as it holds in any folder: of `path/to/file.py:Class` the path is made absolute."""
    file, colon, attribute = name.rpartition(":")
    return f"{Path(file).resolve()}:{attribute}" if colon and file.endswith(".py") else name


def _origin(point: "EntryPoint") -> Origin:
    found = point.dist
    return Origin(point.name, (found and found.name) or "an unnamed distribution", (found and found.version) or "")


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
            package = _origin(others[name]).distribution
            raise UsageError(f"cannot import the {kind.word} {name} of {package}: {reason(error)}") from error
    names = [*kind.known, *sorted(others)]
    near = get_close_matches(name, names, n=1)
    guess = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"no {kind.word} is called {name!r}: {guess}known: {', '.join(names)}; your own: module:NAME or file.py:NAME")


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


def first_line(made: Any) -> str:
    """Of the docstring; empty without one."""
    text = getattr(made, "__doc__", None)
    return (text.strip().splitlines() or [""])[0].strip() if isinstance(text, str) else ""


def reason(error: BaseException) -> str:
    """An exception as one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
