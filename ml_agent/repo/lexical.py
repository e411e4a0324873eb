"""Lexical retrieval: a tokenizer that knows identifiers and paths, and BM25 over the tokens."""

import io
import re
from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self
from zipfile import BadZipFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+(?:\.\d+)*")
_PLURAL = re.compile(r"(?<![A-Za-z])([A-Z]{2,})s(?![A-Za-z])")
_K1, _B = 1.5, 0.75
"""How soon repeating a word stops to count, and how much long documents are marked down: the usual values."""
_PART = 1 << 20
_KEPT = 40
"""Characters of a word whose tokens are remembered: a text repeats its words, so most are taken apart once."""
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


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The English stem of a lower-case word; `normalise` and `normalize`, `colour` and `color` have one."""
    return str(_stemmer().stemWord(_BRITISH.sub(_american, word)))


_BRITISH = re.compile(
    r"(?<=[a-z]{4})is(?=(?:e[drs]?|ers|ing|ations?)$)|(?<=^(?:neighb|behavi))our|(?<=^(?:col|fav|hon|lab))our|(?<=^cent)re(?=s?$)"
)


def _american(match: re.Match[str]) -> str:
    return {"is": "iz", "our": "or", "re": "er"}[match.group()]


def split_identifier(text: str) -> list[str]:
    """`num_stacks`, `numStacks`, `NumStacks` -> ["num", "stacks"], in lower case; `GPUs` is one word, `gpu`."""
    text = _PLURAL.sub(r"\1", text)
    return [part.lower() for word in re.split(r"[^A-Za-z0-9.]+", text) for part in _CAMEL.findall(word)]


def squeeze(text: str) -> str:
    """Letters and digits only, lower case: `Care-GNN` and `caregnn` become equal."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def tokenize(text: str) -> list[str]:
    """Stems of words and of the parts of identifiers and paths, plus each identifier of several parts as a whole."""
    tokens: list[str] = []
    for chunk in _CHUNK.findall(text):
        tokens += _tokens_of(chunk) if len(chunk) <= _KEPT else _take_apart(chunk)
    return tokens


@lru_cache(maxsize=1 << 16)
def _tokens_of(chunk: str) -> tuple[str, ...]:
    return _take_apart(chunk)


def _take_apart(chunk: str) -> tuple[str, ...]:
    parts = split_identifier(chunk)
    tokens = [stem(p) for p in parts if p not in STOPWORDS]
    if len(parts) > 1:
        tokens.append(squeeze(chunk))
    return tuple(tokens)


class LexicalIndex:
    """BM25 over token lists, in the form that Lucene gives it. The scores of one query are comparable with each other only."""

    def __init__(self, documents: Iterable[Iterable[str]]) -> None:
        self._vocabulary: dict[str, int] = {}
        tokens, lengths = array("i"), array("i")
        for document in documents:
            before = len(tokens)
            tokens.extend([self._vocabulary.setdefault(token, len(self._vocabulary)) for token in document])
            lengths.append(len(tokens) - before)
        self._size = len(lengths)
        self._arrays = _weighted(tokens, lengths, len(self._vocabulary)) if tokens else None

    def to_bytes(self) -> bytes:
        """To be kept: reading it again takes a tenth of the time."""
        import numpy as np

        starts, documents, scores = self._arrays or (np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
        words = "\n".join(self._vocabulary).encode("utf-8", "surrogatepass")
        file = io.BytesIO()
        np.savez(file, size=np.int64(self._size), words=np.frombuffer(words, np.uint8), starts=starts, documents=documents, scores=scores)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` gave, of tokens without line breaks. Raises ValueError if it is damaged."""
        import numpy as np

        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as kept:
                size, words, starts, documents, scores = (kept[name] for name in ("size", "words", "starts", "documents", "scores"))
            vocabulary = bytes(words).decode("utf-8", "surrogatepass").split("\n") if len(words) else []
        except (OSError, KeyError, EOFError, TypeError, ValueError, BadZipFile) as error:
            raise ValueError(f"no lexical index: {type(error).__name__} {error}") from error
        whole = len(starts) == len(vocabulary) + 1 and len(documents) == len(scores) == starts[-1] and bool(np.all(documents < size))
        if not whole:
            raise ValueError("no lexical index: its parts do not fit together")
        made = cls(())
        made._size = int(size)
        made._vocabulary = {word: i for i, word in enumerate(vocabulary)}
        made._arrays = (starts, documents, scores) if vocabulary else None
        return made

    def search(self, query: str, k: int) -> list[tuple[float, int]]:
        """The `k` best documents as (score above zero, position), best first; ties by position."""
        known = sorted({self._vocabulary[token] for token in tokenize(query) if token in self._vocabulary})
        if not known or self._arrays is None:
            return []
        import numpy as np

        starts, documents, weights = self._arrays
        scores = np.zeros(self._size, np.float32)
        for token in known:
            of_token = slice(starts[token], starts[token + 1])
            scores[documents[of_token]] += weights[of_token]
        found = np.flatnonzero(scores > 0)
        if 0 < k < len(found):  # all that tie with the last one stay, for the order by position
            found = found[scores[found] >= np.partition(scores[found], -k)[-k]]
        order = found[np.argsort(-scores[found], kind="stable")][: max(0, k)]
        return [(float(scores[i]), int(i)) for i in order]


def _weighted(tokens: "array[int]", lengths: "array[int]", vocabulary: int) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]":
    """For each token where its documents begin (shape (vocabulary + 1,)), the documents, and the token's score in each of them.

    `tokens` are those of all documents, one after the other; `lengths` says how many each has.
    """
    import numpy as np

    token = np.frombuffer(tokens, np.intc)
    length = np.frombuffer(lengths, np.intc)
    ends = np.cumsum(length, dtype=np.int64)
    # (token, document) as one number, and how often: in parts of whole documents, because sorting takes memory
    cuts = [*np.searchsorted(ends, np.arange(0, len(token), _PART), side="right"), len(length)]
    pairs = []
    for first, last in pairwise(cuts):
        document = np.repeat(np.arange(first, last), length[first:last])
        part = token[ends[first] - length[first] : ends[last - 1]] if last > first else token[:0]
        pairs.append(np.unique(part.astype(np.int64) * len(length) + document, return_counts=True))
    key = np.concatenate([keys for keys, _ in pairs])
    order = np.argsort(key)
    key = key[order]
    frequency = np.concatenate([counts for _, counts in pairs])[order].astype(np.float32)
    token, document = (key // len(length)).astype(np.int32), (key % len(length)).astype(np.int32)
    found_in = np.bincount(token, minlength=vocabulary)
    rarity = np.log(1 + (len(length) - found_in + 0.5) / (found_in + 0.5)).astype(np.float32)
    size = np.maximum(length, 1).astype(np.float32)
    saturation = _K1 * (1 - _B + _B * size / size.mean())
    scores = rarity[token] * frequency / (saturation[document] + frequency)
    return np.concatenate([[0], np.cumsum(found_in)]), document, scores.astype(np.float32)
