"""The tool `submit`: the only way to end a run with an answer."""

from typing import TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.task import Answer, Evidence
from ml_agent.tools.arguments import Arguments, Code, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.check_answer import FindingData, finding_data, findings_text
from ml_agent.tools.paths import relative
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation
from ml_agent.verify import verify

REJECTIONS = 2
"""So often is an answer sent back on findings alone: a false alarm never costs an answer."""


class SubmitData(TypedDict):
    accepted: bool
    verified: bool
    findings: list[FindingData]


class EvidenceArguments(Arguments):
    part: Text = Field(description="The words of the answer that this justifies, e.g. '--lr 0.01'.")
    words: Text | None = Field(None, description="The words of the task that ask for it, verbatim.")
    source: Text | None = Field(None, description="The file and line in the repository that show it, as path:line.")


class SubmitArguments(Code):
    evidence: list[EvidenceArguments] = Field(default=[], description="For each part of the answer, why it is there.")
    unused: list[Text] = Field(default=[], description="Words of the task, verbatim, that ask for something this answer does not do.")


class Submit(Tool[SubmitArguments]):
    """Hand in the answer. It is checked against the code of the repository first; when it passes, the run ends.

    When it does not, what is wrong is said: put it right and submit again, or, if you are sure, submit it as it is.
    """

    name = "submit"
    arguments = SubmitArguments

    def call(self, arguments: SubmitArguments, context: Context) -> Observation:
        if not arguments.code.strip():
            raise ToolError("the answer is empty")
        evidence = tuple(Evidence(e.part, e.words, e.source) for e in arguments.evidence)
        answer = Answer(arguments.language, arguments.code, relative(arguments.workdir), evidence, tuple(arguments.unused))
        check = verify(answer, context.workspace.index)
        # Rejections of the step that is under way do not count: the policy has not read them yet.
        rejected = sum(o.data.get("accepted") is False for _, o in context.trajectory.observations(self.name))
        accepted = check.ok or rejected >= REJECTIONS
        data: SubmitData = {"accepted": accepted, "verified": check.ok, "findings": finding_data(check)}
        verdict = "accepted" if check.ok else "accepted, unverified" if accepted else "rejected"
        text = cap(f"{verdict}\n{findings_text(check)}".rstrip())
        return Observation(text, data, accepted=answer if accepted else None)
