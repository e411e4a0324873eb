"""The code that a model checked, ran or submitted: what is handed in when it comes to no end itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ml_agent.trajectory import INTERRUPTED, Observation, ToolCall

CHECK, RUN, SUBMIT = "check_answer", "run", "submit"
_REJECTIONS = 2
"""So often does `submit` send an answer back on findings alone."""
_LOOKING = set("cat cd du echo env file find grep head ls nl nvidia-smi pip pwd rg sed tail tree type wc which".split())
_HELP = re.compile(r"(?:^|\s)(?:--help|-h|--version)(?=\s|$)")


@dataclass(slots=True)
class Candidate:
    """Code with what is known of it."""

    arguments: Mapping[str, Any]
    """As `submit` takes them."""
    at: int = 0
    """When it was last used: a later one is larger."""
    checked: bool | None = None
    """Whether it passed verification."""
    worked: bool | None = None
    """Whether a run of it was no failure."""

    @property
    def rank(self) -> tuple[int, int]:
        told = {True: 1, None: 0, False: -1}
        return 2 * told[self.checked] + told[self.worked], self.at


class Candidates:
    """All of a run, by their code."""

    def __init__(self) -> None:
        self._found: dict[tuple[Any, ...], Candidate] = {}
        self._calls = self._rejections = 0
        self._good: set[tuple[Any, ...]] = set()

    def note(self, call: ToolCall, observation: Observation) -> None:
        """Take in a call and what it brought back."""
        self._calls += 1
        found = candidate_of(call)
        if found is None:
            return
        key = tuple(found.arguments.values())
        if observation.error is not None:
            if call.tool == SUBMIT and observation.error != INTERRUPTED.error:  # it would be refused again
                self._found.pop(key, None)
            return
        candidate = self._found.setdefault(key, found)
        candidate.at = self._calls
        if call.tool == RUN:
            candidate.worked = observation.data.get("outcome") in ("completed", "running_at_limit")
        else:
            candidate.checked = bool(observation.data.get("ok", observation.data.get("verified")))
            self._rejections += call.tool == SUBMIT

    def best(self) -> Candidate | None:
        """What passed verification before what did not, then what worked, then the last. What only failed in a run is none."""
        likely = [one for one in self._found.values() if one.checked is not None or one.worked]
        return max(likely, key=lambda one: one.rank, default=None)

    def newly_good(self) -> bool:
        """Whether there is code that passed its checks or its run, and there was not when this was asked before."""
        good = {key for key, one in self._found.items() if one.rank[0] > 0}
        new = good - self._good
        self._good |= good
        return bool(new)

    def submissions(self, candidate: Candidate) -> int:
        """How often it has to be submitted until it is accepted, at the most."""
        return 1 if candidate.checked else max(0, _REJECTIONS - self._rejections) + 1


def candidate_of(call: ToolCall) -> Candidate | None:
    """The code of a call; None if it has none, or one that only looks around."""
    code, workdir, language = (call.arguments.get(name) for name in ("code", "workdir", "language"))
    if call.tool not in (CHECK, RUN, SUBMIT) or not isinstance(code, str) or not code.strip() or language not in ("bash", "python"):
        return None
    if call.tool == RUN and language == "bash" and _only_looks(code):
        return None
    return Candidate({"language": language, "code": code, "workdir": workdir if isinstance(workdir, str) else "."})


def failed(call: ToolCall, observation: Observation) -> bool:
    """Whether it says what is wrong with an answer: a check or a run that failed, a submission that was rejected."""
    told = {CHECK: observation.data.get("ok") is False, SUBMIT: observation.data.get("accepted") is False}
    return told.get(call.tool, call.tool == RUN and observation.data.get("outcome") == "failed")


def _only_looks(code: str) -> bool:
    if _HELP.search(code):
        return True
    starts = (part.split()[:1] for part in re.split(r"[\n;|&]+", code))
    return all(start[0] in _LOOKING for start in starts if start)
