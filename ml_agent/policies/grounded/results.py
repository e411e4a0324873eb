"""Files that a request wants written, and the line that writes a program's result to one."""

import ast
import re
from collections.abc import Sequence

from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.pysource import parse_python

_CODE = r"(?!\s+(?:[\w-]+\s+){0,4}?(?:python|code|script|program|snippet|pipeline|call)\b)"
"""`write Python that ...` writes no file."""
_VERB = rf"\b(?:(?:sav|stor|writ|preserv)(?:es?|ing){_CODE}|(?:export|dump|keep|record|put)(?:s|ing)?)\b"
_DONE = r"\b(?:and|be|then)\s+(?:\w+ly\s+)?(?:saved|stored|written|preserved|exported|dumped|kept|recorded)\b"
_WANTED = (
    re.compile(rf"(?:{_VERB}|{_DONE})[^.;:]{{0,60}}\b(?:as|called|named)\s+(?:\S+\s+){{0,3}}$", re.IGNORECASE),
    re.compile(rf"(?:{_VERB}|{_DONE})[^.;:]{{0,60}}\b(?:to|into|in|under)\s+(?:\S+\s+){{0,2}}$", re.IGNORECASE),
    re.compile(r"\b(?:write|output:?|->)\s+$", re.IGNORECASE),
)
"""What stands before a file that is to be written."""
_LOADS = re.compile(r"(?:^|_)(?:im)?(?:load|read|open)(?:er|s)?(?:_|$)|^from_")
_WRITES = re.compile(r"(?:^|_)(?:im)?(?:write|save|dump|export)(?:r|s|fig|txt|z)?(?:_|$)|^to_")
_SAYS_WRITTEN = re.compile(
    r"\b(?:(?:sav|stor|writ|wrote|export|dump|record|keep|kept|put)\w*|outputs?|results?|call|named|into|to \S+\.\w{2,4})\b|->",
    re.IGNORECASE,
)
_WRITERS = {
    ".npy": ("import numpy as np", "np.save({path}, {name})"),
    ".pt": ("import torch", "torch.save({name}, {path})"),
    ".pth": ("import torch", "torch.save({name}, {path})"),
    ".pkl": ("import pickle", "pickle.dump({name}, open({path}, 'wb'))"),
    ".json": ("import json", "json.dump({name}, open({path}, 'w'))"),
    ".csv": ("import pandas as pd", "pd.DataFrame({name}).to_csv({path}, index=False)"),
    ".txt": ("", "open({path}, 'w').write(str({name}))"),
}
"""How data are written, by the extension of the file: (import or nothing, statement)."""


def written(request: Request) -> frozenset[int]:
    """Positions of the files that are to be written: `save it as x.npy`, `writes the table to x.csv`; not `the one stored in x.csv`."""
    found = set()
    for mention in request.mentions:
        if mention.kind in ("path", "quoted") and extension(mention.value):
            before = request.text[: request.tokens[mention.position].start]
            if any(pattern.search(before) for pattern in _WANTED):
                found.add(mention.position)
    return frozenset(found)


def loads(call: str) -> bool:
    """Whether a function of this name reads the file that it is given."""
    return _LOADS.search(call.lower()) is not None


def only_writes(call: str, request: Request) -> bool:
    """Whether a function of this name writes the file that it is given, where the request says nothing of a file to be written."""
    return _WRITES.search(call.lower()) is not None and _SAYS_WRITTEN.search(request.text) is None


def saved(code: str, left: Sequence[Mention], request: Request) -> tuple[str, tuple[Mention, ...]]:
    """The program with its result written to the one file that the request wants written and that has no place yet, and that file."""
    wanted = written(request)
    files = [m for m in left if m.position in wanted and extension(m.value) in _WRITERS]
    try:
        tree = parse_python(code)
    except SyntaxError:
        return code, ()
    name = _result(tree)
    if len(files) != 1 or not name:
        return code, ()
    first, statement = _WRITERS[extension(files[0].value)]
    line = statement.format(path=repr(files[0].value), name=name)
    start = f"{first}\n" if first and first not in code.splitlines() else ""
    return f"{start}{code.rstrip()}\n{line}\n", (files[0],)


def _result(tree: ast.Module) -> str:
    """The name that the last statement of the program gives something that it calls for, besides statements that only show."""
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id if isinstance(node.value, (ast.Call, ast.Subscript)) else ""
        if isinstance(node, ast.With) and (inner := _result(ast.Module(node.body, []))):
            return inner
        if not isinstance(node, (ast.Expr, ast.For, ast.If)):
            return ""
    return ""
