"""Which code of a Python program is run, as far as reading can tell: what surely is not is left out."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from ml_agent.repo.pysource import dotted_name

_ENDS = frozenset({"exit", "quit", "sys.exit", "os._exit", "os.abort", "os.execv", "os.execl", "os.execvp", "os.execlp", "os.kill"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NOT_WHOLLY_RUN = (ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions of which a part may not be run; looked up for each node, so nothing is put together there."""


def live_nodes(tree: ast.Module) -> list[ast.AST]:
    """The nodes of code that may be run, in the order of their first visit.

    Left out are statements behind an unconditional exit, branches that a constant rules out, handlers of exceptions (unless their
    `try` is left by a `raise`), and the bodies of functions whose name live code never mentions.
    """
    walk = _Walk()
    walk.block(tree.body)
    while (body := walk.next_function()) is not None:
        walk.block(body)
    return walk.nodes


class _Walk:
    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []
        self._names: set[str] = set()
        self._waiting: list[_Function] = []

    def next_function(self) -> Sequence[ast.stmt] | None:
        """The body of a function that is mentioned and was not walked yet."""
        for place, function in enumerate(self._waiting):
            if function.name in self._names or (function.name.startswith("__") and function.name.endswith("__")):
                del self._waiting[place]
                return function.body
        return None

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether the program goes on behind them."""
        return all(self._statement(statement) for statement in statements)

    def _statement(self, node: ast.stmt) -> bool:
        self.nodes.append(node)
        if isinstance(node, _Function):
            self._waiting.append(node)
            self._expressions([*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)])
            return True
        if isinstance(node, ast.ClassDef):
            self._expressions([*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)])
            return self.block(node.body)
        if isinstance(node, ast.If):
            return self._branches(node)
        if isinstance(node, ast.For | ast.AsyncFor):
            self._expressions([node.iter, node.target])
            if not _is_empty(node.iter):
                self.block(node.body)
            return self.block(node.orelse)
        if isinstance(node, ast.While):
            self._expressions([node.test])
            truth = _constant(node.test)
            if truth is not False:
                self.block(node.body)
            return truth is not True or _breaks(node.body)
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._expressions([item.context_expr, *([item.optional_vars] if item.optional_vars else [])])
            return self.block(node.body)
        if isinstance(node, ast.Try | ast.TryStar):
            return self._try(node)
        if isinstance(node, ast.Match):
            self._expressions([node.subject])
            for case in node.cases:
                self.block(case.body)
            return True
        self._expressions(ast.iter_child_nodes(node))
        return not _ends(node)

    def _branches(self, node: ast.If) -> bool:
        self._expressions([node.test])
        truth = _constant(node.test)
        ends = []
        if truth is not False:
            ends.append(self.block(node.body))
        if truth is not True:
            ends.append(self.block(node.orelse))
        return any(ends)

    def _try(self, node: "ast.Try | ast.TryStar") -> bool:
        goes_on = self.block(node.body)
        if goes_on:
            goes_on = self.block(node.orelse)
        else:  # in a `try`, `raise` and `sys.exit` go to its handlers
            ends = [self.block(handler.body) for handler in node.handlers]
            goes_on = any(ends)
        return self.block(node.finalbody) and goes_on

    def _expressions(self, nodes: Iterable[ast.AST]) -> None:
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            self.nodes.append(node)
            if isinstance(node, ast.Name):
                self._names.add(node.id)
            elif isinstance(node, ast.Attribute):
                self._names.add(node.attr)
            waiting.extend(_run_parts(node))


def _run_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that may be run."""
    if not isinstance(node, _NOT_WHOLLY_RUN):
        yield from ast.iter_child_nodes(node)
    elif isinstance(node, ast.IfExp) and (truth := _constant(node.test)) is not None:
        yield node.body if truth else node.orelse
    elif isinstance(node, ast.BoolOp):
        stop = isinstance(node.op, ast.Or)
        for value in node.values:
            yield value
            if _constant(value) is stop:
                return
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) and any(_is_empty(g.iter) for g in node.generators):
        return
    else:
        yield from ast.iter_child_nodes(node)


def _constant(test: ast.expr) -> bool | None:
    """What a condition always is; None if that is not known. The program itself is the main one."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple | ast.List | ast.Dict | ast.Set):
        return not _is_empty(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _constant(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test.left, test.ops[0], test.comparators[0])
    if dotted_name(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return False
    if isinstance(test, ast.BoolOp):
        values = [_constant(value) for value in test.values]
        stop = isinstance(test.op, ast.Or)
        return stop if stop in values else None if None in values else not stop
    return None


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    sides: list[object] = []
    for side in (left, right):
        if isinstance(side, ast.Constant):
            sides.append(side.value)
        elif isinstance(side, ast.Name) and side.id == "__name__":
            sides.append("__main__")
        else:
            return None
    equal = sides[0] == sides[1]
    if isinstance(operator, ast.Eq | ast.Is):
        return equal
    if isinstance(operator, ast.NotEq | ast.IsNot):
        return not equal
    if all(isinstance(side, int | float) for side in sides):
        one, other = sides
        assert isinstance(one, int | float)
        assert isinstance(other, int | float)
        if isinstance(operator, ast.Lt):
            return one < other
        if isinstance(operator, ast.Gt):
            return one > other
    return None


def _is_empty(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    if isinstance(node, ast.Constant):
        return node.value in ("", b"")
    return isinstance(node, ast.Call) and dotted_name(node.func) == "range" and [_constant(a) for a in node.args] == [False]


def _ends(node: ast.stmt) -> bool:
    """Whether nothing behind this statement, in its block, is run."""
    if isinstance(node, ast.Raise | ast.Return | ast.Continue | ast.Break):
        return True
    if isinstance(node, ast.Assert):
        return _constant(node.test) is False
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted_name(node.value.func) in _ENDS


def _breaks(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Break) for statement in body for node in ast.walk(statement))
