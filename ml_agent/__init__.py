"""ml-agent: the exact command or script for a task in a machine-learning repository, checked, run and cited."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ml_agent.api import Result, check, solve
    from ml_agent.task import Answer, Evidence, Task

__all__ = ["Answer", "Evidence", "Result", "Task", "check", "solve"]

_HOMES = {"Answer": "task", "Evidence": "task", "Task": "task", "Result": "api", "check": "api", "solve": "api"}


def __getattr__(name: str) -> Any:
    """Imported when it is asked for: `import ml_agent` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
