"""One file that may be a program, as the readers get it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ml_agent.repo.entrypoints.module import Module, is_main_guard
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.pysource import dotted_name

_WORK = frozenset("fit train run main launch start show save save_pretrained savefig savez dump write to_csv push_to_hub".split())
"""Methods that a script calls at its top level, and a module that is imported does not."""
_SOURCE_FOLDERS = ("src", "lib", "python")


def _at_once(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """What a file does when it is read: its statements, and those inside its loops."""
    for node in body:
        yield node
        if isinstance(node, (ast.For, ast.While)):
            yield from _at_once(node.body)


def _reads_words(value: ast.expr) -> bool:
    return any(isinstance(n, ast.Subscript) and dotted_name(n.value) == "sys.argv" for n in ast.walk(value))


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
    def works(self) -> bool:
        """Its top level does what nobody wants from an import: it prints, opens a context, calls a function of its own,
        saves or trains, or takes words of the command line."""
        name = self.path.rpartition("/")[2]
        if name == "__init__.py":
            return False
        own = {n.name for n in self.module.tree.body if isinstance(n, ast.FunctionDef)}
        calls = own | {"print"} | ({"setup"} if name == "setup.py" else set())
        takes_words = "sys.argv" in self.module.text
        for node in _at_once(self.module.tree.body):
            if isinstance(node, ast.With) or (takes_words and isinstance(node, ast.Assign) and _reads_words(node.value)):
                return True
            called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
            if (isinstance(called, ast.Name) and called.id in calls) or (isinstance(called, ast.Attribute) and called.attr in _WORK):
                return True
        return False

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
