"""What a run is made with: each setting that its results depend on, and none that they do not, such as the number of workers."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ml_agent import config, inputs
from ml_agent.benchmarks.runs import MAX_ATTEMPTS
from ml_agent.errors import UsageError
from ml_agent.models.choice import ModelChoice
from ml_agent.sandbox.options import Network, Options
from ml_agent.solving import SolveSettings

if TYPE_CHECKING:
    from ml_agent.models.langchain_model import ToolMode

EXECUTION_SECONDS = 60.0
"""For the grader's execution of an answer."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Plain values, so that they can be sent to another process and written down."""

    policy: str = config.POLICY
    """A name, `module:Class` or `/absolute/file.py:Class`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the policy, by name."""
    tools: tuple[str, ...] = ()
    """Beside those that come with ml-agent."""
    model: str = ""
    base_url: str | None = None
    """Where the model is; no result depends on it."""
    tool_mode: "ToolMode" = "auto"
    context_tokens: int | None = None
    cache: str | None = None
    """The file of a cache of replies; no result depends on it."""
    setting: str = "agent"
    attempts: int = 1
    """At each sample."""
    seed: int = 0
    only: str = ""
    """Which samples of the suite: see selection.py."""
    sample: int = 0
    """So many of them, stratified; 0 is all."""
    execute: bool = False
    """Whether a policy may run what it finds, and the grader executes each answer in a fresh workspace."""
    execution_seconds: float = EXECUTION_SECONDS
    seconds: float = config.TIME_LIMIT
    """This and the next three are for each attempt; None is no limit."""
    steps: int = 50
    tokens: int | None = None
    money: float | None = None
    """US dollars."""
    sandbox: str = "auto"
    python: str | None = None
    image: str | None = None
    gpus: str | None = None
    setup: str | None = None
    network: Network = "off"

    def check(self) -> None:
        """Raises UsageError for what cannot be."""
        if not 1 <= self.attempts <= MAX_ATTEMPTS:
            raise UsageError(f"--samples is {self.attempts}: give the number of attempts at each sample, 1 to {MAX_ATTEMPTS:,}")
        if self.sample < 0:
            raise UsageError(f"--sample is {self.sample}: give the number of samples")
        inputs.check_time_limit(self.seconds)
        inputs.check_time_limit(self.execution_seconds)
        for name, value in (("steps", self.steps), ("tokens", self.tokens), ("money", self.money)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise UsageError(f"the limit {name} is {value:g}; give a number above zero")
        if self.execute and self.sandbox == "none":
            raise UsageError("the sandbox `none` runs nothing: give --no-run, or another --sandbox")
        self.sandbox_options().check()

    def solve_settings(self) -> SolveSettings:
        """What every attempt is made with."""
        model = ModelChoice(self.model, self.base_url, self.tool_mode, self.context_tokens, self.cache) if self.model else None
        return SolveSettings(self.policy, self.options, model, self.tools, self.execute, self.sandbox_options(), self.seed)

    def sandbox_options(self) -> Options:
        """Where a policy's runs and the grader's take place."""
        if not self.execute:
            return Options(sandbox="none")
        return Options(self.sandbox, self.python, self.image, self.gpus, self.setup, self.network)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "RunOptions":
        """Names that it does not know are passed over: a run's settings hold more than its options."""
        known = {one.name for one in fields(cls)}
        given = {name: value[name] for name in value if name in known}
        return cls(**{**given, "tools": tuple(given.get("tools", ()))})


_ELSEWHERE = {"base_url", "cache"}
"""Settings that no result depends on: a server that has moved holds the same model."""
_MEANING = {
    "policy_digest": " (the code of the policy, or of ml-agent, is another)",
    "suite_hash": " (the samples are others)",
}
"""What a digest that differs says."""


def check_same(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raises UsageError, naming the field, unless a run that was begun with `before` can go on with `now`."""
    for name in sorted({*before, *now} - _ELSEWHERE):
        was, given = before.get(name), now.get(name)
        if json.dumps(was, sort_keys=True) != json.dumps(given, sort_keys=True):
            why = _MEANING.get(name, "")
            raise UsageError(f"this run was begun with {name} {_shown(was)}, not {_shown(given)}{why}: give that, or another --out")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."
