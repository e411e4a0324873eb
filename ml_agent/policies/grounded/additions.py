"""Documented Python with arguments that it does not show: new keywords in its calls of the repository's own classes and functions."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.calling import call_all, without
from ml_agent.policies.grounded.flows import Snippet
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.nodes import offset_of
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.runs import is_list
from ml_agent.repo.callables import Callee, Taken
from ml_agent.task import Evidence

CALLS = 12
"""Calls of one snippet that are looked at."""


@dataclass(frozen=True, slots=True)
class Added:
    """What is put into a snippet, and what it does for the request."""

    changes: tuple[tuple[Literal, str], ...]
    score: float
    left: tuple[Mention, ...]
    evidence: tuple[Evidence, ...]


def by_name(callees: Iterable[Callee]) -> dict[str, list[Callee]]:
    found: dict[str, list[Callee]] = {}
    for callee in callees:
        found.setdefault(callee.name, []).append(callee)
    return found


def explained(literals: Sequence[Literal], known: Mapping[str, Sequence[Callee]]) -> list[Literal]:
    """Those without a comment get what the docstring of the function says of the parameter that they are given for."""
    found: dict[tuple[str, str], str] = {}
    for callee in [c for of in known.values() for each in of for c in (each, *each.methods)]:
        found |= {(callee.name, t.name): t.help for t in callee.takes if t.help}
    places = ((x, (x.call or x.names[-1], x.names[0]) if x.names else ("", "")) for x in literals)
    return [replace(x, comment=found[place]) if not x.comment and place in found else x for x, place in places]


def positional(callees: Iterable[Callee]) -> dict[str, tuple[str, ...]]:
    """What the positional arguments of each are called, where all of one name agree."""
    found: dict[str, tuple[str, ...]] = {}
    for callee in [c for each in callees for c in (each, *each.methods)]:
        names = tuple(t.name for t in callee.takes if t.kind in ("positional", "positional_only"))
        found[callee.name] = names if found.get(callee.name, names) == names else ()
    return found


def add_arguments(
    snippet: Snippet,
    known: Mapping[str, Sequence[Callee]],
    left: Sequence[Mention],
    request: Request,
    families: Families,
    *,
    lists_only: bool = False,
) -> Added | None:
    """Keywords for `left`, the values that found no place in the snippet; None if there are none to add."""
    calls = _calls(snippet, known)
    given = [_given(node, callee) for node, callee in calls]
    if lists_only:
        calls = [(node, replace(callee, takes=tuple(t for t in callee.takes if is_list(t)))) for node, callee in calls]
    if not calls:
        return None
    parameters = {t.name for _, callee in calls for t in callee.takes}
    kept = {m.position for m in left if m.value not in parameters}
    reduced = without(request, {m.position for m in request.mentions if m.position not in kept})
    used = frozenset(m.position for m in request.mentions) - {m.position for m in left}
    made = call_all([c for _, c in calls], reduced, Surroundings(request), used, families, given)
    changes: list[tuple[Literal, str]] = []
    for (node, _), called in zip(calls, made.called, strict=True):
        inserted = []
        for name, value in called.arguments.items():
            there = next((k.value for k in node.keywords if k.arg == name), None)
            if there is not None:
                start, end = offset_of(there, snippet.code)
                changes.append((Literal("number", ast.unparse(there), start, end, (name,)), value))
            else:
                inserted.append(f"{name}={value}")
        if inserted:
            changes.append(_insertion(node, inserted, snippet.code))
    if not changes:
        return None
    return Added(tuple(changes), float(sum(len(c.arguments) for c in made.called)), made.left, made.evidence)


def unshown(snippet: Snippet, known: Mapping[str, Sequence[Callee]]) -> tuple[Taken, ...]:
    """The parameters of a snippet's calls that it gives no value; none that another of its calls gives one."""
    calls = _calls(snippet, known)
    given = frozenset[str]().union(*(_given(node, callee) for node, callee in calls))
    return tuple(t for _, callee in calls for t in callee.takes if t.kind not in ("args", "kwargs") and t.name not in given)


def _calls(snippet: Snippet, known: Mapping[str, Sequence[Callee]]) -> list[tuple[ast.Call, Callee]]:
    """The snippet's calls of what it imports, and of methods of the classes that it imports."""
    modules = {full.rsplit(".", 1)[-1]: full.rpartition(".")[0] for full in snippet.imported}
    mine: dict[str, Callee] = {name: _nearest(known[name], module) for name, module in modules.items() if known.get(name)}
    called = [n.func.attr for n in snippet.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    owners = [*mine.values(), *(c for name in dict.fromkeys(called) for c in known.get(name, ()))]  # `pkg.load("owl")` makes an object, too
    methods: dict[str, Callee] = {}
    for owner in owners:
        for method in owner.methods:
            methods.setdefault(method.name, method)
    found: list[tuple[ast.Call, Callee]] = []
    for node in snippet.nodes:
        if (
            not isinstance(node, ast.Call)
            or any(k.arg is None for k in node.keywords)
            or any(isinstance(a, ast.Starred) for a in node.args)
        ):
            continue
        callee: Callee | None = None
        if isinstance(node.func, ast.Name):
            callee = mine.get(node.func.id)
        elif isinstance(node.func, ast.Attribute):
            callee = methods.get(node.func.attr) or next(iter(known.get(node.func.attr, ())), None)
        if callee is not None and callee.takes:
            found.append((node, callee))
    found.sort(key=lambda c: (-len(c[0].keywords), c[0].lineno, c[0].col_offset))  # of several calls of one, the fullest
    first = {callee.name: (node, callee) for node, callee in reversed(found)}
    return sorted(first.values(), key=lambda c: (c[0].lineno, c[0].col_offset))[:CALLS]


def _nearest(callees: Sequence[Callee], module: str) -> Callee:
    return next((c for c in callees if c.module == module), callees[0])


def _given(node: ast.Call, callee: Callee) -> frozenset[str]:
    """Parameters that have a value; None, a constant True or False, or a list of numbers, may still be changed."""
    positional = [t.name for t in callee.takes if t.kind in ("positional", "positional_only")][
        : len([a for a in node.args if not _is_open(a)])
    ]
    named = [k.arg for k in node.keywords if k.arg and not _may_change(k.value)]
    return frozenset([*positional, *named])


def _is_open(value: ast.expr) -> bool:
    """`f(...)`: a document leaves out what its reader has to give."""
    return isinstance(value, ast.Constant) and value.value is ...


def _may_change(value: ast.expr) -> bool:
    if isinstance(value, (ast.Tuple, ast.List)):
        return bool(value.elts) and all(isinstance(e, ast.Constant) and isinstance(e.value, (int, float)) for e in value.elts)
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))


def _insertion(node: ast.Call, arguments: Sequence[str], code: str) -> tuple[Literal, str]:
    """In the place of dots; else behind the last argument; right behind the bracket if there is none."""
    text = ", ".join(arguments)
    if dots := next((a for a in node.args if _is_open(a)), None):
        return Literal("number", "...", *offset_of(dots, code), ()), text
    last = [*node.args, *(k.value for k in node.keywords)]
    if last:
        at = max(offset_of(value, code)[1] for value in last)
        while code[at : at + 1] == ")" and not _closes(node, at, code):
            at += 1  # brackets around the argument are no part of it
        return Literal("number", "", at, at, ()), f", {text}"
    at = code.index("(", offset_of(node.func, code)[1]) + 1
    return Literal("number", "", at, at, ()), text


def _closes(node: ast.Call, at: int, code: str) -> bool:
    return at == offset_of(node, code)[1] - 1
