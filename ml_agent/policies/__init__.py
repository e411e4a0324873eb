"""Who decides the next step. `load_policy` finds one by name."""

import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ml_agent.errors import UsageError
from ml_agent.policies.base import Policy

POLICIES: dict[str, str] = {
    "grounded": "ml_agent.policies.grounded:Grounded",
}
"""The policies that come with ml-agent, as `module:Class`."""


def load_policy(name: str) -> Policy:
    """A new policy: a known name, `module:Class`, or `path/to/file.py:Class`. The class is called without arguments.

    Raises UsageError, in one line, if there is none.
    """
    known = POLICIES.get(name)
    module_name, _, attribute = (known or name).rpartition(":")
    if not module_name or not attribute:
        near = get_close_matches(name, POLICIES, n=1)
        guess = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no policy is called {name!r}: {guess}known: {', '.join(POLICIES)}; your own: module:Class or file.py:Class")
    module = import_module(module_name) if known else _import(module_name)
    try:
        made = getattr(module, attribute)
    except AttributeError:
        classes = [key for key, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__]
        near = get_close_matches(attribute, classes, n=1)
        raise UsageError(f"{module_name} has no {attribute!r}" + (f": did you mean {near[0]}?" if near else "")) from None
    if not isinstance(made, type) or not all(callable(getattr(made, method, None)) for method in ("start", "decide")):
        raise UsageError(f"{name} is no policy: it has to be a class with the methods start and decide (ml_agent.policies.base.Policy)")
    try:
        policy: Policy = made()
    except Exception as error:
        raise UsageError(f"cannot make the policy {name}: {_reason(error)}") from error
    if not isinstance(getattr(policy, "name", None), str):
        raise UsageError(f"{name} is no policy: it needs a `name`, a string")
    return policy


def _import(name: str) -> ModuleType:
    """A module by name, or by the path of its file: the folder that one works in is not searched, it may be a foreign repository."""
    try:
        if not name.endswith(".py"):
            return import_module(name)
        path = Path(name).resolve()
        spec = spec_from_file_location(f"policy of {path}", path)  # the name of no module that could be imported
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
        raise UsageError(f"cannot import {name}: {_reason(error)}") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"cannot import {name}: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
