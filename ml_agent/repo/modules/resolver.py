"""Follows names of Python modules to where they are defined: imports, re-exports, star imports, base classes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ml_agent.repo.modules.definitions import Definition, Signature
from ml_agent.repo.modules.roots import Root, join, split
from ml_agent.repo.modules.source import Binding, ClassSource

if TYPE_CHECKING:
    from ml_agent.repo.modules import Module, PythonModules

IMPLICIT = frozenset(
    "__name__ __file__ __doc__ __path__ __dict__ __spec__ __loader__ __package__ __builtins__ __cached__ __annotations__ __class__".split()
)
"""What every module has."""
_NO_INIT = frozenset({"object", "Generic", "Protocol", "ABC", "typing.Generic", "typing.Protocol", "abc.ABC"})
_MODULES = 300
"""Modules that one chain of star imports may lead through; with more, the names count as unknown."""
_DEPTH = 20
"""Links of one chain of re-exports or base classes; a longer one counts as unknown."""


class Resolver:
    def __init__(self, modules: "PythonModules") -> None:
        self._modules = modules
        self._signatures: dict[tuple[str, str], Signature | None] = {}

    def names(self, module: "Module", seen: set[str] | None = None) -> Iterator[str]:
        """Names that a module binds, through star imports; may repeat. Each module is looked at once."""
        seen = set() if seen is None else seen
        seen.add(module.path)
        yield from module.source.bindings
        for target in self._stars(module):
            if target is not None and target.path not in seen and len(seen) < _MODULES:
                yield from _visible(target, self.names(target, seen))

    def is_open(self, module: "Module", seen: set[str] | None = None) -> bool:
        """Whether a module may have names that are not listed: built at run time, or from a star import of something unknown."""
        seen = set() if seen is None else seen
        seen.add(module.path)
        if module.source.open_ended or len(seen) >= _MODULES:
            return True
        return any(target is None or (target.path not in seen and self.is_open(target, seen)) for target in self._stars(module))

    def _stars(self, module: "Module") -> Iterator["Module | None"]:
        for level, name in module.source.stars:
            yield self.imported(module, level, name)

    def imported(self, module: "Module", level: int, name: str) -> "Module | None":
        """The module that an import statement inside `module` means; None for one from outside the repository."""
        here = module.path if module.namespace else split(module.path)[0]
        if level == 0:
            return self._modules.find(name, module.place.root.folder) or self._modules.find(name, here)
        folder: str | None = here
        for _ in range(level - 1):
            folder = join(folder, "..") if folder else None
        if folder is None:
            return None
        root = module.place.root
        inside = folder if root.folder == "." else folder.removeprefix(root.folder).removeprefix("/")
        package = "" if inside == "." else inside.replace("/", ".")
        dotted = ".".join(part for part in (package, name) if part)
        place = self._modules.roots.locate(dotted, root) if dotted else None
        if place is None and name:  # a folder on the way is no Python name (`my-code/`)
            place = self._modules.roots.locate(name, Root(folder, root.certain))
        return self._modules.at(place) if place else None

    def definition(self, module: "Module", name: str) -> Definition | None:
        """Where `module.name` comes from; None if there is no such name."""
        found = self._trace(module, name, 0)
        return found and self._signed(found)

    def own(self, module: "Module", name: str) -> Definition | None:
        """The definition that stands in this very module."""
        binding = module.source.bindings.get(name)
        return self._signed(self._of_binding(module, binding, 0)) if binding else None

    def _trace(self, module: "Module", name: str, depth: int) -> Definition | None:
        """The same without the signature of a class, so that base classes can be traced while one is read."""
        if depth > _DEPTH:
            return None
        if binding := module.source.bindings.get(name):
            return self._of_binding(module, binding, depth)
        for target in reversed(list(self._stars(module))):
            if target is not None and name in _visible(target, target.names) and (found := self._trace(target, name, depth + 1)):
                return found
        if name in IMPLICIT:
            return Definition(name, "variable", module.path, 1, module.dotted)
        return self._submodule(module, name)

    def _submodule(self, module: "Module", name: str) -> Definition | None:
        place = self._modules.roots.locate(f"{module.dotted}.{name}", module.place.root) if module.package else None
        if place is None or not (place.path.endswith(".py") or not place.readable or self._modules.roots.holds_python(place.folder)):
            return None
        return Definition(name, "module", place.path, 1, place.dotted)

    def _of_binding(self, module: "Module", binding: Binding, depth: int) -> Definition:
        here = Definition(
            binding.name,
            binding.kind,
            module.path,
            binding.line,
            self._modules.roots.name_of(module.path) or module.dotted,
        )
        if binding.kind == "function":
            return replace(here, signature=binding.signature)
        if binding.origin is None:
            return here
        level, name, attribute = binding.origin
        target = self.imported(module, level, name)
        if target is None:
            return here
        if target.path == module.path and attribute == binding.name:  # `from . import b` in a package
            return self._submodule(module, attribute) or here
        if attribute is None:
            return Definition(binding.name, "module", target.path, 1, target.dotted)
        return self._trace(target, attribute, depth + 1) or here

    # ------------------------------------------------------------------ classes
    def _signed(self, definition: Definition) -> Definition:
        return replace(definition, signature=self._class_signature(definition, 0)) if definition.kind == "class" else definition

    def _class_signature(self, definition: Definition, depth: int) -> Signature | None:
        """How a class is called; None if something that cannot be read takes part in it."""
        key = definition.path, definition.name
        if key not in self._signatures:
            self._signatures[key] = None  # also the answer for a class among its own bases
            owner = self._modules.of_definition(definition)
            binding = owner.source.bindings.get(definition.name) if owner else None
            if owner and binding and binding.klass and depth < _DEPTH:
                self._signatures[key] = self._read_class(owner, binding.klass, depth)
        return self._signatures[key]

    def _read_class(self, module: "Module", klass: ClassSource, depth: int) -> Signature | None:
        if not klass.judgeable or klass.has_init:
            return klass.init if klass.judgeable else None
        inherited: Signature | None = Signature()
        for base in klass.bases:
            if base in _NO_INIT:
                continue
            found = self._base(module, base or "")
            inherited = self._class_signature(found, depth + 1) if found else None
            if inherited is None or inherited.parameters:
                break
        if not klass.dataclass or inherited is None:
            return inherited
        if klass.init is None:
            return None
        merged = {p.name: p for p in (*inherited.parameters, *klass.init.parameters)}
        return Signature(tuple(sorted(merged.values(), key=lambda p: p.kind == "keyword_only")))

    def _base(self, module: "Module", base: str) -> Definition | None:
        """The class that a dotted name means inside a module, if it is one of the repository's."""
        first, *rest = base.split(".")
        definition = self._trace(module, first, 0)
        for name in rest:
            target = self._modules.of_definition(definition) if definition and definition.kind == "module" else None
            definition = self._trace(target, name, 0) if target else None
        return definition if definition and definition.kind == "class" else None


def _visible(target: "Module", names: Iterator[str] | frozenset[str]) -> Iterator[str]:
    """What `from target import *` brings."""
    listed = target.source.exported
    return iter(listed) if listed is not None else (n for n in names if not n.startswith("_"))
