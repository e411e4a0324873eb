"""Values for which no words speak, but what an option takes: lists like the documented one, a text, the device."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.spoken_texts import spoken_text
from ml_agent.policies.grounded.written import takes_several
from ml_agent.repo.entrypoints import Option

_TEXTS = frozenset("prompt prompts text texts context caption sentence query question instruction".split())
_ASKED = frozenset({"question", "query"})
_DEVICES = frozenset({"device", "accelerator"})
_GPU = ("gpu", "cuda")
_DEFAULTS = re.compile(r"""['"]?(?:gpu|cuda)|.*is_available""")
"""Defaults that are a GPU as it is."""
_NOT_ON = frozenset("no without not per each every".split())

_HOW_MANY = re.compile(r"(?:n|num|nb|number_of)_(?:samples?|images?|outputs?|designs?|generations?|results?)|samples|n")
"""Names of options that say how many things are made."""
_MAKES = frozenset("draw sample generate create make produce design synthesize synthesise give drawn generated created".split())

_OF_A_RUN = frozenset("epochs steps iterations workers processes threads layers heads gpus devices seconds minutes hours times".split())
"""What is counted and not made: `make it run 20 epochs`."""

Found = tuple[Option, tuple[str, ...], tuple[int, ...]]
"""An option, its values, and the tokens that say them."""


def by_what_they_take(
    options: Sequence[Option],
    documented: Mapping[str, Sequence[str]],
    known: Mapping[str, Mapping[str, str]],
    request: Request,
    taken: Collection[int],
) -> Iterator[Found]:
    """Each option at most once. `documented`, `known`: by option name, see `known_values`; `taken`: tokens that have their place."""
    for run in request.runs:
        lists = [o for o in options if _holds(o, documented.get(o.name, ()), run)]
        if len(lists) == 1 and not any(m.position in taken for m in run):
            yield lists[0], tuple(m.value for m in run), tuple(m.position for m in run)
    counts = [o for o in options if o.type in (None, "int") and not o.choices and _HOW_MANY.fullmatch("_".join(name_words(o.name)))]
    numbers = [m for m in request.mentions if m.position not in taken and _is_made(m, request)]
    if len(counts) == len(numbers) == 1:
        yield counts[0], (numbers[0].value,), (numbers[0].position,)
    texts = [m for m in request.mentions if m.kind == "quoted" and re.search(r"\w\W*\s\W*\w", m.value) and m.position not in taken]
    takers = [o for o in options if o.type in (None, "str") and not o.choices and not _TEXTS.isdisjoint(name_words(o.name)[-1:])]
    spoken = spoken_text(request, question=bool(_ASKED.intersection(name_words(takers[0].name)))) if len(takers) == 1 else None
    if len(takers) == 1 and len(said := texts or [m for m in [spoken] if m]) == 1:
        yield takers[0], (said[0].value,), (said[0].position,)
    for option in options:
        device = next((known[option.name][v] for v in _GPU if v in known.get(option.name, {})), "")
        spots = [at for at in range(len(request.tokens)) if at not in taken and _on_gpu(request, at)]
        if device and spots and not _DEVICES.isdisjoint(name_words(option.name)[-1:]) and not _DEFAULTS.match(option.default or ""):
            yield option, (device,), (spots[0],)


def _is_made(mention: Mention, request: Request) -> bool:
    """Whether a number counts what is to be made, whatever that is called: `draw 25 owls`."""
    before = {t.text.lower() for t in request.tokens[max(0, mention.position - 3) : mention.position]}
    behind = request.tokens[mention.position + 1 : mention.position + 2]
    counted = bool(behind) and behind[0].says_something and behind[0].text.endswith("s") and behind[0].text.lower() not in _OF_A_RUN
    return mention.kind == "number" and mention.value.isdigit() and counted and not _MAKES.isdisjoint(before)


def _holds(option: Option, documented: Sequence[str], run: Sequence[Mention]) -> bool:
    """Whether the option is documented with a list that has all of these numbers in it."""
    return takes_several(option) and all(m.kind == "number" and m.value in documented for m in run)


def _on_gpu(request: Request, at: int) -> bool:
    """`on the GPU`: not how many, which one, or that there is none."""
    if request.tokens[at].text.lower() not in _GPU:
        return False
    before = request.tokens[max(0, at - 3) : at]
    behind = request.tokens[at + 1 : at + 2]
    return not any(t.kind == "number" or t.text.lower() in _NOT_ON for t in before) and not any(t.kind == "number" for t in behind)
