"""Which functions, classes and modules can have to do with an argument parser: all others need not be walked."""

import ast
import re

from ml_agent.repo.entrypoints.sources import PARSER_WORDS, Import, Module, Sources, imports, statements

_WORD = re.compile(r"[^\W\d]\w*")

HOPS = 3
"""How many imports away from a program its parser may be made."""


class Relevance:
    """Answers are kept; `start` is the folder of the program."""

    def __init__(self, sources: Sources, start: str) -> None:
        self.start = start
        self._sources = sources
        self._names: dict[ast.AST, tuple[frozenset[str], dict[str, Import]]] = {}
        self._known: dict[tuple[ast.AST, int], bool] = {}

    @classmethod
    def of(cls, sources: Sources, start: str) -> "Relevance":
        """The one for programs in folder `start`; it is kept with the sources."""
        kept = sources.kept.get(start)
        if not isinstance(kept, cls):
            kept = sources.kept[start] = cls(sources, start)
        return kept

    def module(self, module: Module) -> bool:
        """Whether the module makes or fills a parser, or takes a function or class that does from another one."""
        return module.parses_arguments or any(self._import(module, i, HOPS) for i in module.imports)

    def mentions(self, module: Module, node: ast.AST) -> bool:
        """Whether a parser's methods stand in this piece of code itself."""
        return not PARSER_WORDS.isdisjoint(self._names_of(module, node)[0])

    def node(self, module: Module, node: ast.AST, hops: int = HOPS) -> bool:
        """Whether a function's or class's body makes or fills a parser, or uses something that does."""
        key = (node, hops)
        if key not in self._known:
            self._known[key] = False  # against circles
            names, local = self._names_of(module, node)
            self._known[key] = (
                not PARSER_WORDS.isdisjoint(names)
                or any(self._import(module, i, hops) for n, i in local.items() if n in names)
                or any(self._binding(module, n, hops) for n in names & module.names.keys() if n not in local)
            )
        return self._known[key]

    def _binding(self, module: Module, name: str, hops: int) -> bool:
        binding = module.names.get(name)
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self.node(module, binding, hops)
        return isinstance(binding, Import) and self._import(module, binding, hops)

    def _import(self, module: Module, target: Import, hops: int) -> bool:
        found = self._sources.imported(module, target, self.start)
        if found is None or found[0] == module.path or hops == 0 or not self._sources.near_parser(found[0], self.start, hops - 1):
            return False
        source = self._sources.module(found[0])
        if source is None:
            return False
        if found[1] is None:
            return source.parses_arguments
        if found[1] in source.names:
            return self._binding(source, found[1], hops - 1) or (source.parses_arguments and isinstance(source.names[found[1]], ast.expr))
        return source.parses_arguments or any(self._import(source, s, hops - 1) for s in source.stars)

    def _names_of(self, module: Module, node: ast.AST) -> tuple[frozenset[str], dict[str, Import]]:
        """The words that stand in a piece of code (those in comments and texts too), and its imports."""
        if node not in self._names:
            first, last = (getattr(node, "lineno", 1), getattr(node, "end_lineno", None))
            text = "\n".join(module.lines[first - 1 : last])
            local: dict[str, Import] = {}
            for child in statements(node) if "import" in text else ():
                if isinstance(child, (ast.Import, ast.ImportFrom)):
                    local.update(imports(child))
            self._names[node] = frozenset(_WORD.findall(text)), local
        return self._names[node]
