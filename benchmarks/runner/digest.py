"""What a policy is, as one digest: its code, the code of ml-agent below it, its model and the setting that it is run in."""

import hashlib
import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

import ml_agent
from ml_agent.agents import AgentChoice
from ml_agent.benchmarks import settings as contexts
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.errors import UsageError
from ml_agent.tools import load_tool

_ABOVE = {"benchmarks", "catalogue", "cli", "doctor", "console.py", "report.py", "api.py", "result.py", "taking_up.py", "__main__.py"}
"""Of ml-agent, what no answer depends on."""


@cache
def code_digest() -> str:
    """Of ml-agent's own sources that an answer may depend on, prompts included: 64 hexadecimal digits."""
    root = Path(ml_agent.__file__).parent
    total = hashlib.sha256()
    for top in sorted(root.iterdir()):
        if top.name in _ABOVE or top.name.startswith("."):
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in (".py", ".j2", ".md") and path.is_file():
                total.update(f"{top.name}/{path.relative_to(top)}\0".encode())
                total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def policy_digest(agent: AgentChoice, options: RunOptions) -> str:
    """64 hexadecimal digits. Of a policy or tool of the user's own the file that its class stands in counts, what that imports does not."""
    kind = agent.kind
    known: list[Any] = [code_digest(), kind.__qualname__, agent.name, options.model, options.setting]
    known += [options.tool_mode, options.context_tokens, list(options.tools), _prompts(options), str(sorted(options.options.items()))]
    if options.setting != "agent":
        known.append(hashlib.sha256(Path(contexts.__file__).read_bytes()).hexdigest())
    for own in (kind, *(type(load_tool(name)) for name in options.tools)):
        if not own.__module__.startswith("ml_agent."):
            try:
                known.append(hashlib.sha256(Path(inspect.getfile(own)).read_bytes()).hexdigest())
            except (OSError, TypeError) as error:
                raise UsageError(f"cannot read the file of {own.__qualname__}: {error}") from error
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


def _prompts(options: RunOptions) -> list[list[str]]:
    """Name and digest of each template in the user's folder of prompts."""
    folder = options.options.get("prompts")
    if not folder:
        return []
    files = sorted(path for path in Path(folder).rglob("*.j2") if path.is_file())
    return [[path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()] for path in files]
