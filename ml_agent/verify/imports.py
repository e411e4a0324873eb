"""Do the imports of a Python answer lead to something in the repository?"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import squeeze
from ml_agent.repo.modules import Module, nearest_names
from ml_agent.repo.modules.definitions import Definition
from ml_agent.repo.modules.roots import join, read_text, split
from ml_agent.verify.findings import Finding
from ml_agent.verify.pynames import PyNames

_REQUIREMENTS = re.compile(r"^(requirements.*\.(txt|in)|setup\.(py|cfg)|pyproject\.toml|environment.*\.ya?ml|Pipfile|conda.*\.ya?ml)$")
_DOCUMENTS = (".md", ".rst", ".txt", ".ipynb", ".org")

Bound = tuple[Module, str | None]
"""What an imported name stands for: a module, or a name of it."""


@dataclass(slots=True)
class Imports:
    findings: list[Finding] = field(default_factory=list)
    bound: dict[str, Bound] = field(default_factory=dict)
    """Names that surely mean something of the repository."""
    used: bool = False
    """Something of the repository is imported."""
    stars: frozenset[str] | None = frozenset()
    """Names that `import *` binds; None if they are not known."""


class ImportChecker:
    def __init__(self, index: RepoIndex, workdir: str, names: PyNames) -> None:
        self._index = index
        self._modules = index.modules
        self._workdirs = [workdir]
        self._mentions: dict[str, bool] = {}
        self._names = names
        self._exact = not names.search_path_unknown
        for folder in names.search_path:
            if (known := join(workdir, folder)) is not None and index.files.is_folder(known):
                self._workdirs.append(known)
            else:
                self._exact = False

    def check(self) -> Imports:
        found = Imports()
        bound: dict[str, set[Bound]] = {}
        stars: list[Module] = []
        ambiguous: set[str] = set(self._names.rebound)
        unknown_star = False
        for node, guarded in self._names.imports:
            findings = list(self._check(node))
            if not guarded:
                found.findings.extend(findings)
            for name, target in self._bind(node):
                if target is None:
                    ambiguous.add(name)
                else:
                    found.used = True
                    bound.setdefault(name, set()).add(target)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                module = self._find(node.module or "") if node.level == 0 else None
                if module is None or module.open_ended:
                    unknown_star = True
                if module is not None:
                    found.used = True
                    stars.append(module)
        starred = {(module, name) for module in stars for name in _starred(module)}
        for module, name in starred:
            bound.setdefault(name, set()).add((module, name))
        if unknown_star:
            return Imports(found.findings, {}, found.used, None)
        found.stars = frozenset(name for _, name in starred)
        found.bound = {name: next(iter(targets)) for name, targets in bound.items() if len(targets) == 1 and name not in ambiguous}
        return found

    def _find(self, dotted: str) -> Module | None:
        return next((m for w in self._workdirs if (m := self._modules.find(dotted, w))), None)

    def _bind(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Bound | None]]:
        """The names that an import binds, each with what it means in the repository; None if it comes from elsewhere."""
        for alias in node.names:
            if alias.name == "*":
                continue
            if isinstance(node, ast.Import):
                dotted = alias.name if alias.asname else alias.name.split(".")[0]
                module = None if _standard(dotted) else self._find(dotted)
                yield alias.asname or dotted, (module, None) if module else None
            else:
                name = node.module or ""
                module = None if node.level or _standard(name) else self._find(name)
                yield alias.asname or alias.name, (module, alias.name) if module else None

    def _check(self, node: ast.Import | ast.ImportFrom) -> Iterator[Finding]:
        place = ast.unparse(node)
        if isinstance(node, ast.ImportFrom):
            if node.level:
                yield Finding(
                    "import",
                    "a program of its own has no parent package: a relative import fails",
                    place,
                    suggestion=place.replace(f"from {'.' * node.level}", "from ", 1) if node.module else None,
                )
                return
            yield from self._check_module(node.module or "", place, tuple(a.name for a in node.names))
            module = None if _standard(node.module or "") else self._find(node.module or "")
            if module is not None:
                for alias in node.names:
                    if alias.name != "*" and (finding := self.missing_name(module, alias.name, place)):
                        yield finding
        else:
            for alias in node.names:
                yield from self._check_module(alias.name, f"import {alias.name}", ())

    def _check_module(self, dotted: str, place: str, imported: tuple[str, ...]) -> Iterator[Finding]:
        if _standard(dotted) or self._find(dotted):
            return
        parts = dotted.split(".")
        owner = next((m for w in self._workdirs for m in [self._modules.owner(dotted, w)] if m), None)
        if owner is None:
            yield from self._unknown(dotted, place, imported)
            return
        missing = parts[owner.dotted.count(".") + 1]
        if not owner.place.readable or owner.get(missing) or self._modules.may_be_generated(missing):
            return
        suggestion = next((_import_line(d) for name in imported if name != "*" for d in self._exact_exports(name)), None)
        if suggestion is None and (near := nearest_names(missing, owner.submodules, 1)):
            suggestion = place.replace(
                dotted, ".".join([*parts[: owner.dotted.count(".") + 1], near[0], *parts[owner.dotted.count(".") + 2 :]])
            )
        # A folder without `__init__.py` gives way to an installed package of the same name.
        severity = self._severity(owner, uncertain=owner.namespace and "." not in owner.dotted)
        yield Finding("import", f"`{owner.dotted}` has no module `{missing}`", place, f"{owner.path}:1", suggestion, severity)

    def missing_name(self, module: Module, name: str, place: str) -> Finding | None:
        """A finding if the module has no such name."""
        if module.get(name) or module.open_ended or (module.package and self._modules.may_be_generated(name)):
            return None
        exact = next(iter(self._exact_exports(name)), None)
        near = nearest_names(name, {*module.names, *module.submodules}, 1)
        suggestion = _import_line(exact) if exact else f"from {module.dotted} import {near[0]}" if near else None
        if suggestion is None:
            suggestion = next((_import_line(d) for d in self._modules.exports_of(name, 1)), None)
        severity = self._severity(module, uncertain=module.namespace and "." not in module.dotted)
        return Finding("import", f"`{module.dotted}` has no `{name}`", place, f"{module.path}:1", suggestion, severity)

    def _severity(self, module: Module, *, uncertain: bool) -> Literal["error", "warning"]:
        # A dotted path that leads from the root to the file can mean nothing else, wherever the program starts.
        whole = "." in module.dotted and module.path.startswith(module.dotted.replace(".", "/"))
        return "error" if (module.certain or whole) and self._exact and not uncertain else "warning"

    def _exact_exports(self, name: str) -> list[Definition]:
        return [d for d in self._modules.exports_of(name, 3) if d.name == name]

    # ------------------------------------------------------------------ what is not in the repository
    def _unknown(self, dotted: str, place: str, imported: tuple[str, ...]) -> Iterator[Finding]:
        """A package from elsewhere, or one that does not exist? Only what the repository never speaks of is doubted."""
        first = dotted.split(".")[0]
        if not imported or self._mentioned(first):
            return
        own = next((d for name in imported for d in self._exact_exports(name)), None)
        alike = self._resembles(first)
        near = own or (next((d for name in imported for d in self._modules.exports_of(name, 1)), None) if alike else None)
        unreachable = next((f.path for f in self._index.files.files if split(f.path)[1] == f"{first}.py"), None)
        titled = self._has_its_name(first)
        if near is None and unreachable is None and not titled:
            return
        message = f"the repository neither has nor mentions a module `{first}`"
        if unreachable is not None:
            message = f"`{unreachable}` cannot be imported as `{first}` from here"
        sure = (titled or (own is not None and alike)) and self._exact
        source = near.source if near else f"{unreachable}:1" if unreachable else None
        yield Finding("import", message, place, source, _import_line(near) if near else None, "error" if sure else "warning")

    def _mentioned(self, first: str) -> bool:
        """Does the repository import, require or document a package of that name that is not its own?"""
        if first not in self._mentions:
            self._mentions[first] = self._search(first)
        return self._mentions[first]

    def _search(self, first: str) -> bool:
        importing = re.compile(rf"""(?:^|[;"`>])\s*(?:from|import)\s+{re.escape(first)}\b""", re.MULTILINE)
        name = rf"(?<![\w/.-]){re.escape(first).replace('_', '[-_.]')}(?![\w/-])"  # not as a part of an address
        required = re.compile(name, re.IGNORECASE)
        installing = re.compile(rf"(?:pip3?|conda|poetry add|uv add)\s[^\n]*{name}", re.IGNORECASE)
        for file in self._index.files.files:
            folder, base = split(file.path)
            if _REQUIREMENTS.match(base):
                if required.search(read_text(self._index.files, file.path)):
                    return True
            elif file.path.endswith(".py"):
                text = read_text(self._index.files, file.path)
                if first in text and importing.search(text) and not self._modules.find(first, folder):
                    return True
            elif file.path.endswith(_DOCUMENTS):
                text = read_text(self._index.files, file.path)
                if (first in text and importing.search(text)) or installing.search(text):
                    return True
        return False

    def _has_its_name(self, first: str) -> bool:
        """Is it the repository's name, of two words or more, so that no other package is meant?"""
        return "_" in first.strip("_") and len(squeeze(first)) > 7 and squeeze(first) in squeeze(self._index.files.root.name)

    def _resembles(self, first: str) -> bool:
        """Is the name spelled much like the repository or one of its modules?"""
        plain = squeeze(first)
        if len(plain) > 3 and plain in squeeze(self._index.files.root.name):
            return True
        stems = {
            split(f.path)[1].removesuffix(".py") for f in self._index.files.files if f.path.endswith(".py")
        } | self._modules.top_level()
        return any(plain == squeeze(s) for s in stems) or bool(
            [n for n in nearest_names(first, self._modules.top_level(), 1) if abs(len(n) - len(first)) <= 2]
        )


def _starred(module: Module) -> list[str]:
    """What `from module import *` binds."""
    listed = module.source.exported
    return list(listed) if listed is not None else [n for n in module.names if not n.startswith("_")]


def _standard(dotted: str) -> bool:
    return dotted.split(".")[0] in sys.stdlib_module_names


def _import_line(definition: Definition) -> str:
    return f"from {definition.module} import {definition.name}"
