"""Who decides the next step. `load_policy` finds one by name."""

from collections.abc import Mapping
from typing import Any

from ml_agent.errors import UsageError
from ml_agent.plugins import Kind, load, reason
from ml_agent.policies.base import Policy

POLICIES: dict[str, str] = {
    "grounded": "ml_agent.policies.grounded:Grounded",
    "grounded+": "ml_agent.policies.grounded_plus:GroundedPlus",
    "ml-agent": "ml_agent.policies.ml_agent:MlAgent",
    "react": "ml_agent.policies.react:React",
    "direct": "ml_agent.policies.direct:Direct",
}
"""The policies that come with ml-agent, as `module:Class`."""

KIND = Kind("policy", "ml_agent.policies", POLICIES)


def load_policy(name: str, options: Mapping[str, Any] | None = None) -> Policy:
    """A new policy: a known name, one that another distribution announces, `module:Class`, or `path/to/file.py:Class`.

    The class is called without arguments, or, if it has `Settings` (a subclass of policies.settings.Settings), with an instance of
    them made from `options`. Raises UsageError, in one line, if there is no such policy or option.
    """
    return make_policy(load(KIND, name), name, options)


def make_policy(made: Any, name: str, options: Mapping[str, Any] | None = None) -> Policy:
    """A new policy of the class `made`, as of `load_policy`."""
    if not isinstance(made, type) or not all(callable(getattr(made, method, None)) for method in ("start", "decide")):
        raise UsageError(f"{name} is no policy: it has to be a class with the methods start and decide (ml_agent.policies.base.Policy)")
    kind = getattr(made, "Settings", None)
    if options and kind is None:
        raise UsageError(f"the policy {name} has no options: leave {', '.join(options)} out")
    arguments: tuple[Any, ...] = ()
    if kind is not None:
        from ml_agent.policies.settings import read_settings

        arguments = (read_settings(kind, options or {}, name),)
    try:
        policy: Policy = made(*arguments)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"cannot make the policy {name}: {reason(error)}") from error
    if not isinstance(getattr(policy, "name", None), str):
        raise UsageError(f"{name} is no policy: it needs a `name`, a string")
    return policy
