"""Which repository a task is about, where none is given: from GitHub's search, a catalogue file, or both.

In the two steps of the paper (arXiv 2311.09835): keywords for a search, then an order of what it found, both by a model if there is one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.catalogue.base import Candidate
from ml_agent.errors import InfrastructureError, NoAnswer, UsageError
from ml_agent.inputs import check_instruction

if TYPE_CHECKING:
    from ml_agent.catalogue.asking import Asking
    from ml_agent.models.messages import ChatModel
    from ml_agent.prompts import Prompts

LIMIT = 10
POOL = 30
"""Candidates that a model is shown at most."""
SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a task."""

    candidates: tuple[Candidate, ...]
    """Best first."""
    keywords: tuple[str, ...]
    ranked_by: str
    """The model's name, or `words`."""
    notes: tuple[str, ...] = ()
    """What did not go as asked, a line each."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-able."""
        listed = [{"rank": rank, **one.to_dict()} for rank, one in enumerate(self.candidates, 1)]
        return {"keywords": list(self.keywords), "ranked_by": self.ranked_by, "candidates": listed, "notes": list(self.notes)}


def find(
    instruction: str,
    *,
    catalogue: Path | None = None,
    github_url: str | None = None,
    model: "ChatModel | None" = None,
    limit: int = LIMIT,
    prompts: "Prompts | None" = None,
    seconds: float = SECONDS,
    seed: int | None = None,
) -> Found:
    """The repositories that may be the one, from the file `catalogue`, GitHub's API at `github_url`, or both.

    `model` gives keywords and order; where it gives no usable one, words do, with a note. Without a model only those are listed from the
    file that have a word in common with the task. `seconds` bounds the questions to the model together. Raises UsageError for bad input,
    InfrastructureError if the model fails, or GitHub does and there is no file; with one, the file's are listed with a note.
    """
    from ml_agent.catalogue.words import content_words, keywords_of

    instruction = check_instruction(instruction)
    if catalogue is None and github_url is None:
        raise UsageError("nowhere to look for a repository: give a catalogue file, GitHub's address, or both")
    if limit < 1:
        raise UsageError(f"the limit is {limit}; give a number above zero")
    notes: list[str] = []
    asking = _asking(model, prompts, seconds, seed)
    keywords = (_asked("keywords", lambda: asking.keywords(instruction), notes) if asking else []) or keywords_of(instruction)
    if not keywords:
        notes.append("no word of the task says what it is about")
    words = list(dict.fromkeys([*keywords, *content_words(instruction)]))
    found = [
        *(_of_file(catalogue, words, max(limit, POOL), everything=model is not None) if catalogue is not None else []),
        *(_of_github(github_url, keywords, max(limit, LIMIT), notes, alone=catalogue is None) if github_url is not None else []),
    ]
    return _ranked(_distinct(found), instruction, words, keywords, asking, limit, notes)


def _asking(model: "ChatModel | None", prompts: "Prompts | None", seconds: float, seed: int | None) -> "Asking | None":
    if model is None:
        return None
    from ml_agent.catalogue.asking import Asking
    from ml_agent.prompts import Prompts

    return Asking(model, prompts or Prompts(), seconds=seconds, seed=seed)


def _asked(what: str, ask: Callable[[], list[str]], notes: list[str]) -> list[str]:
    """What the model replied; nothing, and a note, if that cannot be used."""
    from ml_agent.models.failures import ContextOverflow

    try:
        return ask()
    except (NoAnswer, ContextOverflow) as error:
        notes.append(f"no {what} by the model, so by words: {error}")
        return []


def _of_file(file: Path, words: Sequence[str], most: int, *, everything: bool) -> list[Candidate]:
    from ml_agent.catalogue.local import read_catalogue
    from ml_agent.catalogue.ranking import by_words

    ranked = by_words(words, read_catalogue(file))
    return [one for one in ranked if everything or one.score][:most]


def _of_github(url: str, keywords: Sequence[str], most: int, notes: list[str], *, alone: bool) -> list[Candidate]:
    from ml_agent.catalogue.github import GitHub

    service, found = GitHub(url), list[Candidate]()
    try:
        found = service.search(keywords, most)
    except InfrastructureError as error:
        if alone:
            raise
        notes.append(str(error))
    notes += service.notes
    return found


def _distinct(found: Sequence[Candidate]) -> list[Candidate]:
    """Each address and each folder once; the first is kept, so what the user's own file says of it."""
    kept: dict[tuple[str, str], Candidate] = {}
    for one in found:
        address = one.url.lower().rstrip("/").removesuffix(".git")
        kept.setdefault((address, "") if address else ("", str(one.path)), one)
    return list(kept.values())


def _ranked(
    found: Sequence[Candidate],
    instruction: str,
    words: Sequence[str],
    keywords: Sequence[str],
    asking: "Asking | None",
    limit: int,
    notes: list[str],
) -> Found:
    from ml_agent.catalogue.ranking import as_said, by_words

    said = _asked("ranking", lambda: asking.ranking(instruction, found[:POOL]), notes) if asking and len(found) > 1 else []
    if asking and said:
        ranked, who = as_said(said, found), asking.name
    else:
        ranked, who = by_words(words, found), "words"
    return Found(tuple(ranked[:limit]), tuple(keywords), who, tuple(notes))
