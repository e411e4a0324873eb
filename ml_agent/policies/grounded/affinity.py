"""How well the words around a mention name an option.

The evidence is lexical and local: which words of the option's name (or what people say for them) stand near the value, how
near, on which side, and whether something else was mentioned in between.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from ml_agent.policies.grounded.abbreviations import SHORT_FORMS
from ml_agent.policies.grounded.counting import (
    FOR,
    counts_something,
    is_counted,
    is_measured,
    is_percentage,
    measure,
    share_at,
    waits_without_progress,
)
from ml_agent.policies.grounded.option_names import phrases_for, weight
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.verbatim import Beside
from ml_agent.policies.grounded.vocabulary import GENERIC, WEAK
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

LEFT_WORDS, RIGHT_WORDS = 10, 4
_RIGHT_DECAY = (0.97, 0.9, 0.75, 0.6)
_LEFT_DECAY = 0.95
_SENTENCE = 0.35
"""Factor for words that stand in another sentence than the value."""
_COLON = 0.7
"""The same for words before a colon that does not stand right before the value."""
_COMMA = 0.8
"""For words before a comma, if there are others between it and the value."""
_CLAIMED = 0.5
"""For words before the comma in front of a value that are what another number counts: `30 epochs, 0.1`."""
_UNIT = 0.4
"""Factor for words before a number that counts what stands behind it."""
_EACH = 0.35
"""Factor for words behind a `per`: `64 images per GPU` counts images."""
_HELD, _COUNTED = frozenset(map(stem, ("images", "samples", "examples", "pictures", "tokens", "sequences"))), 0.6
"""What a batch is of, and its factor before that `per`."""
_MEASURED = 0.9
"""For a unit, where what is measured in it stands before."""
_PERCENT = 0.5
"""For the word that a percentage itself says: many helps have it."""
_RIGHT_BEFORE = frozenset({"into", "put"})
"""Words that say what a value is for only within its own clause."""
_LINKS = frozenset("of the for such as is are was be should will make makes up my our its a an".split())
"""Little words that may stand between a value and what it is for: `0.05 is the learning rate`."""
_SHARES = frozenset({"per", "batch", "step", "iter"})
"""Stems of words that say of a number what it is behind a `per` as well: `4 images per batch`."""
_LEFT_OUT = frozenset("extra size rate path dir file value type name steps gradient grad exp experiment run job".split())
"""Words of option names that people leave out: `batch 64` for --batch-size."""
_BROAD = frozenset({"rate", "decay", "step", "factor", "weight", "size", "iter"})
"""Stems that stand for a narrower word where nothing qualifies them: `a rate of 0.1` is the learning rate."""
_LOOSE = 0.65
"""For `iterations` as a word for epochs: they are steps where a program counts both."""
_HELP = 0.6
"""What the help text counts, at most, beside the name."""


@dataclass(frozen=True, slots=True)
class Near:
    """A word near a mention: its stem, the side's factor for its distance, its token's position."""

    stem: str
    factor: float
    position: int
    qualified: bool = False
    """The word in front says of which kind it is: `frame rate`."""


class Surroundings:
    """The words around each mention of one request, computed once."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._near: dict[int, tuple[Near, ...]] = {}
        self._scores: dict[tuple[tuple[str, ...], int], tuple[float, int]] = {}
        self._beside: dict[int, Beside] = {}

    def beside(self, position: int) -> Beside:
        """The words that may be an option's whole name."""
        if position not in self._beside:
            self._beside[position] = Beside(self.request, position)
        return self._beside[position]

    @cached_property
    def _values(self) -> frozenset[int]:
        """Positions of mentions that end a phrase about something else: numbers, shapes, quotes, paths."""
        return frozenset(m.position for m in self.request.mentions if m.kind in ("number", "shape", "quoted", "path"))

    def near(self, position: int) -> tuple[Near, ...]:
        if position not in self._near:
            self._near[position] = self._waited(position) or self._respective(position) or self._around(position)
        return self._near[position]

    def _respective(self, position: int) -> tuple[Near, ...]:
        """The words of the name that is said for it alone; the last one is the nearest."""
        start, end = self.request.respective.get(position, (0, 0))
        named = [at for at in range(start, end) if self._stems(at) and not self.request.tokens[at].filler][-LEFT_WORDS:]
        return tuple(Near(word, _LEFT_DECAY**back, at) for back, at in enumerate(reversed(named)) for word in self._stems(at))

    def _around(self, position: int) -> tuple[Near, ...]:
        scale = _UNIT if counts_something(self.request.tokens, position) else 1.0
        left = [replace(n, factor=n.factor * scale) for n in self._left(position)]
        right, share = self._right(self._end_of_list(position)), self._share(position)
        if is_measured(self.request.tokens, position):
            right = [replace(n, factor=n.factor * _MEASURED) for n in right]
        if share:  # `8 images per batch` is no size of images
            right = [replace(n, factor=n.factor * _COUNTED) if n.stem in _HELD and n.position < share[0].position else n for n in right]
        found = (*left, *right, *share, *self._unit(position))
        return tuple(replace(n, qualified=self._is_qualified(n.position)) for n in found)

    def _end_of_list(self, position: int) -> int:
        """The last value of a list that is said to be for one thing (`3 and 9 for the kernel sizes`), else the value itself."""
        run = self.request.run_at(position)
        last = run[-1].position if run else position
        behind = self.request.tokens[last + 1].text.lower() if last + 1 < len(self.request.tokens) else ""
        return last if behind in FOR else position

    def _is_qualified(self, position: int) -> bool:
        word = self.request.tokens[position - 1] if position else None
        return word is not None and word.says_something

    def _share(self, position: int) -> list[Near]:
        at = share_at(self.request.tokens, position)
        return [Near(stem(each), 0.9, at) for each in ("batch", "size")] if at is not None else []

    def _waited(self, position: int) -> tuple[Near, ...]:
        return (Near(stem("patience"), 0.95, position + 2),) if waits_without_progress(self.request.tokens, position) else ()

    def _unit(self, position: int) -> list[Near]:
        found = [Near(stem(word), 0.9, position) for word in measure(self.request.tokens, position)]
        if is_percentage(self.request.tokens[position]):
            found += [Near(stem(word), _PERCENT, position) for word in ("percent", "percentage")]
        return found

    def _left(self, position: int) -> list[Near]:
        found: list[Near] = []
        distance, factor = 0, 1.0
        for at in range(position - 1, -1, -1):
            token = self.request.tokens[at]
            if at in self._values and token.kind != "quoted":
                break
            if token.text == "(" and at == position - 1:
                continue  # `batch size (64)`
            if token.kind == "stop" and (token.text != ":" or at < position - 1):
                factor *= _SENTENCE if token.text != ":" else _COLON
                continue
            if token.kind in ("comma", "stop"):
                claimed = not distance and is_counted(self.request.tokens, at - 1)
                factor *= _CLAIMED if claimed else _COMMA if distance and token.text == "," else 1.0
                distance += 1
                continue
            if token.text.lower() in ("x", "\u00d7"):
                break  # `2 nodes x 8 gpus`
            if token.text.lower() == "and" and not distance and is_counted(self.request.tokens, at - 1):
                factor *= _CLAIMED  # `640 wide and 480 high`
            words = self._stems(at)
            each = _EACH if token.text.lower().startswith("per-") else 1.0
            for word in words:
                found.append(Near(word, factor * _LEFT_DECAY**distance * (1.0 if word in _SHARES else each), at))
            if words and not token.filler:
                distance += 1
            if distance > LEFT_WORDS:
                break
        return found

    def _right(self, position: int) -> list[Near]:
        found: list[Near] = []
        distance, each = 0, 1.0
        for at in range(position + 1, len(self.request.tokens)):
            token = self.request.tokens[at]
            if at in self._values or token.kind in ("stop", "comma") or distance >= RIGHT_WORDS:
                break
            if token.filler and token.text.lower() not in _LINKS:
                break
            for word in self._stems(at):
                found.append(Near(word, _RIGHT_DECAY[distance] * (1.0 if word in _SHARES else each), at))
            if token.text.lower() == "per":
                each = _EACH
            if not token.filler:
                distance += 1
        return found

    @cached_property
    def _by_position(self) -> dict[int, list[str]]:
        grouped: dict[int, list[str]] = {}
        for word, position in self.request.words:
            grouped.setdefault(position, []).append(word)
        for position, token in enumerate(self.request.tokens):
            before = self.request.tokens[position - 1] if position else token
            if position and all(t.says_something and t.text.istitle() and len(t.text) > 2 for t in (before, token)):
                grouped.setdefault(position, []).append(f"{before.text[0]}{token.text[0]}".lower())  # `Stable Owls` for --so-version
            if token.text.lower() in SHORT_FORMS:
                grouped.setdefault(position, []).extend(map(stem, SHORT_FORMS[token.text.lower()]))
        return grouped

    def _stems(self, position: int) -> list[str]:
        return self._by_position.get(position, [])

    def score(self, words: tuple[str, ...], position: int) -> tuple[float, int]:
        """(affinity in 0..1 of an option's name words with the mention at `position`, position of the farthest word that matched or -1)."""
        key = (words, position)
        if key not in self._scores:
            self._scores[key] = self._score(words, position)
        return self._scores[key]

    def _score(self, words: tuple[str, ...], position: int) -> tuple[float, int]:
        near = self.near(position)
        total = sum(weight(w) for w in words)
        if not near or not total:
            return 0.0, -1
        earned, first = 0.0, -1
        strong = False
        for word in words:
            best, at = _best_match(word, near)
            earned += weight(word) * best
            if word in WEAK and best == 0.0 and len(words) > 1:
                total -= weight(word)  # `100 epochs` names `--num-epochs` as well as `--epochs`
            if word in _LEFT_OUT and best == 0.0 and len(words) > 1:
                total -= 0.7 * weight(word)
            if best > 0.3 and word not in WEAK:
                first = at if first < 0 else min(first, at)
                strong = strong or word not in GENERIC or len(words) == 1
        score = earned / total if total > 0 else 0.0
        return (score if strong else min(score, 0.55)), first

    def help_score(self, help_text: str, position: int) -> float:
        """The same for an option's help text: what part of its content words stands near, at most `_HELP`."""
        words = [w for w in split_identifier(help_text)[:14] if w not in STOPWORDS and w not in WEAK and len(w) > 2 and w.isalpha()]
        if not words:
            return 0.0
        near = {n.stem: n.factor for n in reversed(self.near(position))}
        words = list(dict.fromkeys(words))
        matched = [near.get(stem(w), 0.0) for w in words]
        share = sum(matched) / min(3, len(words))
        return _HELP * min(1.0, max(share, 0.75 * matched[0] + 0.25 * share))  # what it is comes first: `epochs to train for`


def _best_match(word: str, near: tuple[Near, ...]) -> tuple[float, int]:
    best, at = 0.0, -1
    for rank, phrase in enumerate(phrases_for(word)):
        factor = 1.0 if rank == 0 else _LOOSE if word.startswith("epoch") and phrase == ("iter",) else 0.92
        bare = rank > 0 and len(phrase) == 1 and phrase[0] in _BROAD
        score, position = _phrase_match(phrase, tuple(n for n in near if not n.qualified) if bare else near)
        if score * factor > best:
            best, at = score * factor, position
    if best < 0.8 and len(word) >= 3:
        for other in near:
            if len(other.stem) > len(word) and other.stem.startswith(word):  # seq -> sequence, pred -> predictions
                candidate = 0.85 * other.factor
            elif len(other.stem) >= 4 and word.startswith(other.stem):  # numbers stuck on, plural of a compound
                candidate = 0.75 * other.factor
            else:
                continue
            if candidate > best:
                best, at = candidate, other.position
    return best, at


def _phrase_match(phrase: tuple[str, ...], near: tuple[Near, ...]) -> tuple[float, int]:
    """All words of the phrase near the mention and next to each other: the smallest factor among them."""
    if len(phrase) == 1:
        best, at = 0.0, -1
        for other in near:
            if other.stem == phrase[0] and other.factor > (best if phrase[0] not in _RIGHT_BEFORE else max(best, _COMMA)):
                best, at = other.factor, other.position
        return best, at
    heads = [n for n in near if n.stem == phrase[0]]
    for head in heads:
        rest = [
            next((n for n in near if n.stem == w and abs(n.position - head.position) <= k + 1), None) for k, w in enumerate(phrase[1:], 1)
        ]
        if all(rest):
            return min(head.factor, *(n.factor for n in rest if n)), head.position
    return 0.0, -1


def mention_words(request: Request, mention: Mention, first: int) -> str:
    """The stretch of the request from the words that name the option to the value, for the evidence."""
    if first < 0 or abs(first - mention.position) > 12:
        return mention.words
    low, high = sorted((first, mention.position))
    return request.span(low, high)
