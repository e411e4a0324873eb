"""The policy `grounded`: what the repository says about itself, filled in with what the task asks for. No model."""

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ml_agent.errors import NoAnswer
from ml_agent.policies.grounded.flows import imported_names
from ml_agent.policies.grounded.observed import callables_of, examples_of, files_of, merged, own_modules, programs_of, sections_of
from ml_agent.policies.grounded.proposals import Proposal, propose
from ml_agent.policies.grounded.repair import findings_of_run, keeps_most, repair
from ml_agent.policies.grounded.request import read_request, without_counts
from ml_agent.policies.stepwise import Move, Plan, Seen, Stepwise, arguments_of, title
from ml_agent.repo.callables import Callee
from ml_agent.task import Answer, Task

PROGRAMS, SECTIONS, DOCUMENTS, CALLABLES = 50, 40, 6, 8
"""How many of each are retrieved for a request; documents are read in full."""
DEPTH = 8
"""Levels of folders that are listed."""
NAMES = 12
"""Names that documented code imports and that are looked up."""
CANDIDATES = 4
"""Proposals that are tried in one attempt before the best is submitted as it is."""
REPAIRS = 3
"""Repairs of one proposal, by findings or by a failed run."""
RUN_SECONDS = 60.0
"""A first run is a proof that the program starts and works, not the whole training."""


class Grounded(Stepwise):
    """Finds the repository's programs, documented commands and code, fills in what the task asks for, checks, runs and repairs.

    Attempt k starts from the k-th best proposal. An object that makes several attempts ranks what it saw once.
    """

    name = "grounded"
    ranked = True
    _ranked: "tuple[Task, Seen, list[Proposal]] | None" = None
    """A task, what was seen for it, and the proposals that came of both."""

    def plan(self) -> Plan:
        proposals, own = yield from self.look()
        first = proposals[min(self.attempt, len(proposals) - 1)]
        others = [p for p in proposals[self.attempt + 1 :] if p is not first and not p.is_variant]  # they share what is wrong
        yield from self.hand_in([first, *others], own)

    def look(self) -> Generator[Move, Seen, tuple[list[Proposal], frozenset[str]]]:
        """Read what fits the task -> (proposals, best first; names that can be imported from the repository's root).

        Raises NoAnswer if there is no proposal.
        """
        text = self.task.instruction
        looked = yield (
            "Look for programs, documented commands, documented code, and classes and functions that fit the task.",
            [
                ("entry_points", {"query": without_counts(text), "limit": PROGRAMS}),
                ("read_readme", {"query": text, "limit": SECTIONS}),
                ("file_tree", {"depth": DEPTH}),
                ("search_symbols", {"callables": text, "limit": CALLABLES}),
            ],
        )
        seen, sections = looked, sections_of(looked[1])
        own = own_modules(looked[2]) | {self.task.repository.name.replace("-", "_")}  # as it is installed, whatever its folders are called
        documents = list(dict.fromkeys(s.path for _, s in sections if any(b.language in ("python", "pycon", "") for b in s.blocks)))
        documents.sort(key=lambda path: "/" in path)  # the front page shows what the repository is for
        if documents:
            whole = yield (
                "Read the documents with code that fits in full: their blocks complete each other.",
                [("read_readme", {"path": path, "limit": 500}) for path in documents[:DOCUMENTS]],
            )
            seen, sections = seen + whole, merged(sections, [sections_of(o) for o in whole])
        known: list[Callee] = []
        if names := imported_names(sections, own)[:NAMES]:
            (named,) = yield (
                "Look up what the documented code calls: it may take more than is shown.",
                [("search_symbols", {"callables": " ".join(names), "limit": 2 * NAMES})],
            )
            seen, known = (*seen, named), [c for _, c in callables_of(named) if c.name in names]
        if self._ranked is None or self._ranked[:2] != (self.task, seen):
            material = replace(programs_of(looked[0]), files=files_of(looked[2]))
            found = callables_of(looked[3])
            sections = [*sections, *examples_of(found, sections)]
            proposals = propose(material, sections, own, read_request(text, self.task.repository.name), found, known)
            self._ranked = self.task, seen, proposals
        if not self._ranked[2]:
            raise NoAnswer("the repository holds no program and no documented code that could do the task")
        return self._ranked[2], own

    def hand_in(self, proposals: Sequence[Proposal], own: frozenset[str]) -> Plan:
        """Try proposals in their order, and submit the first good one; else the first."""
        best: Answer | None = None
        for proposal in proposals[:CANDIDATES]:
            answer, good = yield from self._try(proposal, own)
            best = best or answer
            if good:
                best = answer
                break
        yield from self._submit(best or proposals[0].answer)

    def _try(self, proposal: Proposal, own: frozenset[str]) -> Generator[Move, Seen, tuple[Answer, bool]]:
        """Check, run and repair one proposal -> (the answer as it stands, is it good)."""
        answer, line = proposal.answer, proposal.line
        for _ in range(REPAIRS + 1):
            (checked,) = yield f"Check: {title(answer)}", [("check_answer", arguments_of(answer))]
            if checked.data.get("ok"):
                seconds = min(RUN_SECONDS, self.remaining.seconds - 1.0, self.remaining.sandbox_seconds)
                if "run" not in self.tools or seconds < 1.0:
                    return answer, True
                (ran,) = yield f"Run: {title(answer)}", [("run", {**arguments_of(answer), "timeout": seconds})]
                if ran.data.get("outcome") != "failed":
                    return answer, True
                findings = findings_of_run(str(ran.data.get("output_tail", "")), own)
            else:
                findings = list(checked.data.get("findings", ()))
            mended = repair(line, findings) if line else None
            if mended is None:
                return answer, bool(checked.data.get("ok")) or self._for_the_user(findings)
            if proposal.line and not keeps_most(proposal.line, mended):
                return proposal.answer, False
            line, answer = mended, mended.answer()
        return answer, False

    def _for_the_user(self, findings: Sequence[Mapping[str, Any]]) -> bool:
        """Whether all that is wrong is that something is left to the user: names that the request says, or that documents call `YourData`,
        and arguments that documents write as `...`.
        """
        errors = [f for f in findings if f.get("severity", "error") == "error"]
        errors = [f for f in errors if f["kind"] != "signature" or not str(f["place"]).endswith("(...)")]
        text = self.task.instruction
        names = [str(f["place"]) for f in errors if f["kind"] == "name"]
        return len(names) == len(errors) and all(re.match(r"(?i:your|my)", n) or re.search(rf"\b{re.escape(n)}\b", text) for n in names)

    def _submit(self, answer: Answer) -> Plan:
        submission = {**arguments_of(answer), "evidence": [asdict(e) for e in answer.evidence], "unused": list(answer.unused)}
        while True:
            yield f"Submit: {title(answer)}", [("submit", submission)]
