"""Documented Python with another class or function of the same module in it: the one that the request names."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from ml_agent.policies.grounded.flows import Snippet, rewritten
from ml_agent.policies.grounded.nodes import offset_of
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.callables import Callee
from ml_agent.repo.lexical import split_identifier

SHORTEST = 3
"""Letters of a name that can be told from a word."""

_Use = tuple[str, int, int]
"""A name with the character offsets where it stands."""


def used_names(snippet: Snippet) -> frozenset[str]:
    """Names that its code uses, and does not only import."""
    nodes = snippet.nodes
    return frozenset(n.id for n in nodes if isinstance(n, ast.Name)) | {n.attr for n in nodes if isinstance(n, ast.Attribute)}


def with_siblings(snippet: Snippet, found: Sequence[tuple[float, Callee]], request: Request, shown: Collection[str] = ()) -> Snippet | None:
    """The snippet with what the request names in the place of what stands there from the same module; None if nothing is to change.

    `found`: classes and functions of the repository that fit the request, best first. Arguments that the other does not take are left out.
    `shown`: names that other snippets use: they need not take the place of anything.
    """
    changed = snippet
    for _, callee in found:
        if callee.name not in shown and _is_named(callee, request):
            changed = _exchanged(changed, callee, request) or changed
    return None if changed is snippet else changed


def _is_named(callee: Callee, request: Request) -> bool:
    whole = squeeze(callee.name)
    span = request.grams.get(whole)
    if span is None or len(whole) < SHORTEST or not callee.module:
        return False
    said = [request.tokens[i] for i in range(span[0], span[1] + 1)]
    return len(said) > 1 or said[0].text == callee.name or re.search(r"[A-Z_-]", said[0].text[1:]) is not None


def _exchanged(snippet: Snippet, callee: Callee, request: Request) -> Snippet | None:
    uses = list(_uses(snippet, callee.module))
    names = {name for name, _, _ in uses}
    names -= {n.value.id for n in snippet.nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)}  # a table
    others = [n for n in sorted(names) if n[:1].isupper() == callee.name[:1].isupper() and squeeze(n) not in request.grams]
    last = split_identifier(callee.name)[-1:]
    alike = [n for n in others if split_identifier(n)[-1:] == last]
    chosen = alike if len(alike) == 1 else others
    if len(chosen) != 1:
        return None
    imported = _imports(snippet)
    there = {start for _, start in imported} if callee.name in dict(imported) else set()  # it is imported as it is
    changes = [(start, end, callee.name) for name, start, end in uses if name == chosen[0] and start not in there]
    changes += _refused(snippet, chosen[0], callee)
    code = snippet.code
    for start, end, text in sorted(changes, reverse=True):
        code = code[:start] + text + code[end:]
    return rewritten(snippet, code)


def _uses(snippet: Snippet, module: str) -> Iterator[_Use]:
    """Names of the module where the snippet imports them or uses them: `from a.b import X`, `X(...)`, `b.X(...)`."""
    modules, names = set(), set()
    for node in snippet.nodes:
        if isinstance(node, ast.Import):
            modules |= {a.asname or a.name for a in node.names if a.name == module and (a.asname or "." not in a.name)}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules |= {a.asname or a.name for a in node.names if f"{node.module}.{a.name}" == module}
            if node.module == module:
                for alias in (a for a in node.names if a.asname is None and a.name != "*"):
                    names.add(alias.name)
                    start = offset_of(alias, snippet.code)[0]
                    yield alias.name, start, start + len(alias.name)
    for node in snippet.nodes:
        if isinstance(node, ast.Name) and node.id in names:
            yield node.id, *offset_of(node, snippet.code)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            end = offset_of(node, snippet.code)[1]
            yield node.attr, end - len(node.attr), end


def _imports(snippet: Snippet) -> list[tuple[str, int]]:
    """Imported names with the offsets where they stand."""
    nodes = [n for n in snippet.nodes if isinstance(n, ast.ImportFrom)]
    return [(a.name, offset_of(a, snippet.code)[0]) for n in nodes for a in n.names if a.name != "*"]


def _refused(snippet: Snippet, name: str, callee: Callee) -> Iterator[tuple[int, int, str]]:
    """Keywords in calls of `name` that the other does not take, each with the comma in front of it, or behind it if it is the first."""
    if any(t.kind == "kwargs" for t in callee.takes):
        return
    takes = {t.name for t in callee.takes}
    for node in snippet.nodes:
        if not isinstance(node, ast.Call) or getattr(node.func, "id", getattr(node.func, "attr", None)) != name:
            continue
        values = [*node.args, *(k.value for k in node.keywords)]
        ends = [offset_of(node.func, snippet.code)[1] + 1, *(offset_of(v, snippet.code)[1] for v in values)]
        for place, keyword in enumerate(node.keywords, len(node.args)):
            if keyword.arg is None or keyword.arg in takes:
                continue
            start, end = ends[place], ends[place + 1]
            if place == 0:
                behind = re.match(r", ?", snippet.code[end:])
                end += behind.end() if behind else 0
            yield start, end, ""
