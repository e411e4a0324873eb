"""What the loop itself costs a step: a policy and a tool that do nothing, without and with a record, and with a model that replies at once.

python -m ml_agent.benchmarks.speed.loop [--steps 500] [--runs 5] [--characters 12000]

A step is from one decision to the next. The record is written below /dev/shm and synced once, at its end, which is not counted. The
model is the scripted one, without anything that langchain does: what is added by holding it to limits and recording what it says.
`--characters`: of what the tool says, the most that a model is shown.
"""

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from ml_agent.agent import PlannerLoop
from ml_agent.limits import Limits, Remaining
from ml_agent.models.choice import held
from ml_agent.models.messages import ChatModel, Message, OnText, Options, Reply, ToolLike, Usage
from ml_agent.models.prices import Price
from ml_agent.policies.base import ToolSpec
from ml_agent.sandbox.options import Options as SandboxOptions
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.tools.base import Context, Tool
from ml_agent.trajectory import Decision, Observation, ToolCall, Trajectory, TrajectoryFile
from ml_agent.workspace import Workspace

_LINE = "    parser.add_argument('--learning-rate', type=float, default=0.1)  # how fast\n"
_SEEN = 20
"""Messages that the model is sent again, as a policy that condenses does."""


class Nothing(BaseModel):
    pass


class Says(Tool[Nothing]):
    """Say the same again."""

    name = "says"
    arguments = Nothing

    def __init__(self, characters: int) -> None:
        self._text = (_LINE * (characters // len(_LINE) + 1))[:characters]

    def call(self, arguments: Nothing, context: Context) -> Observation:
        return Observation(self._text, {"lines": 3})


class Echo:
    """A model that replies at once."""

    name = "echo:echo"
    price: Price | None = None
    context: int | None = None

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolLike] = (),
        *,
        options: Options = Options(),  # noqa: B008 - frozen
        seconds: float = math.inf,
        on_text: OnText | None = None,
    ) -> Reply:
        return Reply("again", (ToolCall("1", "says", {}),), usage=Usage(100, 10))

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        return 0

    def close(self) -> None:
        pass


class Calls:
    """Calls the one tool for ever, and notes the time of each decision; with a model it asks that first."""

    name = "calls"

    def __init__(self, model: ChatModel | None = None) -> None:
        self.model = model
        self.times: list[float] = []

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        self._tools = list(tools.values())
        self._messages = [Message("system", "Use the tools."), Message("user", task.instruction)]

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        self.times.append(time.perf_counter())
        if self.model is None:
            return Decision("again", (ToolCall("1", "says", {}),))
        if trajectory.steps:
            last = trajectory.steps[-1]
            self._messages += [
                Message("assistant", last.decision.thought, last.decision.calls),
                Message("tool", last.observations[0].text, call_id="1"),
            ]
        reply = self.model.complete([*self._messages[:2], *self._messages[2:][-_SEEN:]], self._tools)
        return Decision(reply.text, reply.calls)


def measure(folder: Path, steps: int, characters: int, *, record: bool, model: bool) -> list[float]:
    """Milliseconds of each step of one run."""
    (folder / "repository").mkdir(exist_ok=True)
    (folder / "repository" / "train.py").write_text("print(1)\n")
    path = folder / "record.jsonl"
    path.unlink(missing_ok=True)
    file = TrajectoryFile(path) if record else None
    limits = Limits(steps=steps + 1, seconds=math.inf)
    asked = held(Echo(), limits, file.exchange if file else lambda exchange: None) if model else None
    policy = Calls(asked)
    with Workspace(folder / "repository", SandboxOptions("none")) as workspace:
        loop = PlannerLoop(policy, trajectory_file=file)
        loop.run(Task("train it", folder / "repository"), workspace, {**default_tools(), "says": Says(characters)}, limits)
    return [1000 * (after - before) for before, after in zip(policy.times, policy.times[1:], strict=False)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--characters", type=int, default=12_000)
    arguments = parser.parse_args()
    print("                         mean    p95   (milliseconds a step)")
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="ml-agent-speed-") as name:  # memory is the point
        for characters in (100, arguments.characters):
            for record, model in ((False, False), (True, False), (True, True)):
                runs = [measure(Path(name), arguments.steps, characters, record=record, model=model) for _ in range(arguments.runs)]
                taken = sorted(seconds for run in runs for seconds in run)
                what = f"{characters:6} characters{', record' if record else ''}{', model' if model else ''}"
                print(f"{what:32} {statistics.mean(taken):7.3f} {taken[int(0.95 * len(taken))]:6.3f}")


if __name__ == "__main__":
    main()
