"""Solve a task whose repository has to be found first: the candidates in turn, until one has an accepted answer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.catalogue import find
from ml_agent.catalogue.base import Candidate
from ml_agent.catalogue.checkout import checkout
from ml_agent.errors import UsageError
from ml_agent.git.command import GitFailed
from ml_agent.models.choice import ModelChoice
from ml_agent.result import Result

if TYPE_CHECKING:
    from ml_agent.prompts import Prompts

TRIED = 3
"""Candidates that are tried: each is a clone and a whole solve."""
CLONE_SECONDS = 300.0
"""For each clone: it is made once, and kept."""


def solve_somewhere(
    instruction: str,
    solve: Callable[[Path], Result],
    *,
    catalogue: Path | None = None,
    github_url: str | None = None,
    model: ModelChoice | None = None,
    prompts: "Prompts | None" = None,
    tried: int = TRIED,
    seconds: float = CLONE_SECONDS,
    on_candidate: Callable[[Candidate], None] | None = None,
) -> Result:
    """The result of the first candidate with an accepted answer, else of the last one that was tried.

    `solve` is given the folder of each; the other words are those of catalogue.find. The paper (arXiv 2311.09835) tries the repositories
    in the order of their ranking, too. What could not be cloned in `seconds` is passed over with a note. Raises UsageError if nothing is
    found, and what `find` and `solve` raise.
    """
    asked = model.open() if model is not None else None
    try:
        found = find(instruction, catalogue=catalogue, github_url=github_url, model=asked, prompts=prompts)
    finally:
        if asked is not None:
            asked.close()
    if not found.candidates:
        raise UsageError(f"no repository was found for {', '.join(found.keywords) or 'the task'}: give one with --repo")
    notes, result, failed = list(found.notes), None, None
    for candidate in found.candidates[:tried]:
        if on_candidate is not None:
            on_candidate(candidate)
        try:
            folder = checkout(candidate, seconds=seconds)
        except (GitFailed, UsageError) as error:  # another candidate may be there
            notes.append(f"{candidate.name}: {error}")
            failed = error
            continue
        notes.append(f"the repository is {candidate.name} ({candidate.url or candidate.path}), chosen by {found.ranked_by}")
        result = solve(folder)
        if result.answer is not None or result.outcome in ("cancelled", "infrastructure"):
            break
    if result is None:
        assert failed is not None
        raise failed
    return replace(result, notes=(*notes, *result.notes))
