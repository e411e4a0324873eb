"""Options that a request calls exactly by their name, or as their help does, right beside a value."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from ml_agent.policies.grounded.letters import words_of
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.vocabulary import WEAK
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

_REACH = 12
"""Tokens on either side of a value."""
_LEAST = 2
"""Words of a name that are enough; fewer are only if nothing else stands there."""
_SAID_OF = frozenset("value values set equal equals setting option parameter argument flag".split())
"""Words between a name and its value that belong to neither."""
_BEGINS = frozenset("set use using with and plus keep make give take choose pick but while run".split())
"""Words that begin to say something else."""
_LIMITS = frozenset({"max", "min", "maximum", "minimum"})
_EITHER = frozenset("less fewer than limit limits limited longer shorter larger smaller cut".split())
_AT_MOST = _EITHER | frozenset(
    "max maximum maximal most more up cap capped exceed exceeding beyond truncate truncated stop ceiling".split()
)
_AT_LEAST = _EITHER | frozenset("min minimum minimal least".split())
_LIMIT_REACH = 6
"""Tokens on either side in which such a word says that a value is a limit."""
_MOST_OF_HELP = 8
_WAYS, _PARTS = 3, 3
"""Ways to say a word, and words that are said in all ways."""
_CLAUSE = frozenset(",;:.([=")


@cache
def _stems(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem(word) for word in words if _says(word))


def _says(word: str) -> bool:
    return word not in STOPWORDS and word not in WEAK


@cache
def _help_stems(text: str) -> tuple[str, ...]:
    """Those of its first clause."""
    end = min((at for mark in _CLAUSE if (at := text.find(mark)) > 0), default=len(text))
    found = _stems(tuple(split_identifier(text[:end])))
    return found if _LEAST <= len(found) <= _MOST_OF_HELP else ()


@cache
def _name_stems(aliases: tuple[str, ...], words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Of all its spellings, and of the words that it is called by."""
    long = [alias.lstrip("-") for alias in aliases if len(alias.lstrip("-")) > 1]
    spelled = {words, *(tuple(split_identifier(alias)) for alias in long), *map(name_words, long)}
    return frozenset(stems for each in spelled for stems in (_stems(each), *_said(each))) - {()}


def spellings_of(option: Option) -> frozenset[tuple[str, ...]]:
    """The stems of its whole name, in each of the ways to say it."""
    return _name_stems(option.aliases, words_of(option))


def _said(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """With what people say for each word: `lr` is a learning rate."""
    ways = [phrases_for(word)[:_WAYS] for word in words if _says(word)]
    return (tuple(s for phrase in way for s in phrase) for way in product(*ways if len(ways) <= _PARTS else ()))


class Beside:
    """The words in front of a value and behind it, up to the next value or the end of a clause; the nearest one first."""

    def __init__(self, request: Request, position: int) -> None:
        values = {m.position for m in request.mentions if m.kind in ("number", "shape", "quoted", "path")}
        before = self._words(request, values, range(position - 1, max(-1, position - 1 - _REACH), -1))
        self.before, self.places = [word for word, _ in before], [at for _, at in before]
        self.behind = [w for w, _ in self._words(request, values, range(position + 1, min(len(request.tokens), position + 1 + _REACH)))]
        self._names: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, int]] = {}

    @staticmethod
    def _words(request: Request, values: set[int], places: range) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for at in places:
            token = request.tokens[at]
            begins = token.text.lower() in _BEGINS and request.tokens[max(0, at - 1)].text.lower() != "to"
            if at in values or token.kind != "word" or (found and begins):
                break
            words = split_identifier(token.text)
            for word in words if places.step > 0 else reversed(words):
                if _says(word) and (found or word not in _SAID_OF):
                    found.append((stem(word), at))
        return found

    def named(self, option: Option) -> tuple[int, int]:
        """How many words in front, and how many on one side that nothing qualifies, are the option's whole name by one of its spellings."""
        key = option.aliases, words_of(option)
        if key not in self._names:
            names = _name_stems(*key)
            front = max((_begun(self.before, "".join(name), backwards=True) for name in names), default=0)
            self._names[key] = front, max(map(self.count, names), default=0)
        return self._names[key]

    def count(self, name: Sequence[str]) -> int:
        """How many words of the request the whole of a name is, beside the value; 0 if they are not it."""
        whole = "".join(name)
        behind = _begun(self.behind, whole, backwards=False)
        before = _begun(self.before, whole, backwards=True)
        return max(0 if self._is_qualified(before) else before, behind if behind >= _LEAST else 0)

    def _is_qualified(self, count: int) -> bool:
        """Whether the word right before the last `count` says of which kind it is: `the decoder learning rate`."""
        return 0 < count < len(self.before) and self.places[count] == self.places[count - 1] - 1

    def is_all(self, count: int) -> bool:
        """Whether nothing else stands in front; what stands alone behind is but a unit: `a patience of 5 epochs`."""
        return count == len(self.before)


def _begun(words: Sequence[str], whole: str, *, backwards: bool) -> int:
    for count in range(1, len(words) + 1):
        joined = "".join(reversed(words[:count]) if backwards else words[:count])
        if len(joined) >= len(whole):
            return count if joined == whole else 0
    return 0


def is_called(option: Option, beside: Beside) -> int:
    """How many words beside a value are the option's whole name; 0 if that says too little."""
    _, count = beside.named(option)
    return count if count >= _LEAST or beside.is_all(count) else 0


def explained_exactly(options: Sequence[Option], beside: Beside) -> frozenset[str]:
    """Names of the options whose help stands beside the value as it is, unless a longer name of another does."""
    by_help = {o.name: beside.count(_help_stems(o.help)) for o in options}
    if not any(by_help.values()):
        return frozenset()
    longest = max([*(is_called(o, beside) for o in options), *by_help.values()])
    return frozenset(name for name, count in by_help.items() if count == longest)


def longer_names(options: Sequence[Option], position: int, beside: Beside, request: Request) -> frozenset[str]:
    """Names of options that have another one's whole name in theirs, where that stands beside the value, and a word that the request
    says nowhere: `batch size 8` is no --max-batch-size where there is a --batch-size. Nor is any other value that no limit is beside.
    And of those whose name is but a part of the one that stands there: `a max batch size of 8` is no --batch-size.
    """
    called = [frozenset(words) for o in options if is_called(o, beside) and len(words := _stems(words_of(o))) >= _LEAST]
    names = {o.name: frozenset(words_of(o)) for o in options}
    every, near = set(names.values()), _near(position, request)
    found = set[str]()
    for option in options:
        limits = names[option.name] & _LIMITS
        limited = all(not near.isdisjoint(_AT_MOST if w.startswith("max") else _AT_LEAST) for w in limits)
        own = {stem(w): w for w in words_of(option) if _says(w)} if called else {}
        more = [w for said in called if said < own.keys() for s, w in own.items() if s not in said]
        if own and any(own.keys() < said for said in called):
            found.add(option.name)  # all of a longer one stands there
        if not all(_is_said(w, request) for w in more) or (not limited and names[option.name] - limits in every):
            found.add(option.name)
    return frozenset(found | _limited_elsewhere(names, near))


def _limited_elsewhere(names: Mapping[str, frozenset[str]], near: frozenset[str]) -> set[str]:
    """Options without a limit, where one is said, and another option has it: `at least 8 owls` is no --num-owls beside --min-owls."""
    said = {w for w in _LIMITS if not near.isdisjoint((_AT_MOST if w.startswith("max") else _AT_LEAST) - _EITHER)}
    plain = {frozenset(w for w in words if w not in _LIMITS | WEAK) for words in names.values() if words & said} - {frozenset()}
    return {name for name, words in names.items() if not words & _LIMITS and frozenset(w for w in words if w not in WEAK) in plain}


def _near(position: int, request: Request) -> frozenset[str]:
    """The words around a value, little ones too: `at most 8`."""
    near = request.tokens[max(0, position - _LIMIT_REACH) : position + _LIMIT_REACH]
    return frozenset(word for token in near for word in split_identifier(token.text))


def _is_said(word: str, request: Request) -> bool:
    return any(phrase[0] in request.stems for phrase in phrases_for(word))


def naming(options: Sequence[Option], known: Collection[str], beside: Beside) -> frozenset[int]:
    """The tokens in front of a value that are the whole name of an option, and so are no value themselves: `directory` of `the target
    directory vocals`. One word is, where the option is `known` to take the value."""
    longest = 0
    for option in options:
        count, _ = beside.named(option)
        longest = max(longest, count if count >= _LEAST or option.name in known else 0)
    return frozenset(beside.places[:longest])
