"""Which candidates come first: by the words that they have in common with a task, or as a model says."""

from collections.abc import Sequence
from dataclasses import replace

from ml_agent.catalogue.base import Candidate
from ml_agent.repo.lexical import LexicalIndex, tokenize

_SHOWN = 6


def by_words(words: Sequence[str], candidates: Sequence[Candidate]) -> list[Candidate]:
    """All candidates: by BM25 over name, description and topics, then stars, then as they came. Each gets its score and why."""
    index = LexicalIndex(tokenize(one.text) for one in candidates)
    scores = dict.fromkeys(range(len(candidates)), 0.0) | {i: score for score, i in index.search(" ".join(words), len(candidates))}
    order = sorted(scores, key=lambda i: (-round(scores[i], 6), -(candidates[i].stars or 0), i))
    return [replace(candidates[i], score=round(scores[i], 4), why=_why(words, candidates[i])) for i in order]


def as_said(said: Sequence[str], candidates: Sequence[Candidate]) -> list[Candidate]:
    """All candidates: those that `said` names, by name or address and in its order, then the others as they came.

    What it names that is no candidate is dropped, and so is what it names again.
    """
    places: dict[str, int] = {}
    for i, one in enumerate(candidates):
        for known in (one.name, one.url, one.url.removesuffix(".git")):
            places.setdefault(_key(known), i)
    places.pop("", None)
    named = list(dict.fromkeys(places[_key(name)] for name in said if _key(name) in places))
    rest = [i for i in range(len(candidates)) if i not in named]
    ranked = [replace(candidates[i], score=None, why="named by the model") for i in named]
    return ranked + [replace(candidates[i], score=None, why="not named by the model") for i in rest]


def _key(name: str) -> str:
    return name.strip().rstrip("/").lower()


def _why(words: Sequence[str], candidate: Candidate) -> str:
    there = set(tokenize(candidate.text))
    common = list(dict.fromkeys(word for word in words if there.intersection(tokenize(word))))
    if not common:
        return "no word in common"
    more = f" and {len(common) - _SHOWN} more" if len(common) > _SHOWN else ""
    return f"in common: {', '.join(common[:_SHOWN])}{more}"
