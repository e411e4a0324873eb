"""Two numbers that are the ends of a range, for the two options that take them: `from -5 to 5` for --v-min and --v-max."""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from ml_agent.policies.grounded.bindings import Binding
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

_ENDS = (
    *(("min", "max"), ("minimum", "maximum"), ("start", "end"), ("begin", "end"), ("low", "high"), ("lower", "upper"), ("first", "last")),
    *(("near", "far"), ("base", "finest"), ("in", "out"), ("input", "output"), ("seq", "pred")),
)
_ENDS_OF_MAPS = frozenset({"in", "input", "seq"})
"""Of what is turned into something else: `maps 24 channels to 40`."""
_SAID = {"from": ("to", "through", "until"), "between": ("and",)}
_MAPPED = frozenset("take takes taking map maps mapping turn turns turning project projects convert converts bring brings".split())
_WORDS = 3
"""Words between the two numbers, at most: what the first one counts."""
_REACH = 8
"""Tokens around the numbers that say what they are of."""


def range_bindings(options: Sequence[Option], request: Request) -> Iterator[Binding]:
    """Of several pairs of options, the one of which the request says most; none if there are several of these."""
    pairs = list(_pairs([o for o in options if o.takes_value and not o.positional]))
    for first, last, word in _ranges(request) if pairs else ():
        near = frozenset(word for word, at in request.words if first - _REACH <= at <= last + _REACH)
        fitting = [p for p in pairs if word in _SAID or _ENDS_OF_MAPS.intersection(name_words(p[1][0].name))]
        alone = word not in _SAID and len(fitting) == 1
        said = [(_said(rest, ends[0], near), ends) for rest, ends in fitting]
        most = max((count for count, _ in said), default=0)
        best = [ends for (rest, ends), (count, _) in zip(fitting, said, strict=True) if count == most and (count > 0 or not rest or alone)]
        if len(best) == 1:
            yield Binding(best[0][0].name, request.tokens[first].value, request.span(first, last), (first,))
            yield Binding(best[0][1].name, request.tokens[last].value, request.span(first, last), (last,))


def range_literals(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Binding]]:
    """(literal, its new source text, what says it) of the numbers of a snippet that are the ends of a range: `near=2.0, far=6.0`."""
    named = {x.named: x for x in reversed(literals) if x.kind == "number" and x.named}
    options = [Option(f"--{name}", (f"--{name}",), "", help=x.comment, default=x.text) for name, x in named.items()]
    for binding in range_bindings(options, request):
        literal = named[binding.name.removeprefix("--")]
        yield literal, literal.render(binding.value), binding


def _ranges(request: Request) -> Iterator[tuple[int, int, str]]:
    """Two numbers, by their tokens, and the word that makes a range of them: `from epoch 3 to 5`, `takes 24 channels to 40`."""
    numbers = sorted(m.position for m in request.mentions if m.kind == "number")
    for first, last in pairwise(numbers):
        words = [t.text.lower() for t in request.tokens[max(0, first - 2) : first]]
        between = request.tokens[first + 1 : last]
        if not between or any(t.kind in ("stop", "comma") for t in between):
            continue
        parting = next((t.text.lower() for t in reversed(between) if t.text.lower() in ("to", "through", "until", "and")), "")
        word = next((w for w in reversed(words) if parting in _SAID.get(w, ())), "")
        mapped = next((w for w in reversed(words) if w in _MAPPED), "") if parting == "to" else ""
        direct = len(between) == 1 or [t.text.lower() for t in between] == ["up", "to"]
        if word and direct:
            yield first, last, word
        elif (mapped or word == "from") and len(between) <= _WORDS + 1:
            yield first, last, "maps"


def _said(words: Sequence[str], option: Option, near: Collection[str]) -> float:
    """How many words of a name are said; one that its help explains it by counts half."""
    named = sum(any(p[0] in near for p in phrases_for(word) if len(p) == 1) for word in words)
    return named + 0.5 * any(stem(word) in near for word in split_identifier(option.help) if word not in STOPWORDS and len(word) > 2)


def _pairs(options: Sequence[Option]) -> Iterator[tuple[list[str], tuple[Option, Option]]]:
    """The other words of their names, and two options that differ in which end they are."""
    words = {o.name: list(name_words(o.name)) for o in options}
    for low, high in _ENDS:
        for one in (o for o in options if low in words[o.name]):
            wanted = [high if w == low else w for w in words[one.name]]
            for other in (o for o in options if words[o.name] == wanted):
                yield [w for w in words[one.name] if w != low], (one, other)
