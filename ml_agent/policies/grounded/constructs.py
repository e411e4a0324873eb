"""Python answers written from the repository's own classes and functions: those that the request names or describes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.calling import call_all, without
from ml_agent.policies.grounded.evidence import leaning_to_python
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.python_text import is_network, write_program
from ml_agent.policies.grounded.request import Mention, Request, squeeze, unused_words
from ml_agent.policies.grounded.tensors import Input, fitted, read_input
from ml_agent.policies.grounded.vocabulary import PLAIN_NAMES
from ml_agent.policies.grounded.wishes import Wishes, read_wishes
from ml_agent.repo.callables import Callee
from ml_agent.repo.lexical import split_identifier, stem
from ml_agent.task import Answer, Evidence

METHODS = 2
"""Methods of one class that a program calls, besides passing an input through a network."""


@dataclass(frozen=True, slots=True)
class RankedConstruct:
    score: float
    answer: Answer
    left: tuple[Mention, ...]
    features: dict[str, float]


def rank_constructs(
    found: Sequence[tuple[float, Callee]],
    documented: Mapping[str, str],
    families: Families,
    request: Request,
) -> list[RankedConstruct]:
    """A program for each, best first.

    `found`: with scores, about 1.5 for a name that is said; `documented`: names that documented code imports, with the
    modules from which the front page does, else nothing.
    """
    leaning = leaning_to_python(request)
    wishes, given = read_wishes(request), read_input(request)
    ranked = []
    for score, callee in found:
        module = documented.get(callee.name, "")
        if module and module.split(".")[0] != callee.module.split(".")[0]:
            callee = replace(callee, module=module)  # the package is called otherwise where it is installed
        ranked.append(_construct(score, callee, callee.name in documented, leaning, wishes, given, families, request))
    ranked.sort(key=lambda r: -r.score)
    return ranked


def _construct(
    score: float,
    callee: Callee,
    documented: bool,
    leaning: float,
    wishes: Wishes,
    given: Input | None,
    families: Families,
    request: Request,
) -> RankedConstruct:
    named = _positions(callee, request)
    methods = [] if callee.kind == "function" else wanted_methods(callee, request)
    training = {"optimiser": wishes.optimiser, "schedule": wishes.schedule}
    extra = {what: c for what, c in training.items() if c is not None and (callee.bases or callee.kind == "class")}
    settled = {m.position for m in (wishes.save, wishes.load) if m is not None}
    settled |= {p for c in extra.values() for p in _named_by(c.name, request)}
    settled |= {m.position for m in request.mentions if m.position in named and m.kind in ("identifier", "name", "word")}
    if given is not None:
        settled |= given.positions
    reduced = without(request, settled)
    calls = call_all([callee, *methods, *extra.values()], reduced, Surroundings(reduced), frozenset(named), families)
    made, rest = calls.called[0], calls.called[1:]
    shape = fitted(given, callee, made.arguments) if given is not None else None
    module = callee.module or callee.path.rsplit("/", 1)[-1].removesuffix(".py")
    workdir = "." if callee.module or "/" not in callee.path else callee.path.rsplit("/", 1)[0]
    trained = dict(zip(extra, rest[len(methods) :], strict=True))
    code = write_program(made, rest[: len(methods)], wishes, shape, trained, module)
    network = is_network(made)
    missing = len(made.missing) - (1 if shape and callee.kind == "function" and not network and made.missing else 0)
    features = {
        "named": min(2.4, 1.2 * score),
        "filled": 0.8 * max(-3.0, calls.score),
        "missing": -0.5 * missing - 0.3 * sum(len(m.missing) for m in rest[: len(methods)]),
        "input": 0.6 if shape and network else 0.0,
        "methods": 0.4 * len(methods),
        "documented": -0.8 if documented else 0.0,
        "leaning": leaning,
    }
    words = request.span(min(named), max(named)) if named else None
    evidence = (Evidence(callee.name, words, callee.source), *calls.evidence)
    if given is not None and shape:
        evidence = (*evidence, Evidence(", ".join(map(str, shape)), given.words, None))
    left = calls.left
    return RankedConstruct(sum(features.values()), Answer("python", code, workdir, evidence, unused_words(request, left)), left, features)


def _named_by(name: str, request: Request) -> range:
    span = request.grams.get(squeeze(name))
    return range(span[0], span[1] + 1) if span else range(0)


def _positions(callee: Callee, request: Request) -> set[int]:
    """Where the request says the name, whole or by its words."""
    whole = _named_by(callee.name, request)
    if whole:
        return set(whole)
    parts = {stem(p) for p in split_identifier(callee.name) if p not in PLAIN_NAMES}
    return {position for word, position in request.words if word in parts}


def wanted_methods(callee: Callee, request: Request) -> list[Callee]:
    """Methods whose whole name is said, in the order of the source."""
    found, spoken = [], {stem(w) for w in re.findall(r"[a-z]+|\d+", request.text.lower())}
    for method in callee.methods:
        words = [stem(w) for w in split_identifier(method.name)]
        if method.name in ("forward", "__call__") or not words:
            continue
        verb = re.escape(method.name.split("_")[0].lower())
        if len(words) == 1:
            said = re.search(rf"\b{verb}\b", request.text.lower()) is not None
        else:  # `the saved model` is not to be saved
            said = spoken.issuperset(words) and re.search(rf"\b{verb}(?!e?d\b)", request.text.lower()) is not None
        if said:
            found.append(method)
    found.sort(key=lambda m: -len(split_identifier(m.name)))
    kept = found[:METHODS]
    return [m for m in callee.methods if m in kept]
