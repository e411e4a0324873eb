"""Documented Python with the variant of a class, function or method that the request describes: `make_small` becomes `make_large`."""

import ast
from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.flows import Snippet, rewritten
from ml_agent.policies.grounded.nodes import offset_of
from ml_agent.policies.grounded.request import Request, chunks_of
from ml_agent.repo.callables import Callee
from ml_agent.repo.lexical import split_identifier, stem

BEGINNING = 6
"""Letters that two words have in common in front if they say the same: `regression`, `Regressor`."""

_Place = tuple[int, int]


def with_twins(snippet: Snippet, known: Sequence[Callee], request: Request) -> Snippet | None:
    """The snippet with each name exchanged for one of the same class or module that differs from it in one part, where the request
    says that part and does not say the other's; None if nothing is to change. Of several that fit, none is taken.
    """
    chosen: dict[str, str] = {}
    places: list[tuple[str, _Place]] = []
    there = {n.attr for n in snippet.nodes if isinstance(n, ast.Attribute)}
    there |= {n.id for n in snippet.nodes if isinstance(n, ast.Name)}
    for name, place, others in _named(snippet, known):
        fitting = {o.name for o in others if o.name not in there and _is_meant(name, o.name, request) and _takes_all(o, name, snippet)}
        if len(fitting) == 1:
            chosen[name] = fitting.pop()
            places.append((name, place))
    if not chosen:
        return None
    code = snippet.code
    for name, (start, end) in sorted(places, key=lambda p: p[1], reverse=True):
        code = code[:start] + chosen[name] + code[end:]
    return rewritten(snippet, code)


def _named(snippet: Snippet, known: Sequence[Callee]) -> Iterator[tuple[str, _Place, list[Callee]]]:
    """Each name of what is known where the snippet uses it, with what could stand there."""
    owners = {full.rpartition(".")[2]: full.rpartition(".")[0] for full in snippet.imported}
    methods = {c.name: {m.name: m for m in c.methods if m.of_class} for c in known if c.name in owners and c.kind == "class"}
    modules: dict[str, dict[str, Callee]] = {}
    for callee in known:
        modules.setdefault(callee.module, {})[callee.name] = callee
    for node in snippet.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            of_class = methods.get(node.value.id, {})
            full = f"{owners[node.value.id]}.{node.value.id}".lstrip(".") if node.value.id in owners else ""
            inside = modules.get(full, {}) if full else {}
            end = offset_of(node, snippet.code)[1]
            if node.attr in of_class:
                yield node.attr, (end - len(node.attr), end), _same_kind(node.attr, of_class)
            elif node.attr in inside:
                yield node.attr, (end - len(node.attr), end), _same_kind(node.attr, inside)
        elif isinstance(node, ast.ImportFrom) and node.module in modules and node.level == 0:
            inside = modules[node.module]
            for alias in node.names:
                if alias.name in inside and alias.asname is None:
                    start = offset_of(alias, snippet.code)[0]
                    others = _same_kind(alias.name, inside)
                    yield alias.name, (start, start + len(alias.name)), others
                    for use in snippet.nodes:
                        if isinstance(use, ast.Name) and use.id == alias.name:
                            yield alias.name, offset_of(use, snippet.code), others


def _same_kind(name: str, inside: dict[str, Callee]) -> list[Callee]:
    return [other for other in inside.values() if other.name != name and other.kind == inside[name].kind]


def _takes_all(callee: Callee, name: str, snippet: Snippet) -> bool:
    """Whether it takes the arguments that the snippet gives to the other."""
    kinds = {t.kind for t in callee.takes}
    named = {t.name for t in callee.takes}
    room = len([t for t in callee.takes if t.kind in ("positional", "positional_only")])
    for node in snippet.nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == name:
            if "kwargs" not in kinds and any(k.arg is not None and k.arg not in named for k in node.keywords):
                return False
            if "args" not in kinds and len(node.args) > room:
                return False
            given = {k.arg for k in node.keywords} | {t.name for t in callee.takes[: len(node.args)]}
            if any(t.required and t.name not in given for t in callee.takes):
                return False
    return True


def _is_meant(name: str, other: str, request: Request) -> bool:
    mine, others = _parts(name), _parts(other)
    if len(mine) != len(others) or len(mine) < 2:
        return False
    differing = [(a, b) for a, b in zip(mine, others, strict=True) if a != b]
    return len(differing) == 1 and _says(differing[0][1], request) and not _says(differing[0][0], request)


def _parts(name: str) -> list[str]:
    """A number and its unit are one part: `codec_24khz` -> codec, 24khz."""
    return chunks_of(name) if "_" in name else split_identifier(name)


def _says(part: str, request: Request) -> bool:
    """In words, and not within a path or a quote."""
    span = request.grams.get(part)
    if span and all(request.tokens[i].kind in ("word", "number") for i in range(span[0], span[1] + 1)):
        return True
    words = {t.stem for t in request.tokens if t.kind == "word"} if len(part) > 2 else set()
    return stem(part) in words or (len(part) >= BEGINNING and any(word.startswith(part[:BEGINNING]) for word in words))
