"""Is a Python program the one that the ground truth is, as far as the task asks for it?"""

import ast
import re
import sys
import warnings
from collections.abc import Iterable
from functools import cached_property, lru_cache

from ml_agent.benchmarks.base import Sample, Verdict
from ml_agent.benchmarks.scorers.live_code import live_nodes
from ml_agent.repo.pysource import parse_python

MAX_CHARACTERS = 200_000
_LIBRARIES = frozenset(
    "IPython PIL cv2 datasets huggingface_hub jax keras matplotlib networkx numpy ogb pandas plotly requests scipy seaborn skimage sklearn"
    " tensorflow timm tokenizers torch torchaudio torchtext torchvision tqdm transformers wandb yaml".split()
)
"""Packages that programs for any repository import: to call one of them is not to use the repository."""
_WITH_WORDS = (ast.Constant, ast.Name, ast.Attribute, ast.alias, ast.keyword, ast.Tuple, ast.List, ast.UnaryOp)
_MAYBE_IDLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Call)
_SHOWING = frozenset({"print", "display", "pprint"})


_parsed = lru_cache(maxsize=4)(parse_python)
"""A program is looked at more than once; its tree is never changed."""


def compiles(code: str) -> bool:
    """Whether Python would run the text."""
    if len(code) > MAX_CHARACTERS:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(_parsed(code), "<answer>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@lru_cache(maxsize=1024)
def readable_part(code: str) -> str:
    """The text up to the line from which on it is no Python: behind a program, notes in prose may stand."""
    if compiles(code):
        return code
    lines = code.split("\n")[:2000]
    ends = (number for number in range(len(lines) - 1, 0, -1) if compiles("\n".join(lines[:number])))
    return "\n".join(lines[: next(ends, 0)]).strip()


class Program:
    """What live code of a program imports, calls and names."""

    def __init__(self, code: str) -> None:
        self.nodes = live_nodes(_parsed(code))
        self.imports: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.imports[(alias.asname or alias.name).split(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def packages(self) -> set[str]:
        """Top-level packages that are neither Python's own nor one of the libraries that all use."""
        found = {name.split(".")[0] for name in self.imports.values()}
        return {name for name in found if name not in sys.stdlib_module_names and name not in _LIBRARIES}

    def calls(self, packages: set[str]) -> bool:
        """Whether something that was imported from one of them is called, under a name that is nothing else's too."""
        names = {name for name, full in self.imports.items() if full.split(".")[0] in packages} - self._rebound()
        calls = [node for node in self.nodes if isinstance(node, ast.Call)]
        if "*" in names:
            return bool(calls)
        return any(isinstance(part, ast.Name) and part.id in names for call in calls for part in ast.walk(call.func))

    def _rebound(self) -> set[str]:
        return {node.name for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)} | {
            node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    @cached_property
    def own_names(self) -> set[str]:
        """Names that the program gives itself, in lower case."""
        return {name.lower() for name in self._rebound()}

    @cached_property
    def words(self) -> set[str]:
        """Constants, names, attributes, keywords and imported names, in lower case, of code that can matter: no statement that is a
        mere value, nothing that is assigned and never read, no constant that is only printed."""
        read = {node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        idle = {id(part) for node in self.nodes for root in _idle(node, read) for part in ast.walk(root)}
        found: set[str] = set()
        for node in self.nodes:
            if id(node) not in idle:
                found.update(_words_of(node))
        return found


@lru_cache(maxsize=64)
def _truth(code: str) -> Program:
    """A ground truth, which is read for each attempt at its sample."""
    return Program(code)


def _idle(node: ast.AST, read: set[str]) -> Iterable[ast.AST]:
    if not isinstance(node, _MAYBE_IDLE):
        return ()
    value: ast.AST | None = None
    if isinstance(node, ast.Expr):
        value = None if isinstance(node.value, ast.Call | ast.Await | ast.Yield | ast.YieldFrom) else node.value
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = node.value if all(isinstance(target, ast.Name) and target.id not in read for target in targets) else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SHOWING:
        return [argument for argument in node.args if isinstance(argument, ast.Constant | ast.Tuple | ast.List)]
    return [value] if value is not None else []


def _words_of(node: ast.AST) -> Iterable[str]:
    if not isinstance(node, _WITH_WORDS):
        return ()
    if isinstance(node, ast.Constant):
        return [str(node.value).lower()] if not isinstance(node.value, int) or node.value.bit_length() < 256 else []
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return [f"-{word}" for word in _words_of(node.operand)]
    if isinstance(node, ast.Name):
        return [node.id.lower()]
    if isinstance(node, ast.Attribute):
        return [node.attr.lower()]
    if isinstance(node, ast.alias):
        return node.name.lower().split(".")
    if isinstance(node, ast.keyword):
        return [node.arg.lower()] if node.arg else []
    if isinstance(node, ast.Tuple | ast.List):
        try:
            return [str(ast.literal_eval(node)).replace(" ", "").lower()]
        except (ValueError, TypeError, RecursionError, MemoryError):
            return []
    return []


def judge_program(sample: Sample, code: str) -> Verdict:
    """`code` against the part of the ground truth that is Python; there must be one."""
    if not compiles(code):
        return Verdict(False, "syntax", "it is no Python program")
    try:
        truth, given = _truth(readable_part(sample.output)), Program(code)
        own = truth.packages()
        if own and not given.calls(own):
            return Verdict(False, "wrong_program", f"nothing of {', '.join(sorted(own))} is called")
        return _judge_values(sample, truth, given)
    except (SyntaxError, RecursionError) as error:
        return Verdict(False, "syntax", f"it cannot be read: {type(error).__name__}")


def _judge_values(sample: Sample, truth: Program, given: Program) -> Verdict:
    need, have = truth.words, given.words
    # What a program calls its variables is its own affair.
    fixed, used = need - truth.own_names, have - given.own_names
    for name, value in sample.arguments.items():
        text = str(value).lower()
        sets = ((fixed, used), (need, have))
        hits, there = next(((found, words) for wanted, words in sets if (found := _hits(text, wanted))), (set[str](), have))
        if hits:
            if not hits & there:
                return Verdict(False, "wrong_value", f"{value!s} ({name}) is not used")
            continue
        # A tuple or number that the ground truth writes in another way.
        parts = [part for part in re.split(r"[^\w.]+", text) if part]
        if parts and all(part in need for part in parts) and not all(part in have for part in parts):
            return Verdict(False, "wrong_value", f"{value!s} ({name}) is not used")
    return Verdict(True, "passed")


def _hits(value: str, words: set[str]) -> set[str]:
    """The words that are the value; if there are none, those that it is a part of."""
    whole = words & {value, value.replace(" ", "")}
    return whole or {word for word in words if len(value) > 2 and value in word}
