"""Classes and functions of a repository's Python that fit a text: where they are imported from, what they take, what they can do."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ml_agent.repo.examples import example_in
from ml_agent.repo.modules.definitions import Definition, Signature
from ml_agent.repo.modules.source import class_source, signature_of
from ml_agent.repo.named import named
from ml_agent.repo.oldpython import parse_old_python
from ml_agent.repo.pysource import unparse, walk

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex

_READ = 12
"""Files that are read for one text."""
_METHODS = 40
_CHOICES = 60


@dataclass(frozen=True, slots=True)
class Taken:
    """One parameter, with what its function says of it."""

    name: str
    kind: str
    """As in `definitions.ParameterKind`."""
    default: str | None = None
    """As source text, on one line; None if it has none."""
    annotation: str | None = None
    help: str = ""
    choices: tuple[str, ...] = ()
    """Strings that the body compares it with, or keys that it looks up with it; numbers as text."""
    called: bool = False
    """The body calls it: a class or a function has to be given."""

    @property
    def required(self) -> bool:
        return self.default is None and self.kind not in ("args", "kwargs")


@dataclass(frozen=True, slots=True)
class Callee:
    """A class, function or method that can be called."""

    kind: Literal["class", "function", "method"]
    name: str
    path: str
    line: int
    module: str
    """The shortest module that offers it from the root; empty if only a program in its own folder can import it, and for a method."""
    doc: str = ""
    """The first line of its docstring."""
    takes: tuple[Taken, ...] = ()
    """Without `self` or `cls`; of a class: what its constructor takes."""
    bases: tuple[str, ...] = ()
    """As the source has them: `nn.Module`. Those of a function's are of the class of its file that it makes and returns."""
    methods: tuple["Callee", ...] = ()
    """Public ones of a class, and `__call__`, in the order of the source; its bases' in the same file too. Of a function: as above."""
    of_class: bool = False
    """A class method or static one: it is called on the class."""
    library: str = ""
    """What its file imports of torch, tensorflow, jax and numpy, the first of them."""
    example: str = ""
    """What its docstring shows of its use, as Python code."""

    @property
    def source(self) -> str:
        return f"{self.path}:{self.line}"


def find_callables(index: "RepoIndex", text: str, limit: int) -> list[tuple[float, Callee]]:
    """At most `limit` classes and functions whose names the text says or describes, with a score above zero, best first."""
    ranked = named(index.names, text)
    found: list[tuple[float, Callee]] = []
    read: dict[str, ast.Module | None] = {}
    for score, name, path in ranked:
        if path not in read:
            if len(read) >= _READ:
                continue
            read[path] = _tree(index, path)
        tree = read[path]
        callee = _read(index, tree, path, name) if tree else None
        if callee is not None:
            found.append((score, callee))
        if len(found) >= limit:
            break
    index.keep_sources()
    return found


def _tree(index: "RepoIndex", path: str) -> ast.Module | None:
    try:
        text = index.files.read(path)
        return None if text.cut or text.binary else parse_old_python(text.text)
    except (OSError, SyntaxError):
        return None


def _read(index: "RepoIndex", tree: ast.Module, path: str, name: str) -> Callee | None:
    node = next((n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name), None)
    if node is None:
        return None
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    offered = index.modules.offered(path, name)
    library = _library(tree)
    if isinstance(node, ast.ClassDef):
        return replace(_class(node, path, offered, classes, _tables(tree)), library=library)
    made = _function(node, "function", path, offered.module if offered else "", _tables(tree))
    inner, handed_on = _made(node, classes)
    of = _class(inner, path, None, classes, _tables(tree)) if inner is not None else _made_elsewhere(index, node, path)
    if of is not None:
        more = [replace(t, kind="keyword_only") for t in of.takes if t.default and t.name not in {m.name for m in made.takes}]
        made = replace(made, bases=of.bases, methods=of.methods, takes=(*made.takes, *(more if handed_on else ())))
    return replace(made, library=library)


_LIBRARIES = ("torch", "tensorflow", "jax", "numpy")


def _library(tree: ast.Module) -> str:
    names = {a.name.split(".")[0] for n in tree.body if isinstance(n, ast.Import) for a in n.names}
    names |= {(n.module or "").split(".")[0] for n in tree.body if isinstance(n, ast.ImportFrom) and n.level == 0}
    return next((library for library in _LIBRARIES if library in names), "")


def _made(node: ast.FunctionDef, classes: Mapping[str, ast.ClassDef]) -> tuple[ast.ClassDef | None, bool]:
    """The class of the same file that a function makes last, and whether it hands its own `**kwargs` on to it."""
    calls = [n for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in classes]
    if not calls or not any(isinstance(n, ast.Return) and n.value for n in walk(node)):
        return None, False
    extra = node.args.kwarg.arg if node.args.kwarg else None
    handed_on = any(k.arg is None and isinstance(k.value, ast.Name) and k.value.id == extra for k in calls[-1].keywords)
    return classes[calls[-1].func.id], handed_on  # type: ignore[attr-defined]


def _made_elsewhere(index: "RepoIndex", node: ast.FunctionDef, path: str) -> Callee | None:
    """The class of another file that a function says that it returns, or that it makes last."""
    module = index.modules.of_file(path)
    returned = [n for n in walk(node) if isinstance(n, ast.Return) and n.value is not None]
    if module is None or not returned:
        return None
    said = [n.id for n in walk(node.returns) if isinstance(n, ast.Name)] if node.returns else []
    called = [n.func.id for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id[:1].isupper()]
    for name in dict.fromkeys([*said, *reversed(called)]):
        found = module.get(name)
        if found is None or found.kind != "class" or found.path == path:
            continue
        tree = _tree(index, found.path)
        classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)} if tree else {}
        if tree and name in classes:
            return _class(classes[name], found.path, None, classes, _tables(tree))
    return None


def _class(
    node: ast.ClassDef,
    path: str,
    offered: Definition | None,
    classes: Mapping[str, ast.ClassDef],
    tables: Mapping[str, tuple[str, ...]],
) -> Callee:
    line_of = list(_ancestry(node, classes))
    makers = [m for c in line_of for m in _functions(c) if m.name == "__init__"]
    if makers:
        takes = _takes(makers[0], signature_of(makers[0], drop_first=True, decorated=True), tables, (ast.get_docstring(node) or ""))
        for maker, of_base in pairwise(makers):
            if not _hands_on(maker):
                break
            more = _takes(of_base, signature_of(of_base, drop_first=True, decorated=True), tables, "")
            takes += tuple(replace(t, kind="keyword_only") for t in more if t.default and t.name not in {m.name for m in takes})
    else:
        own = class_source(node)  # its own fields, where those of a base cannot be known
        signature = (offered.signature if offered else None) or (own.init if own.dataclass else None)
        takes = _takes(None, signature, tables, ast.get_docstring(node) or "")
    methods: dict[str, Callee] = {}
    for owner in line_of:
        for method in _functions(owner):
            if not method.name.startswith("_") or method.name == "__call__":
                methods.setdefault(method.name, _function(method, "method", path, "", tables))
    bases = tuple(dict.fromkeys(unparse(b) for c in line_of for b in c.bases))
    module = offered.module if offered else ""
    documented: list[ast.ClassDef | ast.FunctionDef] = [node, *makers[:1]]
    shown = next((example for part in documented if (example := example_in(ast.get_docstring(part) or ""))), "")
    kept = tuple(methods.values())[:_METHODS]
    return Callee("class", node.name, path, node.lineno, module, _first(node), takes, bases, kept, example=shown)


def _hands_on(maker: ast.FunctionDef) -> bool:
    """Whether a constructor gives its own `**kwargs` to that of its base."""
    extra = maker.args.kwarg.arg if maker.args.kwarg else None
    return extra is not None and any(
        isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and n.func.attr == "__init__"
        and any(k.arg is None and isinstance(k.value, ast.Name) and k.value.id == extra for k in n.keywords)
        for n in walk(maker)
    )


def _ancestry(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """The class and its bases of the same file, nearest first."""
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        this = waiting.pop(0)
        if this.name in seen:
            continue
        seen.add(this.name)
        yield this
        waiting += [classes[b.id] for b in this.bases if isinstance(b, ast.Name) and b.id in classes]


def _functions(owner: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    return (n for n in owner.body if isinstance(n, ast.FunctionDef))


def _function(
    node: ast.FunctionDef, kind: Literal["function", "method"], path: str, module: str, tables: Mapping[str, tuple[str, ...]]
) -> Callee:
    marks = {unparse(d) for d in node.decorator_list}
    bound = kind == "method" and "staticmethod" not in marks
    signature = signature_of(node, drop_first=bound, decorated=True)
    takes = _takes(node, signature, tables, "")
    of_class = kind == "method" and bool(marks & {"staticmethod", "classmethod"})
    shown = example_in(ast.get_docstring(node) or "") if kind == "function" else ""
    return Callee(kind, node.name, path, node.lineno, module, _first(node), takes, of_class=of_class, example=shown)


def _first(node: ast.FunctionDef | ast.ClassDef) -> str:
    text = (ast.get_docstring(node) or "").strip()
    return text.split("\n", 1)[0].strip()[:200]


def _takes(
    node: ast.FunctionDef | None, signature: Signature | None, tables: Mapping[str, tuple[str, ...]], said: str
) -> tuple[Taken, ...]:
    """`said`: a docstring besides the function's own."""
    if signature is None:
        return ()
    doc = f"{said}\n{(ast.get_docstring(node) or '') if node else ''}"
    parts = list(walk(node)) if node else []
    choices = _choices(parts, tables)
    called = {n.func.id for n in parts if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return tuple(
        Taken(p.name, p.kind, p.default, p.annotation, _help(doc, p.name), tuple(choices.get(p.name, ()))[:_CHOICES], p.name in called)
        for p in signature.parameters
    )


def _help(doc: str, name: str) -> str:
    """What a docstring says of a parameter: `name (int): text`, `name : int` and the line below, `:param name: text`."""
    if name not in doc:
        return ""
    kind = r"\s*(?:\((?:[^()\n]|\([^()\n]*\))*\))?"  # (int), (tuple(int))
    start = r"^[ \t]*(?:[-*]\s*)?(?::param(?:\s+\w+)?\s+)?"
    match = re.search(rf"{start}`{{0,2}}{re.escape(name)}`{{0,2}}{kind}\s*:[ \t]*(.*)$", doc, re.MULTILINE)
    if match is None:
        return ""
    text = match.group(1).strip()
    if len(text.split()) < 3:
        below = doc[match.end() :].lstrip("\n").split("\n", 1)[0]
        text = below.strip() if below.startswith((" ", "\t")) and ":" not in below[:30] else text
    return text[:200]


def _tables(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Dictionaries at the top of a file, with their constant keys."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = tuple(str(k.value) for k in node.value.keys if isinstance(k, ast.Constant))
    return found


def _choices(parts: Iterable[ast.AST], tables: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, None]]:
    """Parameter -> strings that a function compares it with, or keys of a dictionary at the top of the file that it looks up."""
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        if isinstance(part, ast.Compare) and isinstance(part.left, ast.Name) and len(part.comparators) == 1:
            other = part.comparators[0]
            values = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]
            said = [v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str) and v.value]
            found.setdefault(part.left.id, {}).update(dict.fromkeys(said))
        elif isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and isinstance(part.slice, ast.Name):
            found.setdefault(part.slice.id, {}).update(dict.fromkeys(tables.get(part.value.id, ())))
    return found
