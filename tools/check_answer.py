"""The tool `check_answer`: verification alone."""

from typing import TypedDict

from ml_agent.task import Answer
from ml_agent.tools.arguments import Code
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import relative
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation
from ml_agent.verify import Check, verify


class FindingData(TypedDict):
    kind: str
    message: str
    place: str
    source: str | None
    suggestion: str | None
    severity: str


class CheckAnswerData(TypedDict):
    ok: bool
    findings: list[FindingData]


class CheckAnswer(Tool[Code]):
    """Check an answer against the code of the repository, without running it.

    Says whether the program exists from that folder, takes those options and values, and whether imports and calls fit; for
    each fault, where the proof stands and the nearest right thing.
    """

    name = "check_answer"
    arguments = Code

    def call(self, arguments: Code, context: Context) -> Observation:
        check = verify(Answer(arguments.language, arguments.code, relative(arguments.workdir)), context.workspace.index)
        data: CheckAnswerData = {"ok": check.ok, "findings": finding_data(check)}
        return Observation(cap(("passed\n" if check.ok else "failed\n") + findings_text(check)), data)


def finding_data(check: Check) -> list[FindingData]:
    return [
        {
            "kind": f.kind, "message": f.message, "place": f.place, "source": f.source, "suggestion": f.suggestion, "severity": f.severity,
        }
        for f in check.findings
    ]  # fmt: skip


def findings_text(check: Check) -> str:
    """One line a finding."""
    lines = []
    for f in check.findings:
        source = f"  [{f.source}]" if f.source else ""
        suggestion = f"  -> {f.suggestion}" if f.suggestion else ""
        lines.append(f"{f.severity}: {f.kind}: {f.message}{source}{suggestion}")
    return "\n".join(lines)
