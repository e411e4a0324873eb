"""The policy `grounded`: what the repository says about itself, filled in with what the task asks for. No model."""

from collections.abc import Generator, Mapping
from dataclasses import asdict
from typing import Any

from ml_agent.errors import NoAnswer
from ml_agent.limits import Remaining
from ml_agent.policies.base import ToolSpec
from ml_agent.policies.grounded.observed import merged, own_modules, programs_of, sections_of
from ml_agent.policies.grounded.proposals import Proposal, propose
from ml_agent.policies.grounded.repair import findings_of_run, repair
from ml_agent.policies.grounded.request import read_request
from ml_agent.task import Answer, Task
from ml_agent.trajectory import Decision, Observation, ToolCall, Trajectory

PROGRAMS, SECTIONS, DOCUMENTS = 50, 40, 6
"""How many of each are retrieved for a request; documents are read in full."""
CANDIDATES = 4
"""Proposals that are tried in one attempt before the best is submitted as it is."""
REPAIRS = 3
"""Repairs of one proposal, by findings or by a failed run."""
RUN_SECONDS = 60.0
"""A first run is a proof that the program starts and works, not the whole training."""

_Step = tuple[str, list[tuple[str, dict[str, Any]]]]
"""A thought, and the calls (tool, arguments) to make in one step; what comes back is their observations."""
_Seen = tuple[Observation, ...]


class Grounded:
    """Finds the repository's programs, documented commands and code, fills in what the task asks for, checks, runs and repairs.

    Attempt k starts from the k-th best proposal. The steps are a generator; its state is a function of the observations,
    so that a run can be taken up again by replaying its trajectory.
    """

    name = "grounded"
    ranked = True

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        self._task, self._tools, self._attempt = task, frozenset(tools), attempt
        self._plan_steps = self._plan()
        self._next = next(self._plan_steps)
        self._seen = 0
        self._seconds = RUN_SECONDS

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        self._seconds = min(RUN_SECONDS, remaining.seconds - 1.0, remaining.sandbox_seconds)
        for step in trajectory.steps[self._seen :]:
            self._next = self._plan_steps.send(step.observations)
        self._seen = len(trajectory.steps)
        thought, calls = self._next
        number = len(trajectory.steps) + 1
        return Decision(thought, tuple(ToolCall(f"{number}.{k}", tool, arguments) for k, (tool, arguments) in enumerate(calls, 1)))

    def _plan(self) -> Generator[_Step, _Seen, None]:
        text = self._task.instruction
        looked = yield (
            "Look for programs, documented commands and documented code that fit the task.",
            [
                ("entry_points", {"query": text, "limit": PROGRAMS}),
                ("read_readme", {"query": text, "limit": SECTIONS}),
                ("file_tree", {"depth": 2}),
            ],
        )
        own, sections = own_modules(looked[2]), sections_of(looked[1])
        documents = list(dict.fromkeys(s.path for _, s in sections if any(b.language in ("python", "pycon", "") for b in s.blocks)))
        if documents:
            whole = yield (
                "Read the documents with code that fits in full: their blocks complete each other.",
                [("read_readme", {"path": path, "limit": 500}) for path in documents[:DOCUMENTS]],
            )
            sections = merged(sections, [sections_of(o) for o in whole])
        proposals = propose(programs_of(looked[0]), sections, own, read_request(text))
        if not proposals:
            raise NoAnswer("the repository holds no program and no documented code that could do the task")
        first = proposals[min(self._attempt, len(proposals) - 1)]
        best: Answer | None = None
        for proposal in [first, *(p for p in proposals[self._attempt + 1 :] if p is not first)][:CANDIDATES]:
            answer, good = yield from self._try(proposal, own)
            best = best or answer
            if good:
                best = answer
                break
        yield from self._submit(best or first.answer)

    def _try(self, proposal: Proposal, own: frozenset[str]) -> Generator[_Step, _Seen, tuple[Answer, bool]]:
        """Check, run and repair one proposal -> (the answer as it stands, is it good)."""
        answer, line = proposal.answer, proposal.line
        for _ in range(REPAIRS + 1):
            (checked,) = yield f"Check: {_title(answer)}", [("check_answer", _arguments(answer))]
            if checked.data.get("ok"):
                if "run" not in self._tools or self._seconds < 1.0:
                    return answer, True
                (ran,) = yield f"Run: {_title(answer)}", [("run", {**_arguments(answer), "timeout": self._seconds})]
                if ran.data.get("outcome") != "failed":
                    return answer, True
                findings = findings_of_run(str(ran.data.get("output_tail", "")), own)
            else:
                findings = list(checked.data.get("findings", ()))
            mended = repair(line, findings) if line else None
            if mended is None:
                return answer, bool(checked.data.get("ok"))
            line, answer = mended, mended.answer()
        return answer, False

    def _submit(self, answer: Answer) -> Generator[_Step, _Seen, None]:
        submission = {**_arguments(answer), "evidence": [asdict(e) for e in answer.evidence], "unused": list(answer.unused)}
        while True:
            yield f"Submit: {_title(answer)}", [("submit", submission)]


def _arguments(answer: Answer) -> dict[str, Any]:
    return {"language": answer.language, "code": answer.code, "workdir": answer.workdir}


def _title(answer: Answer) -> str:
    line = answer.as_text().strip().splitlines()[0] if answer.code.strip() else ""
    return line if len(line) <= 120 else line[:117] + "..."
