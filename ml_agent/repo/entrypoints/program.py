"""One file that may be a program, as the readers get it."""

import ast
from dataclasses import dataclass

from ml_agent.repo.entrypoints.module import Module, is_main_guard
from ml_agent.repo.entrypoints.sources import Sources

_SOURCE_FOLDERS = ("src", "lib", "python")


@dataclass(frozen=True, slots=True)
class Program:
    sources: Sources
    module: Module
    function: str | None = None
    """What an installed command calls instead of running the file."""

    @property
    def path(self) -> str:
        return self.module.path

    @property
    def guarded(self) -> bool:
        """It says itself that it can be run: a main guard, `__main__.py`, or a `#!` line."""
        if self.function is not None:
            return True
        return any(map(is_main_guard, self.module.tree.body)) or self.path.endswith("__main__.py") or self.module.text.startswith("#!")

    @property
    def acts(self) -> bool:
        """Its top level does something beyond definitions, imports and assignments."""
        return any(
            isinstance(n, (ast.For, ast.While, ast.With)) or (isinstance(n, ast.Expr) and isinstance(n.value, ast.Call))
            for n in self.module.tree.body
        )

    @property
    def run(self) -> tuple[str, ...]:
        """How it is started from the root: as a module if its relative imports need that."""
        relative = any(i.level for i in self.module.imports)
        folder, _, name = self.path.rpartition("/")
        if not relative and name != "__main__.py":
            return "python", self.path
        parts = [*folder.split("/"), name.removesuffix(".py")] if folder else [name.removesuffix(".py")]
        folders = ["/".join(parts[:n]) for n in range(1, len(parts))]
        packages = [n for n, f in enumerate(folders) if self.sources.lists(f"{f}/__init__.py")]
        first = packages[0] if packages else int(parts[0] in _SOURCE_FOLDERS and len(parts) > 2)
        parts = parts[first:]
        if parts[-1] == "__main__":
            parts.pop()
        if not parts or not all(p.isidentifier() for p in parts):
            return "python", self.path
        return "python", "-m", ".".join(parts)

    @property
    def description(self) -> str:
        """The first paragraph of its docstring."""
        return " ".join((ast.get_docstring(self.module.tree) or "").split("\n\n")[0].split())[:500]
