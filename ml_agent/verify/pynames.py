"""What a Python answer binds and uses, read from its tree without recursion."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ml_agent.repo.pysource import dotted_name

_RUNNERS = frozenset(
    {
        "os.system",
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
        "os.popen",
        "subprocess.getoutput",
    }
)


@dataclass(slots=True)
class PyNames:
    """Facts about one program. A node is guarded if an exception that it raises may be caught right there."""

    imports: list[tuple[ast.Import | ast.ImportFrom, bool]] = field(default_factory=list)
    rebound: set[str] = field(default_factory=set)
    """Names that something other than an import binds, in any scope."""
    uses: list[tuple[ast.expr, bool]] = field(default_factory=list)
    """Names that are read, and chains of attributes as a whole."""
    calls: list[tuple[ast.Call, bool]] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    texts: dict[str, str | None] = field(default_factory=dict)
    """Names that are assigned once, a text that is written out; None for a name that is assigned again."""
    search_path: list[str] = field(default_factory=list)
    """Folders that the program itself puts on `sys.path`."""
    search_path_unknown: bool = False
    """It changes `sys.path` in a way that only a run can tell."""


def read_names(tree: ast.Module) -> PyNames:
    found = PyNames()
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, guarded = stack.pop()
        _note(node, guarded, found)
        if isinstance(node, (ast.Try, ast.TryStar)):
            caught = guarded or bool(node.handlers)
            stack.extend((n, caught) for n in node.body)
            stack.extend((n, guarded) for n in (*node.handlers, *node.orelse, *node.finalbody))
        elif isinstance(node, (ast.With, ast.AsyncWith)) and any(
            "suppress" in (dotted_name(i.context_expr.func) or "") for i in node.items if isinstance(i.context_expr, ast.Call)
        ):
            stack.extend((n, True) for n in ast.iter_child_nodes(node))
        else:
            if isinstance(node, ast.Attribute):  # the chain is noted as a whole; go on below it
                while isinstance(node, ast.Attribute):
                    node = node.value
                stack.append((node, guarded))
                continue
            stack.extend((n, guarded) for n in ast.iter_child_nodes(node))
    return found


def _note(node: ast.AST, guarded: bool, found: PyNames) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        target = node.targets[0].id
        text = node.value.value if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else None
        found.texts[target] = text if target not in found.texts and target not in found.rebound else None
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        found.imports.append((node, guarded))
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        found.rebound.add(node.id)
    elif isinstance(node, ast.Attribute):
        name = dotted_name(node)
        if not isinstance(node.ctx, ast.Load) and name:
            found.rebound.add(name.split(".")[0])  # `module.x = ...`: from here on anything may be there
        elif name:
            found.uses.append((node, guarded))
        if name == "sys.path":
            found.search_path_unknown = True
    elif isinstance(node, ast.Call):
        found.calls.append((node, guarded))
        _note_search_path(node, found)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        found.strings.append(node.value)
    else:
        found.rebound.update(_other_names(node))


def _other_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _note_search_path(node: ast.Call, found: PyNames) -> None:
    name = dotted_name(node.func) or ""
    if not name.startswith(("sys.path.", "site.addsitedir", "os.chdir")):
        return
    folder = node.args[-1] if node.args else None
    if isinstance(folder, ast.Constant) and isinstance(folder.value, str):
        found.search_path.append(folder.value)
    else:
        found.search_path_unknown = True


def command_of(node: ast.Call, texts: Mapping[str, str | None] | None = None) -> str | None:
    """The command line that `os.system` or `subprocess` is given, if it is written out; None otherwise. `texts`: of `PyNames`."""
    import shlex

    if dotted_name(node.func) not in _RUNNERS or not node.args or any(k.arg in ("cwd", "env", None) for k in node.keywords):
        return None
    command = node.args[0]
    if (text := _text(command, texts or {})) is not None:
        return text
    if not isinstance(command, ast.List):
        return None
    words: list[str] = []
    for element in command.elts:
        if (text := _text(element, texts or {})) is not None:
            words.append(text)
        elif dotted_name(element) == "sys.executable":
            words.append("python")
        else:
            return None
    return shlex.join(words)


def _text(node: ast.expr, texts: Mapping[str, str | None]) -> str | None:
    """A text that is written out, perhaps in a variable or with variables in it; None if it is none."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return texts.get(node.id)
    if isinstance(node, ast.FormattedValue):
        return _text(node.value, texts) if node.format_spec is None and node.conversion == -1 else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [_text(part, texts) for part in node.values]
    return None if None in parts else "".join(part for part in parts if part is not None)
