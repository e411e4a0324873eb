"""The package itself: a door that costs nothing until something is asked for."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import ml_agent
from tests.commandline import environment
from tests.pace import slowness

HEAVY = (
    "langchain langchain_core langchain_openai langsmith tenacity httpx jinja2 xllamacpp chromadb openai docker numpy scipy pydantic rich"
    " tree_sitter bm25s docutils asyncio"
).split()


def test_import_brings_nothing_heavy() -> None:
    code = f"""if True:
        import sys, time
        start = time.perf_counter()
        import ml_agent
        print(time.perf_counter() - start)
        print([m for m in {HEAVY} if m in sys.modules])
    """

    def imported() -> tuple[float, str]:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
        seconds, heavy = done.stdout.splitlines()
        return float(seconds), heavy

    seen = [imported() for _ in range(3)]
    assert {heavy for _, heavy in seen} == {"[]"}
    assert min(seconds for seconds, _ in seen) <= 0.05 * slowness()


def test_what_it_gives() -> None:
    from ml_agent import api, task

    assert ml_agent.solve is api.solve
    assert ml_agent.check is api.check
    assert ml_agent.Task is task.Task
    assert all(getattr(ml_agent, name) for name in ml_agent.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = ml_agent.nosuch


def test_the_version() -> None:
    assert ml_agent.__version__ == version("ml-agent")
    code = "import ml_agent, sys; assert 'importlib.metadata' not in sys.modules; print(ml_agent.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout.strip() == ml_agent.__version__, done.stderr
