"""Names while a program is walked: scopes, imports from the same repository, attributes of modules, classes and instances."""

import ast
from abc import ABC, abstractmethod
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import Group, Parser, Subcommands
from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.module import Module, imports
from ml_agent.repo.entrypoints.relevance import Relevance
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.entrypoints.values import (
    Class,
    External,
    Foreign,
    Function,
    Instance,
    Method,
    ModuleValue,
    Pending,
    Scope,
    Super,
    Unknown,
)

MAX_STEPS = 30_000
"""Statements and calls of one program."""
MAX_MODULES = 200
MAX_BASES = 10

_BUILTINS = frozenset(
    "range list tuple set frozenset sorted reversed dict enumerate zip len str int float bool repr type min max super getattr "
    "setattr print isinstance vars map filter any all open".split()
)


class Exhausted(Exception):
    """The program has more statements and calls than are walked."""


class Names(ABC):
    """Looks names up. One object is one program; `start` is its folder, where it looks for modules first."""

    def __init__(self, sources: Sources, relevance: Relevance) -> None:
        self.sources = sources
        self.relevance = relevance
        self.start = relevance.start
        self._scopes: dict[str, Scope] = {}
        self._steps = 0

    @abstractmethod
    def evaluate(self, node: ast.expr, scope: Scope) -> Any: ...

    @abstractmethod
    def run_module(self, module: Module, *, main: bool) -> Scope: ...

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Any:
        """What a `def` binds its name to."""
        return Function(scope.module, node, scope)

    def step(self) -> None:
        """Count one statement or call. Raises Exhausted."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Exhausted

    def lookup(self, name: str, scope: Scope) -> Any:
        current: Scope | None = scope
        while current is not None:
            if name in current.names:
                value = current.names[name]
                if isinstance(value, Pending):  # an import is followed only when its name is used
                    current.names[name] = Unknown()  # against circles
                    value = current.names[name] = self._imported(value.module, value.target)
                return value
            if current.parent is None and (name in current.module.names or current.module.stars or name == "__doc__"):
                found = self._member(current.module, name) if self._scopes.get(current.module.path) is current else Unknown()
                if not isinstance(found, Unknown) or name in current.module.names:
                    return found
            current = current.parent
        return External(name) if name in _BUILTINS or name[:1].isupper() else Unknown()

    def do_import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for name, target in imports(node):
            if name == "*":
                found = self.sources.followed(scope.module, target, self.start)
                if found is not None:
                    module = found[0]
                    names = self._module_scope(module).names if self.relevance.walked(module) else {}
                    scope.names.update({k: v for k, v in names.items() if not k.startswith("_")})
                continue
            scope.names[name] = Pending(scope.module, target)

    def _imported(self, importer: Module, target: Import) -> Any:
        found = self.sources.imported(importer, target, self.start)
        if found is None:
            return External(f"{target.module}.{target.name}" if target.name else target.module)
        module = self.sources.module(found[0])
        if module is None:
            return Unknown()
        if found[1] is None:
            if target.name is None and self.relevance.walked(module):
                self._module_scope(module)
            return ModuleValue(module)
        return self._member(module, found[1])

    def _module_scope(self, module: Module) -> Scope:
        """The top level of an imported module. It is walked only if it has to do with parsers."""
        if module.path not in self._scopes:
            self._scopes[module.path] = Scope(module)
            if self.relevance.walked(module) and len(self._scopes) < MAX_MODULES:
                self.run_module(module, main=False)
        return self._scopes[module.path]

    def _member(self, module: Module, name: str, depth: int = 0) -> Any:
        scope = self._module_scope(module)
        if name in scope.names:
            return self.lookup(name, scope)
        binding = module.names.get(name)
        scope.names[name] = Unknown()  # against circles
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef)):
            value: Any = self.define(binding, scope)
        elif isinstance(binding, ast.ClassDef):
            value = Class(module, binding, scope)
        elif isinstance(binding, ast.expr):
            value = self.evaluate(binding, scope)
        elif binding is not None:
            value = self._imported(module, binding)
        elif name in ("__name__", "__doc__", "__file__"):
            value = ast.get_docstring(module.tree) or "" if name == "__doc__" else Unknown()
        else:
            value = self._from_star(module, name, depth)
        scope.names[name] = value
        return value

    def _from_star(self, module: Module, name: str, depth: int) -> Any:
        for star in module.stars if depth < 5 else ():
            found = self.sources.followed(module, star, self.start)
            if found is not None and (source := found[0]) is not module and (name in source.names or source.stars):
                value = self._member(source, name, depth + 1)
                if not isinstance(value, Unknown):
                    return value
        return Unknown()

    def attribute(self, owner: Any, name: str) -> Any:
        match owner:
            case External():
                return External(f"{owner.dotted}.{name}")
            case ModuleValue():
                value = self._member(owner.module, name)
                if isinstance(value, Unknown) and value.node is None:
                    return self._submodule(owner.module, name)
                return value
            case Instance():
                if name in owner.attributes:
                    return owner.attributes[name]
                return self.class_attribute(owner.cls, name, owner)
            case Class():
                return self.class_attribute(owner, name, None)
            case Super():
                for base in self.bases(owner.owner):
                    found = self.class_attribute(base, name, owner.receiver) if isinstance(base, Class) else Unknown()
                    if not isinstance(found, Unknown):
                        return found
                return Method(owner.receiver, name) if isinstance(owner.receiver, (Parser, Group, Subcommands)) else Unknown()
            case Parser():
                if name in owner.attributes:
                    return owner.attributes[name]
                found = self.class_attribute(owner.cls, name, owner) if owner.cls else Unknown()
                return Method(owner, name) if isinstance(found, Unknown) else found
            case Foreign():
                return owner.attribute(name)
            case Group() | Subcommands() | dict() | list() | str():
                return Method(owner, name)
        return Unknown()

    def _submodule(self, module: Module, name: str) -> Any:
        for path in (f"{module.folder}/{name}.py", f"{module.folder}/{name}/__init__.py") if module.path.endswith("__init__.py") else ():
            path = path.removeprefix("./")
            if self.sources.lists(path) and (found := self.sources.module(path)):
                return ModuleValue(found)
        return Unknown()

    def bases(self, cls: Class) -> list[Any]:
        scope = cls.closure or Scope(cls.module)
        return [self.evaluate(base, scope) for base in cls.node.bases]

    def class_attribute(self, cls: Class, name: str, receiver: Any, depth: int = 0, asked: Class | None = None) -> Any:
        """A method or class variable, through the bases. `asked`: the class that is asked for it, where `cls` is one of its bases."""
        for node in cls.node.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
                kinds = {d.id if isinstance(d, ast.Name) else getattr(d, "attr", "") for d in node.decorator_list}
                bound = None if "staticmethod" in kinds else (asked or cls) if "classmethod" in kinds else receiver
                return Function(cls.module, node, cls.closure, cls, bound)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    return self.evaluate(node.value, cls.closure or Scope(cls.module))
        for base in self.bases(cls) if depth < MAX_BASES else ():
            if isinstance(base, Class) and base.node is not cls.node:
                found = self.class_attribute(base, name, receiver, depth + 1, asked or cls)
                if not isinstance(found, Unknown):
                    return found
        return Unknown()
