"""Filling in: which value of the request goes to which option of a program.

An assignment problem: mentions x options, scored by names, help, types, choices, known values and word distance.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ml_agent.policies.grounded.affinity import Surroundings, mention_words
from ml_agent.policies.grounded.arguments import documented_values, find_option
from ml_agent.policies.grounded.bindings import Binding, changed_bindings, depth_bindings, glued_bindings, measured_flags
from ml_agent.policies.grounded.candidates import (
    confirmed_by,
    find_candidates,
    ruled_out,
    say_documented,
    spoken_candidates,
    without_confirmed,
)
from ml_agent.policies.grounded.choosing import with_values
from ml_agent.policies.grounded.denials import denied_values
from ml_agent.policies.grounded.devices import cpu_bindings, is_local_rank
from ml_agent.policies.grounded.fitting import Places
from ml_agent.policies.grounded.flags import Wish, wished_flags
from ml_agent.policies.grounded.gathered import in_order, more_values, wants_path
from ml_agent.policies.grounded.given_names import names_behind
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.knowledge import Families, default_strings, known_values, word_beside
from ml_agent.policies.grounded.languages import code_beside
from ml_agent.policies.grounded.leftovers import by_what_they_take
from ml_agent.policies.grounded.lists import list_style
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.pairing import FAIR, SURE, Opinions, Weighed, weigh
from ml_agent.policies.grounded.ranges import range_bindings
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.separators import separator_bindings
from ml_agent.policies.grounded.settings import holders
from ml_agent.policies.grounded.shared import for_both, sides
from ml_agent.policies.grounded.unfilled import stands_for_something, with_variables
from ml_agent.policies.grounded.verbatim import naming
from ml_agent.policies.grounded.weights import Weights
from ml_agent.policies.grounded.written import takes_several, values_for
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import split_identifier

_GUESS_COST = 0.5
"""A guess that is fair, and stands out, costs no more than that. Any other costs what it costs to leave the value out."""
_LEFT_COST = {"number": 0.7, "shape": 0.7, "quoted": 0.5, "path": 0.6, "identifier": 0.4, "name": 0.25, "word": 0.0}
_ROUNDS = 2
"""The second places what the first left because it belonged to a list that another value took with it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One option with the values that the request gives it."""

    option: Option
    values: tuple[str, ...]
    score: float
    words: str
    """Of the request, verbatim."""
    positions: tuple[int, ...]
    """Token positions of the values."""
    guessed: bool = False
    """On weak evidence: better than to leave the value out, but nothing that speaks for the program."""
    cost: float = _GUESS_COST
    """What a guess takes from the program's score."""


@dataclass(slots=True)
class Fill:
    """What of the request found a place in a program, and what did not."""

    placed: list[Placed] = field(default_factory=list)
    left: list[Mention] = field(default_factory=list)
    weighed: Weighed | None = None
    """All pairs that were thought of, before any was chosen."""

    def without_value(self, options: Iterable[Option]) -> list[Option]:
        """Those of the options that are given nothing yet."""
        have = {p.option.name for p in self.placed}
        return [o for o in options if o.name not in have]

    @property
    def score(self) -> float:
        sure = sum(p.score for p in self.placed if not p.guessed)
        return sure - sum(p.cost for p in self.placed if p.guessed) - sum(_LEFT_COST[m.kind] for m in self.left)


_NAMED = 0.8
"""How well an option has to be named to take what the documented values of others confirm."""
_LISTED = re.compile(r"\d[\d.]*(?:,\d[\d.]*)+")
_MANUAL = frozenset({"-h", "--help"})
"""`please help` does not ask for a program's manual, whatever shows it."""
_TRUTHS = frozenset({"true", "false"})


def fill(
    program: EntryPoint,
    commands: Sequence[Command],
    request: Request,
    around: Surroundings,
    used: frozenset[int] = frozenset(),
    families: Families = (),
    bindings: Sequence[Binding] = (),
    places: Places | None = None,
    stems: Mapping[str, Sequence[str]] = MappingProxyType({}),
    opinions: Opinions = MappingProxyType({}),
    weights: Weights | None = None,
) -> Fill:
    """Assign the request's mentions to the program's options.

    `places`: what the command that is filled in does with its options. `stems`: names of files, see `file_stems`.
    `opinions`: see `weigh`. `weights`: those of this release, if not given.
    `used` holds token positions that already named the program itself (its folder, its heading): they need no place. What
    `bindings` says in so many signs is settled first.
    """
    documented: dict[str, list[str]] = {}
    for command in commands:
        for name, values in documented_values(program, command).items():
            documented.setdefault(name, []).extend(values)
    said = [*glued_bindings(program, request), *depth_bindings(program, request), *range_bindings(program.options, request)]
    said += [*measured_flags(program, request), *cpu_bindings(program.options, request), *separator_bindings(program.options, request)]
    said += changed_bindings([o for o in program.options if o.takes_value], documented, request)
    result = Fill(bound(program, [*bindings, *said], request))
    settled = {p for placed in result.placed for p in placed.positions}
    given = {placed.option.name for placed in result.placed}
    groups = {f"{o.name}.name" for o in program.options if o.assigned and o.choices}  # what is chosen says how it is called
    options = [o for o in program.options if o.action != "help" and o.name not in given | holders(program) | groups | _MANUAL]
    valued = [o for o in options if o.takes_value and not is_local_rank(o) and not (o.selects and (o.command is None or not o.choices))]
    called = {o.name: with_variables(o, documented.get(o.name, ())) for o in valued}
    known = {o.name: known_values(o, documented.get(o.name, ()), families, stems) for o in valued}
    for name in known.keys() - (places.present if places else known.keys()):  # a folder that other commands have is not said by its name
        known[name] = {squeezed: v for squeezed, v in known[name].items() if "/" not in v or extension(v)}
    spellings = {squeeze(alias) for o in program.options for alias in o.aliases}
    settled |= {m.position for m in request.mentions if m.kind == "identifier" and squeeze(m.value) in spellings}  # an option's own name
    itself = program.path.rpartition("/")[2]
    parts = set(split_identifier(itself.rpartition(".")[0]))
    candidates = [
        c
        for c in find_candidates(known, request)
        if c.mention.position not in settled
        and c.mention.value.rpartition("/")[2] != itself
        and not (c.mention.kind == "name" and not c.known and c.mention.value.lower() in parts | _TRUTHS)  # ONNX of export_onnx.py
    ]
    candidates = without_confirmed(candidates)
    say_documented(candidates, documented)
    candidates += spoken_candidates(known, candidates, request, settled)
    examples = {o.name: _examples(o, documented.get(o.name, ())) for o in valued}
    opinions = {**ruled_out(valued, candidates, documented, request), **opinions}
    taken, confirmed = set(used) | settled, confirmed_by(places, documented, candidates)
    for _ in range(_ROUNDS):
        gone = (taken - used).union(*(p.positions for p in result.placed))
        waiting = [c for c in candidates if c.mention.position not in gone]
        unplaced = result.without_value(valued)
        if not waiting or not unplaced:
            break
        weighed = weigh([called[o.name] for o in unplaced], waiting, around, examples, places or Places(), opinions, weights)
        result.weighed = result.weighed or weighed
        for row, column, (values, positions) in with_values(
            weighed, lambda o, c: values_for(o, c, request, examples[o.name], candidates), taken - used
        ):
            option, candidate, strength = unplaced[column], waiting[row], float(weighed.scores[row, column])
            taken.update(positions)
            if candidate.mention.position in confirmed and option.name not in candidate.known and strength < _NAMED:
                continue
            words = mention_words(request, candidate.mention, int(weighed.firsts[row, column]))
            cost = _LEFT_COST[candidate.mention.kind]
            cost = min(cost, _GUESS_COST) if strength >= FAIR and weighed.stands_out(row, column) else cost
            result.placed.append(Placed(option, values, strength, words, positions, strength < SURE, cost))
        _gather(result, request, taken)
    _share(result, valued, request, taken)
    free = result.without_value(valued)
    for option, values, positions in by_what_they_take(free, documented, known, request, taken):
        taken.update(positions)
        result.placed.append(Placed(option, values, SURE, request.span(positions[0], positions[-1]), positions))
    for option, values, positions in names_behind(result.without_value(free), request, taken):
        taken.update(positions)
        result.placed.append(Placed(option, values, SURE, values[0], positions))
    free = result.without_value(options)
    names = {at for p in result.placed for at in naming([p.option], [p.option.name], around.beside(min(p.positions, default=0)))}
    flags = {squeeze(o.name) for o in options if o.action == "flag"}
    for option in (o for o in free if o in valued and not (o.positional and wants_path(o, ()))):
        coded, beside = code_beside(option, request), word_beside(option, examples[option.name], request)
        beside = beside if beside is not None and beside[0] not in examples[option.name] else coded
        if beside is not None and beside[1] not in taken | names and squeeze(beside[0]) not in flags:
            taken.add(beside[1])
            result.placed.append(Placed(option, (beside[0],), 0.4, beside[0], (beside[1],), guessed=True))
    free = result.without_value(free)
    wishes = [w for w in wished_flags(free, program, request, taken, documented.keys()) if w.option.name in documented or not _is_usual(w)]
    for wish in (*denied_values(free, request, taken), *wishes):
        words = request.span(min(wish.positions), max(wish.positions))
        result.placed.append(Placed(wish.option, wish.values, 0.5, words, wish.positions))
    result.placed.sort(key=lambda p: min(p.positions, default=-1))  # options are added in the order of the request
    result.left = [m for m in request.mentions if m.position not in taken]
    return result


def _is_usual(wish: Wish) -> bool:
    """Whether the option has the value that is wished for as it is."""
    usual = (wish.option.default or "").strip("'\"").lower()
    of_device = not {"gpu", "cuda"}.isdisjoint(name_words(wish.option.name))  # which one is said, and not that it is one
    return of_device and len(wish.values) == 1 and wish.values[0].lower() == usual == "true"


def _gather(result: Fill, request: Request, taken: set[int]) -> None:
    """Options that take several values get the others of their kind that stand elsewhere in the request."""
    for k, placed in enumerate(result.placed):
        free = [m for m in request.mentions if m.position not in taken]
        if placed.option.takes_value and (more := more_values(placed.option, placed.values, placed.positions, free)):
            values, positions = in_order(placed.values, placed.positions, more)
            taken.update(positions)
            result.placed[k] = replace(placed, values=values, positions=positions, words=request.span(min(positions), max(positions)))


def _share(result: Fill, valued: Sequence[Option], request: Request, taken: set[int]) -> None:
    """Values that the request gives two options at once."""
    for shape in [m for m in request.mentions if m.kind == "shape" and m.position not in taken]:
        free = result.without_value(valued)
        for option, side in sides(shape, free, request):
            taken.add(shape.position)
            result.placed.append(Placed(option, (side,), SURE, shape.words, (shape.position,)))
    for placed in list(result.placed):
        free = result.without_value(valued)
        if other := for_both(placed.option, placed.positions, free, request):
            result.placed.append(replace(placed, option=other, guessed=True, cost=0.0))


def bound(program: EntryPoint, bindings: Sequence[Binding], request: Request) -> list[Placed]:
    """The bindings that name an option of the program: exactly, by an unambiguous prefix, or without its dashes."""
    found: dict[str, Placed] = {}
    for binding in bindings:
        option = find_option(program, binding.name) or next(
            (o for o in program.options if any(squeeze(a) == squeeze(binding.name) for a in o.aliases)), None
        )
        if option is None or option.action == "help" or (option.takes_value and not binding.value):
            continue
        if option.action == "flag" and binding.name.startswith("--no") and binding.name in option.aliases:
            option = replace(option, name=binding.name, aliases=(binding.name,))  # which says the opposite
        values: tuple[str, ...] = (binding.value,) if option.takes_value else ()
        positions = binding.positions if option.takes_value else binding.positions[:1]
        said = next((m for m in request.mentions if m.position == binding.positions[-1] and m.value == binding.value), None)
        if said is not None and takes_several(option):  # `k = 1, 5 and 10`
            run = [m for m in request.run(said) if m.position >= said.position]
            values, positions = tuple(m.value for m in run), (*positions, *(m.position for m in run[1:]))
        elif (
            said is not None
            and (listed := _LISTED.match(request.text, request.tokens[said.position].start))
            and list_style(option, [(option.default or "").strip("'\"")])
        ):  # `k=1,5,10`
            values, positions = (listed.group(),), (*positions, *request.between(*listed.span()))
        found[option.name] = Placed(option, values, 1.1, binding.words if values else binding.name, positions)
    return list(found.values())


def _examples(option: Option, documented: Iterable[str]) -> tuple[str, ...]:
    given = [v for v in (*documented, *default_strings(option)) if not stands_for_something(v) and not re.match(r"<\(|\$\(|`", v)]
    values = (re.sub(r"\$\{?\w+\}?/?", "", v) for v in given)
    return tuple(dict.fromkeys(v for v in values if v))
