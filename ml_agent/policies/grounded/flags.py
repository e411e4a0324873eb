"""Flags: options that are switched on or off, which the request wishes for in words."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.evidence import request_verbs, verbs_in
from ml_agent.policies.grounded.kinds import is_boolean, truth_in_digits
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.vocabulary import EVERYDAY_VALUES, GENERIC, PLAIN_NAMES, VERBS, WEAK
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS, stem

_WISHES = frozenset("use using with enable enabled enabling without in flag option turn activate mode".split())
_TRUTHS = frozenset({("false", "true"), ("no", "yes"), ("0", "1"), ("f", "t"), ("n", "y")})
_SWITCHED_ON = frozenset({"on", "enabled", "switched", "turned"})
_ALONE = frozenset({"only", "just", "merely", "solely"})
"""`only evaluate`, `evaluation only`: what else a program does is not wanted."""
_UNTRAINED = re.compile(
    r"\b(?:without|no|not|skip|skipping|instead of|rather than)(?: \w+)? train(?:ing)?\b|\bdon't train\b", re.IGNORECASE
)
"""What else programs do is not wanted: `render it without training` for --render-only."""
_NOT_DONE = re.compile(r"\s+(?:(?!not\b)\w+\s+){0,2}(?:not|never)\s+(?:to\s+)?be\s+\w+(?:ed|en|own|one|aken)\b")
"""Behind what is not wanted: `the old metric shall not be used`."""
_SWITCHED_OFF = frozenset({"off", "disabled"})
_DENIALS = frozenset("without no not disable disabling skip don't never leave drop deactivate".split())
_DENYING = frozenset("no not without disable skip dont".split())
"""First words of the names of flags that switch something off."""
"""What the help of an option says that takes 1 for yes and 0 for no."""
_CLAUSE = re.compile(r"[,;:.(\[]\s|[,;:(\[]|\b(?:if|when|so|because|instead|otherwise|default\w*)\b")
"""What ends the words that say what a flag does."""
_SAYING = frozenset(
    "enable enables use uses using whether compute computes calculate perform performs run runs turn set activate flag option apply "
    "do does only also".split()
)
_GLUED = 6
"""Letters of a name that may be two words in one."""
_TOLD, _BETWEEN = 4, 3
"""Words that say what a flag does, at most, and other words between them."""
_EVERYDAY = frozenset(stem(w) for w in (*PLAIN_NAMES, *GENERIC, *EVERYDAY_VALUES, *VERBS, *(w for said in VERBS.values() for w in said)))


@dataclass(frozen=True, slots=True)
class Wish:
    """A flag that is wished for; for an option that takes a truth value, with that value."""

    option: Option
    values: tuple[str, ...]
    positions: tuple[int, ...]
    """Tokens of the words that wish for it."""


def wished_flags(
    options: Sequence[Option], program: EntryPoint, request: Request, taken: Collection[int], shown: Collection[str] = ()
) -> list[Wish]:
    """Flags whose whole name is said, or what people say for it, and not only because the program itself is called so.

    `without X` sets `--no-X`, never `--X`; of an option that takes a truth value it sets `--X False`. `shown`: options that documented
    commands give: what those have need not be as it is without them.
    """
    found: list[Wish] = []
    own = {stem(w) for w in name_words(program.path)}
    places: dict[str, list[int]] = {}
    for word, position in (*request.words, *((t.text, at) for at, t in enumerate(request.tokens) if t.kind == "number")):
        places.setdefault(word, []).append(position)
    for option in options:
        boolean = takes_truth(option)
        if option.action != "flag" and not boolean:
            continue
        words, denies = _content(option)
        done, alone = _done_by(option), False
        if not words or (own.issuperset(stem(w) for w in words) and not done):
            continue
        spots = _to_be_done(done, request) if done else _said(words, places, any_word=denies)
        whole = request.grams.get(squeeze(option.name)) if not spots and len(squeeze(option.name)) >= _GLUED else None
        spots = tuple(range(whole[0], whole[1] + 1)) if whole else spots  # `ten crops` for --tencrops
        if not spots and not done and (option.action == "flag" or truth_in_digits(option)) and not denies:
            spots = _described(option, places)
        if not spots and words[-1:] == ["only"] and _UNTRAINED.search(request.text):
            spots = _said(words[:-1], places, any_word=False)
            alone = bool(spots)
        if not spots or any(p in taken for p in spots):
            continue
        before, behind = _before(request, request.tokens[min(spots)].start), _behind(request, max(spots))
        denied = bool(before & _DENIALS or behind & _SWITCHED_OFF or _NOT_DONE.match(request.text, request.tokens[max(spots)].end))
        denied = denied or any(request.tokens[at].text.lower().startswith(("no-", "no_")) for at in spots)  # `--no-owls`
        wished = alone or bool(done or before & (_WISHES | _ALONE) or behind & (_SWITCHED_ON | _ALONE))
        wished = wished or _to_the_letter(option, request, spots)
        if len(spots) == 1 and request.tokens[spots[0]].stem in _EVERYDAY and not denied and not wished:
            continue
        if option.action == "flag":
            against = next((a for a in option.aliases if a.startswith(("--no-", "--no_")) and a != option.name), "")
            if denied == denies:
                found.append(Wish(option, (), spots))
            elif denied and against:
                found.append(Wish(replace(option, name=against, aliases=(against,)), (), spots))
        else:
            true = denied == denies
            if not true and option.name not in shown and (option.default or "None").strip("'\"") in ("False", "None", "0", "false"):
                continue
            values = () if true and option.nargs == "?" else (_truth(option, true),)
            found.append(Wish(option, values, spots))
    return found


def _to_the_letter(option: Option, request: Request, spots: Sequence[int]) -> bool:
    """`pre-trained` for --pretrained: said as it is spelled, and no word for what programs do."""
    said = squeeze(request.tokens[spots[0]].text)
    return said == squeeze(option.name) and said.endswith("ed")


def takes_truth(option: Option) -> bool:
    """Whether an option with a value takes yes or no, or 1 or 0 for it."""
    return option.takes_value and not option.positional and (is_boolean(option) or truth_in_digits(option) or bool(_two_words(option)))


def _two_words(option: Option) -> tuple[str, str] | None:
    """How an option spells no and yes that takes one of these two words."""
    words = sorted(option.choices or (), key=str.lower)
    return (words[0], words[1]) if tuple(w.lower() for w in words) in _TRUTHS else None


def _truth(option: Option, true: bool) -> str:
    if words := _two_words(option):
        return words[true]
    if truth_in_digits(option):
        return str(int(true))
    return str(true) if option.default is None or option.default in ("True", "False") else str(true).lower()


def denied(option: Option, request: Request) -> bool:
    """Does the request say that it wants a flag not set: `no confusion matrix`, `without augmentation`?"""
    words = {stem(w) for w in name_words(option.name) if w not in WEAK}
    spots = [(word, position) for word, position in request.words if word in words]
    if not words or {w for w, _ in spots} != words:
        return False
    return bool(_before(request, request.tokens[min(p for _, p in spots)].start) & _DENIALS)


def _content(option: Option) -> tuple[list[str], bool]:
    """The words of the name that say what it is about, and whether it switches that off."""
    words = list(name_words(option.name))
    denies = len(words) > 1 and words[0] in _DENYING
    return [w for w in words[denies:] if w not in WEAK], denies


def _said(words: Sequence[str], places: dict[str, list[int]], *, any_word: bool) -> tuple[int, ...]:
    """Where the words of a name are said, near each other: each itself, or a phrase that people say for it. Empty if they are not.

    `any_word`: one other word for it is enough, because a denial has to stand with it; as one is where another word of the name is said.
    """
    if len(words) > 2 and (told := [w for w in words if w not in GENERIC]):
        words = told  # `overwrite the output` is --overwrite-output-dir
    loose = any_word or (len(words) > 1 and any(stem(word) in places for word in words))
    first = list(_occurrences(words[0], places, loose))
    for start in first:
        spots = set(start)
        for word in words[1:]:
            nearest = min(_occurrences(word, places, loose), key=lambda at: abs(at[0] - start[0]), default=None)
            if nearest is None:
                return ()
            spots.update(nearest)
        if max(spots) - min(spots) <= len(spots) + 1:
            return tuple(sorted(spots))
    return ()


def _done_by(option: Option) -> frozenset[str]:
    """What a flag such as --do-eval does, as verbs of programs; empty if it is called otherwise."""
    words = name_words(option.name)
    return verbs_in(words[1:]) if len(words) == 2 and words[0] == "do" else frozenset()


def _to_be_done(verbs: frozenset[str], request: Request) -> tuple[int, ...]:
    """Where the request asks for one of them: `evaluate it`, but not `the trained owl`. Empty if it does not."""
    asked = request_verbs(request) & verbs
    return next(((at,) for at, token in enumerate(request.tokens) if token.kind == "word" and asked & verbs_in([token.text.lower()])), ())


def _described(option: Option, places: dict[str, list[int]]) -> tuple[int, ...]:
    """Where the request says what the help says that a flag does, in two words at least: `show results`, `save results to *.txt`.

    Or a name of code in it, such as `FP16`. Empty if it does not.
    """
    clause = _CLAUSE.split(option.help.lower(), maxsplit=1)[0]
    told = list(dict.fromkeys(w for w in re.findall(r"[a-z]+\d*", clause) if w not in STOPWORDS and w not in WEAK and w not in _SAYING))
    codes = [w for w in told if w[-1].isdigit() and w in places]
    if len(codes) == 1:
        return (places[codes[0]][0],)
    if not 2 <= len(told) <= _TOLD:
        return ()
    found: list[tuple[int, ...]] = []
    for start in places.get(stem(told[0]), ()):
        behind = [[at for at in places.get(stem(w), ()) if at >= start] for w in told]
        if all(behind) and max(spots := sorted({min(each) for each in behind})) - start <= len(told) + _BETWEEN:
            found.append(tuple(spots))
    return min(found, key=lambda spots: spots[-1] - spots[0], default=())


def _occurrences(word: str, places: dict[str, list[int]], any_word: bool) -> Iterator[tuple[int, ...]]:
    """Positions of the word, then of each phrase of several words that stands for it."""
    for phrase in phrases_for(word):
        if len(phrase) == 1:
            if any_word or phrase[0] == stem(word) or phrase[0][-1].isdigit():
                yield from ((at,) for at in places.get(phrase[0], ()))
            continue
        for at in places.get(phrase[0], ()):
            span = tuple(at + n for n in range(len(phrase)))
            if all(position in places.get(part, ()) for part, position in zip(phrase, span, strict=True)):
                yield span


def _before(request: Request, start: int) -> set[str]:
    """The three words before a place, of its own sentence; `don't` is one word."""
    near = re.split(r"[.!?;:]\s", request.text[max(0, start - 60) : start])[-1]
    near = re.sub(r"\b(?:turn|switch)\w* off\b", "disable", near)
    return set(re.findall(r"[\w']+", near.lower().replace("\u2019", "'"))[-3:])


def _behind(request: Request, position: int) -> set[str]:
    """The two words behind a place, of its own sentence."""
    found: set[str] = set()
    for token in request.tokens[position + 1 : position + 3]:
        if token.kind == "stop":
            break
        found.add(token.text.lower())
    return found
