"""The tool `run`: try code in the sandbox."""

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.task import Answer
from ml_agent.tools.arguments import Code
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import relative
from ml_agent.tools.text import cap, plain
from ml_agent.trajectory import Observation

SHARE = 0.9
"""Of the time that is left, the most that one run may take: the rest is for giving an answer."""


class RunArguments(Code):
    timeout: float = Field(60.0, gt=0, le=86_400, description="Seconds after which the run is stopped.")


class Run(Tool[RunArguments]):
    """Run a command line or a Python program in the sandbox, over a private copy of the repository.

    A run that is still going when its time is over counts as working: a training need not come to its end. The outcome is one
    of completed, running_at_limit, failed, environment (something is missing on this machine, and is named), not_run.
    """

    name = "run"
    arguments = RunArguments

    def call(self, arguments: RunArguments, context: Context) -> Observation:
        if not arguments.code.strip():
            raise ToolError("there is no code to run")
        answer = Answer(arguments.language, arguments.code, relative(arguments.workdir))
        left = context.limits.run_seconds()
        if left <= 0:
            raise ToolError("the time for runs is spent: submit an answer without running it")
        record = context.workspace.run_answer(answer, min(arguments.timeout, SHARE * left))
        context.limits.spend(sandbox_seconds=record.seconds)
        lines = [f"outcome: {record.outcome}" + (f" ({record.reason})" if record.reason else "")]
        if record.exit_code is not None:
            lines.append(f"exit code: {record.exit_code}")
        lines.append(f"seconds: {record.seconds:.1f}")
        if record.exhausted and record.outcome == "failed":
            lines.append(f"too little: {record.exhausted}")
        if record.missing:
            lines.append(f"missing here: {record.missing}")
        if record.made:
            more = f" and {len(record.made) - 20} more" if len(record.made) > 20 else ""
            lines.append(f"files made: {', '.join(record.made[:20])}{more}")
        if record.output_tail:
            lines.append(f"end of the output:\n{record.output_tail}")
        return Observation(cap("\n".join(lines)), plain(record))
