"""What of the request may be a value: its mentions, and the words that some option is known to take, however they are said."""

import re
from collections.abc import Collection, Mapping, Sequence

from ml_agent.policies.grounded.fitting import Candidate
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.knowledge import is_distinctive, spoken_of
from ml_agent.policies.grounded.mentions import is_passed_over
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request, chunks_of
from ml_agent.policies.grounded.vocabulary import DATA_WORDS, MODEL_WORDS
from ml_agent.repo.lexical import split_identifier

_LITTLE_WORDS = frozenset("am an as at be by do go he hi in is it me my of or so to up we".split())
"""Codes of languages and countries that are everyday words: seldom meant, where they stand in a sentence."""
_KIND_OF_MODEL = frozenset({"net", "network", "model"})
"""Ends of models' names that options leave out: `AlexNet` is `alex`."""


def find_candidates(values: Mapping[str, Mapping[str, str]], request: Request) -> list[Candidate]:
    """The request's mentions, and its words that some option is known to take. `values`: option name -> squeezed -> as spelled."""
    known: dict[tuple[int, int], dict[str, str]] = {}
    for name, spellings in values.items():
        for squeezed, spelled in spellings.items():
            span = request.grams.get(squeezed)
            if not span or len(squeezed) < 2 or request.span(*span) in _LITTLE_WORDS:
                continue
            if not is_passed_over(request.tokens, span[0]) and not _is_denied(request, span[0]):
                known.setdefault(span, {})[name] = spelled
    for (first, last), names in known.items():  # `owl mini` is no `owl`, where both are known
        inner = [span for span in known if span != (first, last) and first <= span[0] and span[1] <= last]
        for name, span in ((name, span) for name in names for span in inner):
            known[span].pop(name, None)
    wholes = [span for span, names in known.items() if span[0] < span[1] and any(re.search(r"\d", name) for name in names.values())]
    found = [Candidate(m, known.pop((m.position, m.position), {})) for m in request.mentions if not _is_part(m, wholes)]
    for (first, last), names in known.items():
        words = request.span(first, last)
        found.append(Candidate(Mention(words, "name", last, words), names))
    return found


def _is_part(mention: Mention, wholes: Collection[tuple[int, int]]) -> bool:
    """`ResNet` and `50` of `ResNet 50`, where `resnet50` is known."""
    return mention.kind in ("name", "identifier", "number") and any(first <= mention.position <= last for first, last in wholes)


def _is_denied(request: Request, position: int) -> bool:
    """`without cuda`, `no cuda`: no value, whatever takes it."""
    return position > 0 and request.tokens[position - 1].text.lower() in ("without", "no")


def spoken_candidates(
    values: Mapping[str, Mapping[str, str]], candidates: Sequence[Candidate], request: Request, settled: Collection[int]
) -> list[Candidate]:
    """Known values that the request speaks of in other words, for options of which it names none in so many words."""
    named = {name for c in candidates for name, spelled in c.known.items() if is_distinctive(spelled)}
    positions = {c.mention.position for c in candidates} | set(settled)
    found: dict[int, Candidate] = {}
    for name, spellings in values.items():
        loose = (MODEL_WORDS | DATA_WORDS).isdisjoint(name_words(name))
        spoken = spoken_of(spellings, request, loose=loose) if name not in named else None
        if spoken is None:
            continue
        if over := [c for c in candidates if c.mention.position in spoken[1]]:
            _say_in_full(over, name, spoken[0])
            continue
        if any(p in positions for p in spoken[1]):
            continue
        first, last = spoken[1][0], spoken[1][-1]
        mention = Mention(request.span(first, last), "name", last, request.span(first, last))
        found.setdefault(last, Candidate(mention, {}, {})).spoken[name] = spoken[0]
    return list(found.values())


def _say_in_full(candidates: Sequence[Candidate], name: str, spelled: str) -> None:
    """`the OwlNet` is `owlnet_base_v2` where an option is known to take that, and nothing else of the name; a folder is no name."""
    if spelled.startswith(("/", "~")) and not extension(spelled):
        return
    whole = {*chunks_of(spelled), *split_identifier(spelled)}
    for candidate in candidates:
        mention = candidate.mention
        sized = mention.kind == "number" and mention.words[-1].isalpha() and mention.words.lower() in whole  # `the 350M model`
        if mention.kind not in ("identifier", "name", "word") and not sized:
            continue
        words = {w for w in split_identifier(mention.value) if w not in _KIND_OF_MODEL}
        if sized or whole.issuperset(chunks_of(mention.value)) or (words and words <= whole):
            candidate.known[name] = spelled
            return
