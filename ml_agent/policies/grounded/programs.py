"""Shell answers: rank the repository's programs and documented commands against the request, and fill in the best."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.arguments import with_documented_options
from ml_agent.policies.grounded.bindings import Binding, given_commands, read_bindings
from ml_agent.policies.grounded.choosing import forced, next_best
from ml_agent.policies.grounded.compose import Line, build, placeholders, places_of
from ml_agent.policies.grounded.devices import shown_elsewhere
from ml_agent.policies.grounded.documented import (
    agreement,
    documented_elsewhere,
    mode_of,
    names_of,
    numbers_shown,
    shown_as_they_are,
    shows_help,
)
from ml_agent.policies.grounded.environment import with_environment
from ml_agent.policies.grounded.evidence import (
    Named,
    NameIndex,
    language_asked,
    leans_to_python,
    names_file,
    path_pieces,
    request_verbs,
    verb_match,
)
from ml_agent.policies.grounded.fill import Fill, fill
from ml_agent.policies.grounded.folders import value_in
from ml_agent.policies.grounded.fronts import behind_fronts, dispatching
from ml_agent.policies.grounded.inner_options import with_settings
from ml_agent.policies.grounded.knowledge import Families, file_stems
from ml_agent.policies.grounded.material import Material, with_built
from ml_agent.policies.grounded.pairing import Opinions
from ml_agent.policies.grounded.priors import is_demo, is_support, sibling_prior
from ml_agent.policies.grounded.redirected import kept_for_redirects
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.settings import Setting
from ml_agent.policies.grounded.subcommands import implementing, named_by, subcommand_of, undocumented
from ml_agent.policies.grounded.swaps import Swap, file_swaps, find_swaps, settled_by, shown_files, told_by
from ml_agent.policies.grounded.templates import filled_by, template_swaps
from ml_agent.policies.grounded.titles import is_named, titles
from ml_agent.policies.grounded.variants import of_another_framework, spread, started_as_others, unasked_flags, unasked_variants
from ml_agent.policies.grounded.wrappers import (
    bare_commands,
    for_cluster,
    launched,
    launches,
    launching,
    on_several,
    read_wrappers,
    wanted_as_it_is,
    with_inner_options,
    without_named,
)
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import stem

COMMANDS_EACH = 12
"""Documented commands of one program that are filled in, the best by retrieval first."""
_EXTRA, _EXTRA_SETTING = 0.03, 0.3
"""What a documented value costs that nobody asked for; a setting that overrides a configuration is shown as an example, most often."""
_ELSEWHERE = 0.3
"""What it costs a documented command to be given a value that another one of the program has."""
_TITLED = 0.6
"""What it counts that the request says the heading above a command as it is."""
_SAME = 0.15
"""What a number counts that is the command's own."""
_SAID = 0.5
"""What a sub-command that the request names counts, beside documented commands by retrieval."""
OTHERWISE, _LESS, _FOR_ODDS = 3, 0.2, 0.15
"""Values of the best line that are placed otherwise for further answers; what such an answer loses, also for each unit of log odds."""
_VALUES = frozenset({"number", "shape", "path", "quoted"})
"""Kinds of values that are meant for something."""
_SURELY, _FORCED = 20.0, 0.1
"""Log odds by which a value that found no place gets the likeliest one, for a further answer; what that one loses."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A command line with its score and what it rests on."""

    score: float
    line: Line
    filled: Fill
    features: dict[str, float]
    again: "Callable[[Opinions], Ranked] | None" = None
    """The same, filled in with opinions on which value belongs to which option."""


def rank_programs(material: Material, families: Families, request: Request) -> list[Ranked]:
    """All candidate lines, best first."""
    folders = material.folders
    material, around = with_built(material), Surroundings(request)
    by_target: dict[str, list[tuple[float, Command]]] = {}
    for score, command in material.commands:
        by_target.setdefault(command.target, []).append((score, command))
    retrieval = {p.path: score for score, p in material.programs}
    known = {p.path: p for _, p in material.programs}
    fronts = {path: dispatching(p, [c for _, c in by_target.get(path, ())], known) for path, p in known.items()}
    behind = behind_fronts(fronts.values(), by_target)
    files = {path: [path, *(file for file, front in behind.items() if front == path and file in known)] for path in known}
    names = NameIndex(
        [names_of(files[p.path], [c for _, c in by_target.get(p.path, ())]) for _, p in material.programs],
        [path_pieces(p.path) for _, p in material.programs],
    )
    wrappers = read_wrappers(list(known.values()), [c for _, c in material.commands])
    several, parts = on_several(request), implementing(c for _, c in material.commands) | behind.keys()
    siblings = sibling_prior([p for _, p in material.programs])
    wanted, leaning = request_verbs(request), 0.8 * leans_to_python(request) + language_asked(request)
    variants = unasked_variants([p for _, p in material.programs], request, wanted, several)
    bindings, given = read_bindings(request), given_commands(request, [p for _, p in material.programs])
    found: list[Ranked] = []
    stems = {**file_stems(material.files), **material.shown}
    for position, (retrieved, program) in enumerate(material.programs):
        documented = [(s, c) for s, c in by_target.get(program.path, []) if not shows_help(c)]
        further = undocumented(program, [c for _, c in documented])[:COMMANDS_EACH]
        program = fronts[program.path]
        commands = [*documented[:COMMANDS_EACH], *((_SAID * (stem(c.words[-1]) in request.stems), c) for c in further)]
        wrapper = wrappers.get(program.path)
        ready = wanted_as_it_is(program, request) if wrapper else 0.0
        if wrapper:
            commands = [*commands, *bare_commands(program, wrapper, [c for _, c in commands], request)]
            program = with_inner_options(program, wrapper, known) if ready or wrapper.takers else program
        every = [c for _, c in commands]
        inner = launched(program, every, known)
        program = with_settings(launching(program, inner) if inner else with_documented_options(program, every), every)
        program = with_environment(program, every)
        shared = names.match(position, request)
        file_named = names_file(request, program.path)
        if file_named:
            shared = Named(shared.score, shared.positions | file_named)
        base = {
            "retrieved": 1.2 * max(retrieval[path] for path in files[program.path]),
            "named": min(2.5, shared.score),
            "verb": 0.6 * max(verb_match(wanted, path, request) for path in files[program.path]),
            "sibling": 0.4 * siblings[program.path],
            "wrapper": (2.6 * ready if ready else 0.0 if wrapper.takers and documented else -1.0) if wrapper else 0.0,
            "launches": launches(retrieved, inner, wanted, request, retrieval, several) if inner else 0.0,
            "cluster": -1.5 if for_cluster(program.path, request) else 0.0,
            "file": 2.5 if file_named else 0.0,
            "support": -1.0 if is_support(program.path, request, wanted, documented=bool(documented)) else 0.0,
            "options": 0.15 if program.options else 0.0,
            "demo": -1.5 if program.path in parts and not documented else is_demo(program) if not commands else 0.0,
            "leaning": -leaning,
            "variant": 0.8 * variants[program.path],
            "framework": -1.5 if of_another_framework(program.path, request) else 0.0,
            "spread": 0.8 * spread(program.path, several),
        }
        own = [g for g in given if g.command.target == program.path]
        lines: list[tuple[float, Command] | None] = [*((1.0, g.command) for g in own), *commands]
        if not lines:
            alike = started_as_others(program, (c for _, c in material.commands))
            lines = [(0.0, alike) if alike else None]
        siblings_of = folders.beside(every)
        asked = _Asked(request, around, families, wanted, bindings, frozenset(p for g in own for p in g.positions), siblings_of, stems)
        for candidate in lines:
            make = partial(_candidate, program, candidate, every, asked, shared, base)
            found.append(replace(make(), again=make))
    found.sort(key=lambda r: (-r.score, r.line.program.path, r.line.command.source if r.line.command else ""))
    others = _otherwise(found[0]) if found else ()
    return sorted([*found, *others], key=lambda r: -r.score)


def _otherwise(best: Ranked) -> list[Ranked]:
    """The best line with one value after the other at another place, and with a place for what has none: none is better than it."""
    if best.again is None or best.filled.weighed is None:
        return []
    weighed, again = best.filled.weighed, best.again
    unsure = enumerate(next_best(weighed)[:OTHERWISE], 1)
    others = [_at_most(again({pair: -math.inf}), best.score - _LESS - _FOR_ODDS * lost - 0.01 * rank) for rank, (lost, pair) in unsure]
    left = {m.position for m in best.filled.left if m.kind in _VALUES}
    if pairs := forced(weighed, left, {p.option.name for p in best.filled.placed}):
        others.append(_at_most(again(dict.fromkeys(pairs, _SURELY)), best.score - _FORCED))
    return others


def _at_most(one: Ranked, score: float) -> Ranked:
    return replace(one, score=score, features=one.features | {"otherwise": score - one.score})


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked, read in every way that ranking needs."""

    request: Request
    around: Surroundings
    families: Families
    wanted: frozenset[str]
    bindings: Sequence[Binding]
    written: frozenset[int]
    """Positions of a command that stands in the request."""
    beside: Mapping[str, Sequence[str]]
    """A documented value that is a file of the repository -> the files beside it, as the command would spell them."""
    stems: Mapping[str, Sequence[str]]
    """See `file_stems`."""


def _conflicts(line: Line, asked: _Asked) -> int:
    """How often the line keeps one of an option's choices where the request says another."""
    kept = {w for i in line.items if not i.evidence.words for v in i.values for w in re.split(r"[^A-Za-z0-9]+", v)}
    found = 0
    for family in asked.families:
        said = {v for v in family if squeeze(v) in asked.request.grams}
        found += bool(said) and not kept.isdisjoint(family - said)
    return found


def _candidate(
    program: EntryPoint,
    scored: tuple[float, Command] | None,
    every: Sequence[Command],
    asked: "_Asked",
    shared: Named,
    base: dict[str, float],
    opinions: Opinions = MappingProxyType({}),
) -> Ranked:
    retrieved, command = scored or (0.0, None)
    titled = command is not None and is_named(command, asked.request)
    request, wanted = asked.request, asked.wanted
    given = command is not None and not command.source
    swaps, files, told = list[Swap](), list[Swap](), frozenset[int]()
    alike = every
    if command:
        sub = program.command_of(command.arguments)
        alike = [c for c in every if program.command_of(c.arguments) == sub]  # another sub-command's values tell nothing
        program = replace(program, options=program.options_of(sub))
        files = file_swaps(command, asked.beside, request)
        holes = template_swaps(command, request, asked.around)
        swaps = [*find_swaps(command, request), *files, *holes]
        no_values = {
            *settled_by(files, program, command, request),
            *titles(program, command, request),
            *shown_as_they_are(program, command, asked.around),
        }
        no_values |= filled_by(holes, program, command, request)
        places = places_of(program, command)
        no_values |= shown_elsewhere(program.options, places.present, dict(command.environment), request)
        told = told_by((s.mention.value for s in files), request)
        no_values |= {(o.name, at) for o in program.options if o.name not in places.present for at in told}
        told |= told_by((v for v in map(value_in, command.arguments) if v in asked.beside), request)
        opinions = {**opinions, **dict.fromkeys(no_values, -math.inf)}
    else:
        places = places_of(program, None)
    called = {m.position for m in request.mentions if m.kind == "path" and m.value.isidentifier()}  # `the folder owls`, whatever else is so
    used = (shared.positions - called) | {s.mention.position for s in swaps} | told | (asked.written if given else frozenset())
    bindings = () if given else asked.bindings
    filled = fill(
        program,
        alike,
        request,
        asked.around,
        frozenset(used),
        asked.families,
        bindings,
        places,
        asked.stems,
        opinions,
    )
    filled = kept_for_redirects(without_named(program, filled, shared.positions), command, request)
    features = dict(base)
    features["swapped"] = 0.5 * len(swaps)
    if command:
        features["documented"] = 0.35 if command.source.rpartition(":")[0] != program.path else 0.0
        features["subcommand"] = 0.5 * verb_match(wanted, subcommand_of(program, command)) + 0.8 * named_by(request, program, command)
        features["mode"] = 0.6 * mode_of(wanted, command)
        features["heading"] = 0.3 * verb_match(wanted, " ".join(command.headings[-1:]))
        features["command"] = 0.8 * retrieved
        features["titled"] = _TITLED * titled
        features["agrees"] = 0.5 * agreement(command, request)
        values = {p.option.name: p.values for p in filled.placed}
        features["same"] = _SAME * min(3, numbers_shown(program, command, values))
        shown = documented_elsewhere(program, command, alike, values)
        features["elsewhere"] = -_ELSEWHERE * (shown + 2 * shown_files(files, command, alike))
    wanted_whole = 0.0 if titled else 1.0  # of a section that is named, all that it shows is asked for
    waiting = len(filled.left)
    line = build(program, command, every, filled, swaps, request, asked.beside)
    features["filled"] = 0.8 * filled.score
    features["started"] = 0.5 * max(0, waiting - len(filled.left))  # what its start takes, rather than an option
    features["unasked"] = -0.5 * wanted_whole * min(2, unasked_flags(line, every, request)) if command else 0.0
    features["given"] = 4.0 if given else 0.0
    features["unresolved"] = -0.3 * min(3, line.unresolved + line.open + placeholders(line))
    unasked = [i.option for i in line.items if not i.evidence.words]
    each = _EXTRA if titled else _EXTRA_SETTING
    features["extra"] = -sum(each if o is not None and (isinstance(o, Setting) or o.assigned) else _EXTRA for o in unasked)
    features["conflict"] = -0.4 * _conflicts(line, asked)
    return Ranked(sum(features.values()), line, filled, features)
