"""ml-agent: the exact command or script for a task in a machine-learning repository, checked, run and cited."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ml_agent.api import Result, check, solve
    from ml_agent.task import Answer, Evidence, Task

    __version__: str

__all__ = ["Answer", "Evidence", "Result", "Task", "check", "solve"]

_HOMES = {"Answer": "task", "Evidence": "task", "Task": "task", "Result": "api", "check": "api", "solve": "api"}


def __getattr__(name: str) -> Any:
    """Imported when it is asked for: `import ml_agent` costs nothing."""
    if name == "__version__":
        value = _version()
    elif name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ml-agent")
    except PackageNotFoundError:  # run from a checkout, not installed
        return "0+unknown"
