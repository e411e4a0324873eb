"""Documented Python that stands on its own: blocks of a document that continue each other, put together."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ml_agent.repo.documents import CodeBlock, Section
from ml_agent.repo.documents.pythontext import python_of
from ml_agent.repo.pysource import parse_python
from ml_agent.repo.unbound import KNOWN, read_too_early

MAX_BEFORE, MAX_BEHIND = 8, 4
"""Blocks that are put in front of one, and behind it."""
_MAX_CODE = 20_000
_USUAL_IMPORTS = {
    "F": "import torch.nn.functional as F",
    "Path": "from pathlib import Path",
    "json": "import json",
    "math": "import math",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "os": "import os",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "random": "import random",
    "sys": "import sys",
    "tf": "import tensorflow as tf",
    "time": "import time",
    "torch": "import torch",
    "torchvision": "import torchvision",
}
"""Names that documents use without importing them, because everybody knows what they stand for."""
_NOTEBOOK_ONLY = frozenset({"display", "get_ipython"})
"""Functions that exist in a notebook alone."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A block of Python, after the earlier blocks that it needs and before those that go on from it."""

    block: CodeBlock
    blocks: tuple[CodeBlock, ...]
    """All that it is made of, `block` among them, in the order of the document."""
    code: str
    tree: ast.Module
    imported: tuple[str, ...]
    """Names that it imports, with their modules: `pkg.mod.Name`."""
    undefined: tuple[str, ...]
    """Names that it uses and nothing before it defines, in the order of their use."""
    nodes: tuple[ast.AST, ...]
    """All of `tree`, in the order of ast.walk."""


@dataclass(frozen=True, slots=True)
class _Part:
    block: CodeBlock
    code: str
    used: frozenset[str]
    """Names that it takes from what stands before."""
    defined: frozenset[str]
    made: frozenset[str]
    """Those of `defined` that are no imports."""
    imports: str
    """The lines of its imports."""


def read_snippets(blocks: Sequence[CodeBlock]) -> list[Snippet]:
    """The Python among the blocks, each as a snippet of its own, without repeats; blocks of one document complete each other."""
    by_path: dict[str, list[_Part]] = {}
    for block in blocks:
        part = _part(block)
        if part:
            by_path.setdefault(block.path, []).append(part)
    found: dict[str, Snippet] = {}
    for parts in by_path.values():
        parts.sort(key=lambda p: p.block.line)
        for position in range(len(parts)):
            snippet = _snippet(parts, position)
            if snippet:
                found.setdefault(snippet.code, snippet)
    return list(found.values())


def rewritten(snippet: Snippet, code: str) -> Snippet | None:
    """The same blocks with other code; None if that is no Python."""
    try:
        tree = parse_python(code)
    except SyntaxError:
        return None
    nodes = tuple(ast.walk(tree))
    undefined = _in_order(_taken(tree, nodes), nodes)
    return replace(snippet, code=code, tree=tree, imported=tuple(_imported(nodes)), undefined=undefined, nodes=nodes)


def _snippet(parts: Sequence[_Part], position: int) -> Snippet | None:
    chosen = [*_before(parts, position), parts[position], *_behind(parts, position)]
    if (program := _program("\n".join(p.code for p in chosen))) is None:
        return None
    whole = tuple(p.block for p in chosen if p.code != p.imports)
    return Snippet(parts[position].block, whole or (parts[position].block,), *program)


@lru_cache(maxsize=1 << 10)
def _program(code: str) -> tuple[str, ast.Module, tuple[str, ...], tuple[str, ...], tuple[ast.AST, ...]] | None:
    """What a snippet has from `code` on, with the imports that everybody knows; None if it is no Python."""
    try:
        tree = parse_python(code)
    except SyntaxError:
        return None
    nodes = tuple(ast.walk(tree))
    missing = _taken(tree, nodes)
    written = code
    if "kwargs" in missing:  # a signature that is shown as a call
        code = re.sub(r",?\s*\*\*kwargs\b", "", code)
        missing.discard("kwargs")
    if usual := [_USUAL_IMPORTS[name] for name in sorted(missing & _USUAL_IMPORTS.keys())]:
        code = "\n".join([*usual, code])
    if code != written:
        tree = parse_python(code)
        nodes = tuple(ast.walk(tree))
    return code, tree, tuple(_imported(nodes)), _in_order(missing - _USUAL_IMPORTS.keys(), nodes), nodes


def _in_order(names: set[str], nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    """The names in the order of their use."""
    return tuple(dict.fromkeys(n.id for n in nodes if isinstance(n, ast.Name) and n.id in names))


@lru_cache(maxsize=1 << 11)
def _part(block: CodeBlock) -> _Part | None:
    if block.language not in ("python", "pycon", "") or len(block.code) > _MAX_CODE:
        return None
    if (found := python_of(block.code)) is None:
        return None
    code, tree = found
    nodes = tuple(ast.walk(tree))
    if not tree.body or (block.language == "" and not any(isinstance(n, (ast.Import, ast.ImportFrom, ast.Call)) for n in nodes)):
        return None
    code = _without_display(code, tree)
    if not code.strip():
        return None
    defined = _defined(nodes)
    imports = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    names, lines = {(a.asname or a.name).split(".")[0] for n in imports for a in n.names}, "\n".join(map(ast.unparse, imports))
    return _Part(block, code, frozenset(_taken(tree, nodes)), frozenset(defined), frozenset(defined - names), lines)


def _without_display(code: str, tree: ast.Module) -> str:
    """Top-level calls that only a notebook can make are dropped, with their lines."""
    lines = code.split("\n")
    for node in tree.body:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _NOTEBOOK_ONLY:
            for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[line] = ""
    return "\n".join(lines)


def _before(parts: Sequence[_Part], position: int) -> list[_Part]:
    """The nearest earlier blocks that define what the block uses, and what those use; of one that only imports it, the imports."""
    missing = set(parts[position].used)
    needed: list[_Part] = []
    for part in reversed(parts[:position]):
        if missing & part.made:
            needed.append(part)
            missing = (missing - part.defined) | part.used
        elif missing & part.defined:
            needed.append(_Part(part.block, part.imports, frozenset(), part.defined - part.made, frozenset(), part.imports))
            missing -= part.defined
        if not missing or len(needed) >= MAX_BEFORE:
            break
    return needed[::-1]


def _behind(parts: Sequence[_Part], position: int) -> list[_Part]:
    """The blocks that go on from the block: each uses what is made so far, under the same heading (in a notebook: anywhere).

    A block that makes again what the block made begins another variant.
    """
    start = parts[position]
    made: set[str] = set(start.made)
    added: list[_Part] = []
    for part in parts[position + 1 :]:
        same = part.block.headings == start.block.headings or part.block.path.endswith(".ipynb")
        if not same or part.made & start.made or not part.used & made or len(added) >= MAX_BEHIND:
            break
        added.append(part)
        made |= part.made
    return added


_BUILTIN = KNOWN | _NOTEBOOK_ONLY | {"__path__"}


def _used(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - _BUILTIN


def _taken(tree: ast.Module, nodes: Sequence[ast.AST]) -> set[str]:
    """Names that the code uses and nothing before it defines."""
    return (_used(nodes) - _defined(nodes)) | (read_too_early(tree).keys() - _NOTEBOOK_ONLY)


def _defined(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((a.asname or a.name).split(".")[0] for a in node.names)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names


def _imported(nodes: Iterable[ast.AST]) -> list[str]:
    names: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names.extend(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.extend(f"{node.module}.{a.name}" for a in node.names)
    return names


def _short_names(nodes: Iterable[ast.AST], own: frozenset[str]) -> Iterator[str]:
    """What programs call the repository's modules that they import: `np` for `import numpy as np`, `a` for `import a.b`."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (a.asname or a.name.split(".")[0] for a in node.names if a.name.split(".")[0] in own)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in own:
            yield from (a.asname for a in node.names if a.asname)


def _root(node: ast.expr) -> str:
    """`a` of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def imported_names(sections: Sequence[tuple[float, Section]], own: frozenset[str]) -> list[str]:
    """What documented code imports from the repository, and the functions that it calls of its modules, the best section's first."""
    names: dict[str, None] = {}
    ordered = sorted(sections, key=lambda s: -s[0])
    for _, section in ordered:
        for snippet in read_snippets(section.blocks):
            mine = [full for full in snippet.imported if full.split(".")[0] in own]
            names.update(dict.fromkeys(full.rsplit(".", 1)[-1] for full in mine))
            modules = {full.rsplit(".", 1)[-1] for full in mine} | set(_short_names(snippet.nodes, own))
            for node in snippet.nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                    names[node.attr] = None
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _root(node.func) in modules:
                    names[node.func.attr] = None
    return [name for name in names if name.isidentifier()]
