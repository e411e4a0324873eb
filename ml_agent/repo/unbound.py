"""Names that the top level of Python code reads before anything has bound them, though something does later: a NameError."""

import ast
import builtins
from collections.abc import Iterable, Iterator

KNOWN = frozenset(dir(builtins)) | {"__file__", "__annotations__", "__builtins__"}
"""Names that every module has."""
_LOCAL = (ast.ListComp, ast.SetComp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def read_too_early(tree: ast.Module) -> dict[str, tuple[int, bool]]:
    """Name -> (line of the first such read, whether the code is sure to come there), in the order of the code.

    Bodies of functions, which run later, and of classes are left out, and so is what a loop may have bound in an earlier round.
    """
    later = {name for node in ast.walk(tree) for name in _bound_by(node)}
    shared = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    walk = _Walk(KNOWN | shared)
    walk.run(tree)
    return {name: at for name, at in walk.found.items() if name in later}


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Names that the node itself binds, in whatever scope."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


class _Walk:
    """Nodes in the order in which they run."""

    def __init__(self, bound: Iterable[str]) -> None:
        self.bound = set(bound)
        self.found: dict[str, tuple[int, bool]] = {}
        self.sure = True

    def run(self, tree: ast.Module) -> None:
        stack: list[tuple[ast.AST, Iterator[ast.AST]]] = [(tree, self._parts(tree))]
        while stack:
            node, parts = stack[-1]
            part = next(parts, None)
            if part is None:
                stack.pop()
                self.bound.update(_bound_by(node))
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                if part.id not in self.bound:
                    self.found.setdefault(part.id, (part.lineno, self.sure))
            else:
                stack.append((part, self._parts(part)))

    def _parts(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parts that run when the node does, in their order."""
        if isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            yield from () if isinstance(node, ast.Lambda) else node.decorator_list
            yield from (*node.args.defaults, *(d for d in node.args.kw_defaults if d))
        elif isinstance(node, ast.ClassDef):
            yield from (*node.decorator_list, *node.bases, *(k.value for k in node.keywords))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            yield from (node.value,) if node.value else ()
            yield from node.targets if isinstance(node, ast.Assign) else (node.target,)
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                yield ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            yield from (node.value, node.target)
        elif isinstance(node, ast.GeneratorExp):
            yield node.generators[0].iter
            self.bound.update(n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        elif isinstance(node, _LOCAL):
            yield from self._comprehension(node)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield from (node.test,) if isinstance(node, ast.While) else (node.iter, node.target)
            self._bind_all(node.body)
            yield from self._perhaps([*node.body, *node.orelse])
        elif isinstance(node, (ast.If, ast.IfExp)):
            yield node.test
            branches = [*node.body, *node.orelse] if isinstance(node, ast.If) else [node.body, node.orelse]
            yield from self._perhaps(branches)
        elif isinstance(node, (ast.Try, ast.TryStar)):
            self._bind_all(node.handlers)  # `try: x` with `except NameError: x = 1`
            yield from self._perhaps(ast.iter_child_nodes(node))
        elif isinstance(node, ast.ExceptHandler):
            yield from (node.type,) if node.type else ()
            self.bound.update(_bound_by(node))
            yield from node.body
        elif isinstance(node, (ast.BoolOp, ast.Match)):
            yield from self._perhaps(ast.iter_child_nodes(node))
        elif type(node).__name__ == "TypeAlias":  # of Python 3.12: what it stands for is read later
            return
        else:
            yield from ast.iter_child_nodes(node)

    def _bind_all(self, nodes: Iterable[ast.AST]) -> None:
        self.bound.update(name for node in nodes for part in ast.walk(node) for name in _bound_by(part))

    def _perhaps(self, nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
        sure, self.sure = self.sure, False
        yield from nodes
        self.sure = sure

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Iterator[ast.AST]:
        """Its own names are bound within it alone."""
        before = set(self.bound)
        own = {name for generator in node.generators for part in ast.walk(generator.target) for name in _bound_by(part)}
        yield node.generators[0].iter
        self.bound |= own
        yield from self._perhaps(ast.iter_child_nodes(node))
        self.bound -= own - before
