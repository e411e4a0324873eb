"""The uses that a snippet shows one after the other, each by itself: a document shows what a module offers, a request wants one of it."""

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ml_agent.policies.grounded.flows import Snippet, rewritten
from ml_agent.repo.documents import CodeBlock

MOST = 8
"""Uses that one snippet is taken apart into; one with more is a table of what there is."""

_Names = frozenset[str]


def taken_apart(snippets: Sequence[Snippet], own: Collection[str]) -> tuple[list[Snippet], _Names]:
    """The snippets, and behind them what each shows by itself; and the code of those that show several uses."""
    found, several = {s.code: s for s in snippets}, set[str]()
    for snippet in snippets:
        if uses := uses_of(snippet, own):
            several.add(snippet.code)
            for use in uses:
                found.setdefault(use.code, use)
    return list(found.values()), frozenset(several)


def uses_of(snippet: Snippet, own: Collection[str]) -> list[Snippet]:
    """Each use of the repository's modules with the imports and the inputs that it needs; none if there is only one.

    What a call makes and what is called with it belong together. What is made without the repository (`x = torch.randn(2, 3)`) goes
    with each use that reads it. `own`: the names of the modules.
    """
    body = snippet.tree.body
    imports = [n for n in body if isinstance(n, (ast.Import, ast.ImportFrom))]
    known = frozenset(name for node in imports for name in _bound(node, own))
    statements = [n for n in body if n not in imports]
    lines = [n.lineno for n in body]
    if not known or len(statements) < 2 or len(set(lines)) < len(lines):
        return []
    needs = _needs(statements)
    groups: list[set[int]] = []
    for number, statement in enumerate(statements):
        joined = [group for group in groups if group & needs[number]]
        if joined or known & _loaded(statement):
            groups = [group for group in groups if group not in joined]
            groups.append(set[int]().union({number}, *joined))
    if not 2 <= len(groups) <= MOST:
        return []
    groups.sort(key=min)
    code = snippet.code.split("\n")  # what was put around the block is another's
    own_groups = [group for group in groups if _shows(snippet.block, code, [statements[n] for n in group])]
    made = (_alone(snippet, imports, statements, group, needs) for group in own_groups)
    return [use for use in made if use is not None]


def _bound(node: ast.Import | ast.ImportFrom, own: Collection[str]) -> Iterator[str]:
    """What an import calls the repository's things."""
    if isinstance(node, ast.ImportFrom):
        if node.level or (node.module or "").split(".")[0] in own:
            yield from (alias.asname or alias.name for alias in node.names)
    else:
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names if alias.name.split(".")[0] in own)


def _loaded(node: ast.AST) -> _Names:
    """Names that a statement reads; one whose part it sets (`net.head = x`) is read as well."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _made(node: ast.AST) -> _Names:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names | {n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))})


def _needs(statements: Sequence[ast.stmt]) -> list[set[int]]:
    """Of each statement: those before it that made what it reads."""
    last: dict[str, int] = {}
    found = []
    for number, statement in enumerate(statements):
        found.append({last[name] for name in _loaded(statement) if name in last})
        last |= dict.fromkeys(_made(statement), number)
    return found


def _shows(block: CodeBlock, lines: Sequence[str], statements: Sequence[ast.stmt]) -> bool:
    """Whether one of them stands in the block."""
    shown = {line.strip() for line in block.code.splitlines()}
    return any(lines[s.lineno - 1].strip() in shown for s in statements)


def _alone(
    snippet: Snippet, imports: Sequence[ast.stmt], statements: Sequence[ast.stmt], group: Collection[int], needs: Sequence[set[int]]
) -> Snippet | None:
    chosen, waiting = set[int](), list(group)
    while waiting:
        number = waiting.pop()
        chosen.add(number)
        waiting += needs[number] - chosen
    kept = [statements[n] for n in sorted(chosen)]
    used = frozenset[str]().union(*map(_loaded, kept))
    lines = snippet.code.split("\n")
    text = [line for node in imports if (line := _import(node, used))]
    for before, node in zip([None, *kept], kept, strict=False):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if before is None or first - (before.end_lineno or before.lineno) > 1:
            text.append("")
        text += lines[first - 1 : node.end_lineno]
    alone = rewritten(snippet, "\n".join([*text, ""]))
    return alone and replace(alone, blocks=tuple(b for b in snippet.blocks if _shows(b, lines, kept)) or (snippet.block,))


def _import(node: ast.stmt, used: _Names) -> str:
    """The import without the names that nothing reads; "" if there is none left."""
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    names = [a for a in node.names if a.name == "*" or (a.asname or a.name).split(".")[0] in used]
    if isinstance(node, ast.ImportFrom):
        return ast.unparse(ast.ImportFrom(node.module, names, node.level)) if names else ""
    return ast.unparse(ast.Import(names)) if names else ""
