"""Python answers: the documented snippet closest to the request, with its literals replaced."""

import ast
import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.affinity import Surroundings, name_words
from ml_agent.policies.grounded.evidence import NameIndex, language_asked, leans_to_python
from ml_agent.policies.grounded.fill import Families
from ml_agent.policies.grounded.literals import Literal, literals_of, replace
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.repo.documents import CodeBlock
from ml_agent.repo.lexical import split_identifier, stem
from ml_agent.repo.pysource import parse_python
from ml_agent.task import Answer, Evidence


@dataclass(frozen=True, slots=True)
class Snippet:
    """A documented piece of Python that stands on its own: the block, after the earlier blocks that it needs."""

    block: CodeBlock
    code: str
    tree: ast.Module
    imported: tuple[str, ...]
    """Names that it imports, with their modules: `pkg.mod.Name`."""
    undefined: bool
    """It uses names that nothing before it defines."""


@dataclass(frozen=True, slots=True)
class RankedSnippet:
    score: float
    snippet: Snippet
    answer: Answer
    placed: int
    left: tuple[Mention, ...]
    features: dict[str, float]


def read_snippets(blocks: Sequence[CodeBlock]) -> list[Snippet]:
    """Blocks that are Python, in the order given; a block that uses names of earlier blocks of its document gets them in front."""
    by_path: dict[str, list[tuple[CodeBlock, str, ast.Module]]] = {}
    for block in blocks:
        parsed = _parse(block)
        if parsed:
            by_path.setdefault(block.path, []).append((block, *parsed))
    found = []
    for entries in by_path.values():
        entries.sort(key=lambda e: e[0].line)
        for position, (block, code, tree) in enumerate(entries):
            if not tree.body:
                continue
            needed = _needed(entries[:position], tree)
            whole = "\n".join([*(c for _, c, _ in needed), code])
            try:
                full = parse_python(whole)
            except SyntaxError:
                continue
            found.append(Snippet(block, whole, full, tuple(_imported(full)), bool(_used(full) - _defined(full))))
    return found


def _parse(block: CodeBlock) -> tuple[str, ast.Module] | None:
    if block.language not in ("python", "pycon", ""):
        return None
    code = block.code.replace("\r\n", "\n").replace("\r", "\n")
    if block.language == "pycon" or code.lstrip().startswith(">>>"):
        code = "\n".join(line[4:] for line in code.split("\n") if line.startswith((">>> ", "... ")))
    code = "\n".join("" if line.lstrip().startswith(("!", "%")) else line for line in code.split("\n"))
    if len(code) > 20_000:
        return None
    try:
        tree = parse_python(code)
    except SyntaxError:
        return None
    if block.language == "" and not any(isinstance(n, (ast.Import, ast.ImportFrom, ast.Call)) for n in ast.walk(tree)):
        return None
    return code, tree


def _needed(earlier: Sequence[tuple[CodeBlock, str, ast.Module]], tree: ast.Module) -> list[tuple[CodeBlock, str, ast.Module]]:
    missing = _used(tree) - _defined(tree)
    needed = []
    for entry in reversed(earlier):
        defined = _defined(entry[2])
        if missing & defined:
            needed.append(entry)
            missing = (missing - defined) | (_used(entry[2]) - defined)
        if not missing or len(needed) >= 6:
            break
    return needed[::-1]


_BUILTIN = frozenset(dir(builtins))


def _used(tree: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - _BUILTIN


def _defined(tree: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((a.asname or a.name).split(".")[0] for a in node.names)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names


def _imported(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.extend(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.extend(f"{node.module}.{a.name}" for a in node.names)
    return names


def rank_snippets(
    snippets: Sequence[Snippet], retrieved: Sequence[float], own: frozenset[str], families: Families, request: Request
) -> list[RankedSnippet]:
    """All snippets adapted to the request, best first. `retrieved` are retrieval scores 0 to 1; `own` its top-level modules."""
    around, leaning = Surroundings(request), leans_to_python(request)
    names = NameIndex([_names(s) for s in snippets])
    found = []
    for position, (snippet, score) in enumerate(zip(snippets, retrieved, strict=True)):
        named = names.match(position, request)
        adapted = adapt(snippet, request, around, named.positions, families)
        uses = any(name.split(".")[0] in own for name in snippet.imported)
        features = {
            "retrieved": 1.5 * score,
            "named": min(3.0, named.score),
            "filled": 0.8 * adapted.score,
            "own": 0.6 if uses else -1.2,
            "undefined": -0.8 if snippet.undefined else 0.0,
            "leaning": 0.8 * leaning + language_asked(request),
            "words": _overlap(snippet, request),
        }
        found.append(RankedSnippet(sum(features.values()), snippet, adapted.answer, adapted.placed, adapted.left, features))
    found.sort(key=lambda r: (-r.score, r.snippet.block.path, r.snippet.block.line))
    return found


def _names(snippet: Snippet) -> list[str]:
    headings = list(snippet.block.headings[-2:])
    bare = [re.sub(r"^[\d.\s]+|\busage\b|\([^()]*\)", "", h, flags=re.IGNORECASE) for h in headings]
    strings = [n.value for n in ast.walk(snippet.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 60]
    return [*headings, *bare, *(i.rsplit(".", 1)[-1] for i in snippet.imported), *strings]


def _overlap(snippet: Snippet, request: Request) -> float:
    """How much of the heading and the lead-in the request says, by words."""
    words = {stem(w) for h in snippet.block.headings[-2:] for w in split_identifier(h) if len(w) > 2}
    return 0.8 * len(words & request.stems) / len(words) if words else 0.0


@dataclass(frozen=True, slots=True)
class Adapted:
    score: float
    answer: Answer
    placed: int
    left: tuple[Mention, ...]


def adapt(snippet: Snippet, request: Request, around: Surroundings, used: frozenset[int], families: Families = ()) -> Adapted:
    """The snippet with the request's values in the place of its literals."""
    literals = literals_of(snippet.tree, snippet.code)
    mentions = [m for m in request.mentions if m.position not in used or m.kind in ("shape", "path", "number", "quoted", "identifier")]
    pairs = _relatives(literals, families, request)
    places, said = {literal.start for _, literal, _ in pairs}, {mention.position for mention, _, _ in pairs}
    pairs += _assign([m for m in mentions if m.position not in said], [x for x in literals if x.start not in places], around)
    where = f"{snippet.block.path}:{snippet.block.line}"
    evidence = [Evidence(snippet.code.strip().splitlines()[0] if snippet.code.strip() else "", None, where)]
    changes: list[tuple[Literal, str]] = []
    score, placed = 0.0, set()
    for mention, literal, strength in pairs:
        text = literal.render(mention.value)
        changes.append((literal, text))
        evidence.append(Evidence(text, mention.words, where))
        placed.add(mention.position)
        score += strength
    left = tuple(m for m in request.mentions if m.position not in placed and m.position not in used)
    score -= sum({"number": 0.6, "shape": 0.6, "path": 0.5, "quoted": 0.3, "identifier": 0.3}.get(m.kind, 0.0) for m in left)
    return Adapted(score, Answer("python", replace(snippet.code, changes), ".", tuple(evidence)), len(placed), left)


def _relatives(literals: Sequence[Literal], families: Families, request: Request) -> list[tuple[Mention, Literal, float]]:
    """Strings that are one of an option's choices, where the request says another of them."""
    found: list[tuple[Mention, Literal, float]] = []
    for literal in literals:
        for family in families:
            said = [(v, span) for v in sorted(family) if literal.text in family and (span := request.grams.get(squeeze(v)))]
            if literal.kind == "string" and len(said) == 1:
                value, (first, last) = said[0]
                found.append((Mention(value, "name", last, request.span(first, last)), literal, 0.9))
                break
    return found


def _assign(mentions: Sequence[Mention], literals: Sequence[Literal], around: Surroundings) -> list[tuple[Mention, Literal, float]]:
    if not mentions or not literals:
        return []
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scores = np.array([[_score(m, x, around) for x in literals] for m in mentions])
    rows, columns = linear_sum_assignment(-np.maximum(scores - 0.45, 0.0))
    return [(mentions[i], literals[j], float(scores[i, j])) for i, j in zip(rows, columns, strict=True) if scores[i, j] >= 0.45]


def _score(mention: Mention, literal: Literal, around: Surroundings) -> float:
    suits = literal.suits(mention)
    if suits == 0.0:
        return 0.0
    same = squeeze(mention.value) == squeeze(literal.text)
    if same and mention.kind != "number":
        return 1.0
    words = tuple(w for name in literal.names for w in name_words(name))
    affinity = around.score(words, mention.position)[0] if words else 0.0
    return min(1.0, 0.65 * suits + 0.45 * affinity + 0.05 * same) if suits >= 0.5 or affinity >= 0.4 else 0.0
