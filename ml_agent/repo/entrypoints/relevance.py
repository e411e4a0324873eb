"""Which functions, classes and modules can have to do with an argument parser: all others need not be walked."""

import ast
import re
from typing import ClassVar, Self

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.module import Module, imports, statements
from ml_agent.repo.entrypoints.signs import PARSER_WORDS, Way
from ml_agent.repo.entrypoints.sources import Sources

_WORD = re.compile(r"[^\W\d]\w*")

HOPS = 3
"""How many imports away from a program its parser may be made."""


class Relevance:
    """Answers are kept; `start` is the folder of the program."""

    words: ClassVar[frozenset[str]] = PARSER_WORDS
    """Names without which nothing of a function matters."""
    way: ClassVar[Way] = "argparse"
    hops: ClassVar[int] = HOPS

    def __init__(self, sources: Sources, start: str) -> None:
        self.start = start
        self._sources = sources
        self._known: dict[tuple[ast.AST, int], bool] = {}

    @classmethod
    def of(cls, sources: Sources, start: str) -> Self:
        """The one for programs in folder `start`; it is kept with the sources."""
        kept = sources.kept.get((cls, start))
        if not isinstance(kept, cls):
            kept = sources.kept[cls, start] = cls(sources, start)
        return kept

    def module(self, module: Module) -> bool:
        """Whether the module makes or fills a parser, or takes a function or class that does from another one."""
        return self.walked(module) or any(self._import(module, i, self.hops) for i in module.imports)

    def walked(self, module: Module) -> bool:
        """Whether the module's own text has to do with parsers: then its top level is walked."""
        return module.parses_arguments

    def mentions(self, module: Module, node: ast.AST) -> bool:
        """Whether a parser's methods stand in this piece of code itself."""
        return not self.words.isdisjoint(self._names_of(module, node)[0])

    def node(self, module: Module, node: ast.AST, hops: int | None = None) -> bool:
        """Whether a function's or class's body makes or fills a parser, or uses something that does."""
        hops = self.hops if hops is None else hops
        key = (node, hops)
        if key not in self._known:
            self._known[key] = False  # against circles
            names, local = self._names_of(module, node)
            self._known[key] = (
                not self.words.isdisjoint(names)
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
        if found is None or found[0] == module.path or hops == 0 or not self._sources.near_parser(found[0], self.start, hops - 1, self.way):
            return False
        source = self._sources.module(found[0])
        if source is None:
            return False
        if found[1] is None:
            handed = (*source.stars, *(b for b in source.names.values() if isinstance(b, Import))) if _is_package(found[0]) else ()
            return self.walked(source) or any(self._import(source, i, hops - 1) for i in handed)  # `import lib`, then `lib.parse()`
        if found[1] in source.names:
            return self._binding(source, found[1], hops - 1) or (self.walked(source) and isinstance(source.names[found[1]], ast.expr))
        return self.walked(source) or any(self._import(source, s, hops - 1) for s in source.stars)

    def _names_of(self, module: Module, node: ast.AST) -> tuple[frozenset[str], dict[str, Import]]:
        """The words that stand in a piece of code (those in comments and texts too), and its imports."""
        if node not in module.words:
            first, last = (getattr(node, "lineno", 1), getattr(node, "end_lineno", None))
            text = "\n".join(module.lines[first - 1 : last])
            local: dict[str, Import] = {}
            for child in statements(node) if "import" in text else ():
                if isinstance(child, (ast.Import, ast.ImportFrom)):
                    local.update(imports(child))
            module.words[node] = frozenset(_WORD.findall(text)), local
        return module.words[node]


def _is_package(path: str) -> bool:
    return path.endswith("__init__.py")


class FrameworkRelevance(Relevance):
    """What can have to do with the frameworks other than argparse. Their decorators make an object of a function, so names that
    the top level binds to such an object count as well."""

    words = frozenset(
        "click rich_click typer Typer fire Fire hydra docopt OptionParser add_option getopt gnu_getopt tyro simple_parsing jsonargparse "
        "HfArgumentParser TrlParser LightningCLI from_cli pyrallis draccus parse_args_into_dataclasses".split()
    )
    way: ClassVar[Way] = "others"
    hops = 2

    def walked(self, module: Module) -> bool:
        return module.uses_framework

    def _binding(self, module: Module, name: str, hops: int) -> bool:
        binding = module.names.get(name)
        if isinstance(binding, ast.expr):
            return self.mentions(module, binding)
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(self.node(module, d, hops) for d in binding.decorator_list):
            return True
        if isinstance(binding, Import) and binding.module.partition(".")[0] in self.words:
            return True
        return super()._binding(module, name, hops)
