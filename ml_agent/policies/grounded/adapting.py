"""A documented snippet with the request's values in the place of its literals."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ml_agent.policies.grounded.about import own_names
from ml_agent.policies.grounded.additions import add_arguments, explained, unshown
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.assigning import assign, relatives
from ml_agent.policies.grounded.calling import without
from ml_agent.policies.grounded.edits import outside, reaches_over, replace
from ml_agent.policies.grounded.flows import Snippet
from ml_agent.policies.grounded.folders import NO_FILES, Folders
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.literals import Literal, literals_of
from ml_agent.policies.grounded.members import chosen_members
from ml_agent.policies.grounded.ranges import range_literals
from ml_agent.policies.grounded.remaining import place_in_order, place_last
from ml_agent.policies.grounded.repeated import once, own_texts, said_again, without_value
from ml_agent.policies.grounded.replacing import WeighedLiterals, likeliest, weigh_literals
from ml_agent.policies.grounded.request import Mention, Request, squeeze, unused_words
from ml_agent.policies.grounded.results import saved
from ml_agent.policies.grounded.runs import number_runs
from ml_agent.policies.grounded.samples import follow, is_batch, is_width
from ml_agent.policies.grounded.slots import (
    bound_literals,
    place_changed,
    place_devices,
    place_files,
    place_lists,
    place_switches,
    place_texts,
    place_words,
)
from ml_agent.policies.grounded.spelled import by_parts, in_folder_alike, joined_alike, respelled
from ml_agent.policies.grounded.spoken_languages import place_languages
from ml_agent.policies.grounded.spoken_texts import place_spoken_texts
from ml_agent.policies.grounded.supplied import read_texts, supply
from ml_agent.policies.grounded.tensors import sample_for
from ml_agent.policies.grounded.titles import headings_at
from ml_agent.policies.grounded.unshown import meant_elsewhere
from ml_agent.repo.callables import Callee
from ml_agent.task import Answer, Evidence

UNDEFINED = 1.0
"""What a name that nobody defines costs."""


@dataclass(frozen=True, slots=True)
class Adapted:
    score: float
    answer: Answer
    placed: int
    left: tuple[Mention, ...]
    weighed: WeighedLiterals | None = None


def adapt(
    snippet: Snippet,
    request: Request,
    around: Surroundings,
    used: frozenset[int],
    families: Families = (),
    known: Mapping[str, Sequence[Callee]] = MappingProxyType({}),
    parameters: Mapping[str, Sequence[str]] = MappingProxyType({}),
    spellings: Sequence[str] = (),
    files: Folders = NO_FILES,
    classes: frozenset[str] = frozenset(),
    *,
    closely: bool = False,
) -> Adapted:
    """The snippet with the request's values in the place of its literals, and further arguments of what is `known` by name.

    `parameters`: what the positional arguments of functions are called. `classes`: squeezed names that are no texts.
    `closely`: by odds rather than by the rules alone, which takes longer.
    """
    literals = explained(literals_of(snippet.tree, snippet.code, parameters), known)
    hidden = unshown(snippet, known) if closely else ()
    own = own_names(snippet) | _DEVICES | classes | {squeeze(t.name) for t in hidden if "_" in t.name}
    held = [squeeze(x.text) for x in literals if x.kind == "string"]
    titles = headings_at(snippet.block.headings, request)
    mentions = [
        m
        for m in request.mentions
        if not (m.kind in _NAMES and m.position in titles and not any(squeeze(m.value) in text for text in held))
        and (m.position not in used or m.kind in ("shape", "path", "number", "quoted", "identifier"))
        and not (m.kind in _NAMES and (squeeze(m.value) in own or _is_a_kind_of(m, own)))
    ]
    where = f"{snippet.block.path}:{snippet.block.line}"
    evidence = [Evidence(snippet.code.strip().splitlines()[0] if snippet.code.strip() else "", None, where)]
    changes: list[tuple[Literal, str]] = []
    score = 0.0
    placed: set[int] = set()
    runs = [m for run in number_runs(request) for m in run] if known else []
    early = add_arguments(snippet, known, runs, request, families, lists_only=True) if runs else None
    if early is not None:  # lists of numbers first: one of them alone looks like any number
        placed |= {m.position for m in runs} - {m.position for m in early.left}
        changes += early.changes
        evidence += early.evidence
        score += 0.6 * early.score

    def put(literal: Literal, text: str, words: str, positions: Iterable[int], worth: float) -> None:
        nonlocal score
        positions = set(positions)
        changes.append((literal, text))
        evidence.append(Evidence(text, words, where))
        score += worth if not positions or positions - placed else 0.0  # a word that is put in ten places is one word
        placed.update(positions)

    free = outside(changes, literals)
    for literal, run in place_lists(free, without(request, placed), around):
        text = literal.render(",".join(p for m in run for p in m.parts))
        put(literal, text, request.span(run[0].position, run[-1].position), (m.position for m in run), 0.8)
    for literal, texts in place_texts(free, request, around):
        words = request.span(texts[0].position, texts[-1].position)
        put(literal, ", ".join(repr(m.value) for m in texts), words, (m.position for m in texts), 0.7 * len(texts))
    for bind in (bound_literals, range_literals):
        for literal, text, binding in bind(outside(changes, free), request):
            put(literal, text, binding.words, binding.positions, 1.0)
    for literal, text, mention in chosen_members(snippet.tree, snippet.code, request):
        put(literal, text, mention.words, (mention.position,), 0.9)
    for place, worth in ((read_texts, 0.9), (place_spoken_texts, 0.9), (place_languages, 0.6), (place_devices, 0.6), (place_changed, 0.9)):
        for literal, text, mention in place(outside(changes, free), request):
            put(literal, text, mention.words, (mention.position,), worth)
    for literal, text, words in place_switches(outside(changes, free), request, used):
        put(literal, text, words, (), 0.4)
    free = outside(changes, free)
    pairs = relatives(free, families, request)
    pairs += place_files(without_value(pairs, free), files, request)
    pairs += [(m, x, 0.9) for x in without_value(pairs, free) if (m := by_parts(x, spellings, request, own))]
    pairs += [(m, x, 0.8) for x in without_value(pairs, free) if (m := joined_alike(x, request))]
    pairs += [(m, x, 0.8) for x in without_value(pairs, free) if (m := in_folder_alike(x, request))]
    pairs += place_words(without_value(pairs, free), request)
    pairs += place_in_order(without_value(pairs, free), [m for m in mentions if m.position not in placed], request)
    said = placed | {mention.position for mention, _, _ in pairs}
    made_up = any(x.is_sample for x in free)  # whose first side says how many there are
    sides = {m.position for m in request.mentions if made_up and (is_batch(m, request) or is_width(m, request))}
    waiting = [m for m in mentions if m.position not in said | sides]
    places = once(without_value(pairs, free))
    barred = meant_elsewhere(waiting, places, hidden, around) if closely else ()
    weighed = weigh_literals(waiting, places, around, barred=barred) if closely else None
    pairs += likeliest(weighed) if weighed is not None else assign(waiting, places, around)
    for mention, literal, strength in pairs:
        text = literal.render(literal.part_of(mention) or respelled(mention, literal, spellings))
        put(literal, text, mention.words, (mention.position,), strength)
    changes = own_texts(changes, literals)
    changes += said_again(changes, literals)
    supplied = supply(snippet.undefined, request, frozenset(placed))
    placed |= {m.position for m in supplied.files}
    evidence += [Evidence(repr(m.value), m.words, where) for m in supplied.files]
    score += float(len(supplied.names))
    left = tuple(m for m in request.mentions if m.position not in placed and m.position not in used and m.value not in supplied.names)
    if known and (added := add_arguments(snippet, known, left, request, families)):
        changes += [(x, text) for x, text in added.changes if x.start == x.end or not reaches_over(x, changes)]
        evidence += added.evidence
        score += 0.6 * added.score
        left = added.left
    late = [m for m in left if m.position not in sides]
    for mention, literal, strength in place_last(outside(changes, literals), late) if known else []:
        put(literal, literal.render(literal.part_of(mention) or mention.value), mention.words, (), strength)
        left = tuple(m for m in left if m is not mention)
    shapes, drawn = follow(literals, changes, left, request)
    changes += shapes
    evidence += [Evidence(m.value, m.words, where) for m in drawn]
    left, score = tuple(m for m in left if m not in drawn), score + 0.5 * len(drawn)
    code = supplied.code + replace(snippet.code, changes)
    missing = [n for n in snippet.undefined if n not in supplied.names]
    made, told_at = sample_for(missing, code, request)
    if made and not told_at & placed:
        code, missing = made + re.sub(r"^import torch\n", "", code, count=1, flags=re.MULTILINE), []
        left = tuple(m for m in left if m.position not in told_at)
        score += 0.8
    code, kept = saved(code, left, request)
    evidence += [Evidence(repr(m.value), m.words, None) for m in kept]
    left, score = tuple(m for m in left if m not in kept), score + 0.5 * len(kept)
    score -= sum({"number": 0.6, "shape": 0.6, "path": 0.5, "quoted": 0.3, "identifier": 0.3}.get(m.kind, 0.0) for m in left)
    score -= UNDEFINED if missing else 0.0
    return Adapted(score, Answer("python", code, ".", tuple(evidence), unused_words(request, left)), len(placed), left, weighed)


def _is_a_kind_of(mention: Mention, own: Collection[str]) -> bool:
    """A class that one of the snippet's is a kind of: `an owl loader`, `OwlLoader`, of a NightOwlLoader."""
    if not _CLASS.fullmatch(mention.value):
        return False
    return any(name.endswith(squeeze(mention.value)) for name in own)


_CLASS = re.compile(r"(?:[A-Z][a-z]+){2,}")
_NAMES = frozenset({"identifier", "name", "word"})
_DEVICES = frozenset({"cpu", "gpu", "cuda"})
