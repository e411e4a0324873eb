"""Lexical retrieval: a tokenizer that knows identifiers and paths, and BM25 over the tokens."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

_WORD = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+(?:\.\d+)*")
_PLURAL = re.compile(r"(?<![A-Za-z])([A-Z]{2,})s(?![A-Za-z])")
_CHUNK = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.+-]*[A-Za-z0-9_+])?")

STOPWORDS = frozenset(
    "a about above across add after all also am an and another any are as at be been before being below between both but by "
    "can code could create did do does doing done each either else for from further get give go had has have having help her "
    "here how i if in into is it its itself just kindly let like make may me might more most my myself need needs no nor not "
    "now of off on once one only or other our out over own please possible same shall she should so some such than that the "
    "their them then there these they this those through thus to too under until up upon use used using utilize utilizing "
    "very want was we were what when where which while who whom why will wish with within without would write writing you "
    "your assist assistance craft crafting guide provide".split()
)
"""Words of a request or a document that say nothing about its matter: articles, pronouns, auxiliaries, courtesy."""


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@cache
def stem(word: str) -> str:
    """The English stem of a lower-case word."""
    return str(_stemmer().stemWord(word))


def split_identifier(text: str) -> list[str]:
    """`num_stacks`, `numStacks`, `NumStacks` -> ["num", "stacks"], in lower case; `GPUs` is one word, `gpu`."""
    text = _PLURAL.sub(r"\1", text)
    return [part.lower() for word in re.split(r"[^A-Za-z0-9.]+", text) for part in _CAMEL.findall(word)]


def tokenize(text: str) -> list[str]:
    """Stems of words and of the parts of identifiers and paths, plus each identifier of several parts as a whole."""
    tokens: list[str] = []
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        parts = split_identifier(chunk)
        lowered = [p for p in parts if p not in STOPWORDS]
        tokens.extend(stem(p) for p in lowered)
        if len(parts) > 1:
            tokens.append(re.sub(r"[^a-z0-9]", "", chunk.lower()))
    return tokens


class LexicalIndex:
    """BM25 over token lists. The scores of one query are comparable with each other only."""

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        corpus = [list(d) for d in documents]
        self._size = len(corpus)
        self._ranker: Any = None
        if any(corpus):
            import bm25s

            self._ranker = bm25s.BM25()
            self._ranker.index([d or [""] for d in corpus], show_progress=False)

    def search(self, query: str, k: int) -> list[tuple[float, int]]:
        """The `k` best documents as (score above zero, position), best first; ties by position."""
        tokens = sorted(set(tokenize(query)))
        if self._ranker is None or not tokens:
            return []
        scores = self._ranker.get_scores(tokens)
        order = sorted(range(self._size), key=lambda i: (-float(scores[i]), i))[:k]
        return [(float(scores[i]), i) for i in order if scores[i] > 0]
