"""The literals of a Python snippet: where they stand, what they are called, and which values suit their place."""

import ast
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from types import MappingProxyType

from ml_agent.policies.grounded.comments import comments_of
from ml_agent.policies.grounded.kinds import extension, file_kind, same_family, same_scheme
from ml_agent.policies.grounded.lists import one_side
from ml_agent.policies.grounded.nodes import (
    called_name,
    command_words,
    is_number,
    is_text,
    line_offsets,
    made_of,
    offset_at,
    offset_of,
    target_of,
    unpacked,
)
from ml_agent.policies.grounded.quantities import exponent
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.entrypoints import Option
from ml_agent.verify.placeholders import is_placeholder

SAMPLERS = frozenset(
    {"randn", "rand", "ones", "zeros", "empty", "randint", "normal", "Size", "random", "uniform", "full", "shape", "reshape"}
)
"""Functions whose numbers are a shape."""
_TAKES_TUPLE = frozenset({"torch.randn", "torch.rand", "torch.ones", "torch.zeros", "torch.empty"})
"""Those that take their sides as one tuple as well, so that a shape can stand as the request writes it."""


_MODEL_NAMES = frozenset({"modelname", "arch", "architecture", "model_name_or_path"})
"""Beside those that `_names_model` tells."""
_MODELS = frozenset({"model", "net", "network", "encoder", "backbone", "classifier", "detector", "generator"})
_CALLED = frozenset({"name", "type", "arch", "id", "variant"})
FROM_HUB = re.compile(r"from_pretrained$|^load_dataset$|^(?:hf_hub|snapshot)_download$|^pipeline$|transformer$")
"""Functions that take the name of something on a hub, `owner/name`."""
LONG_TEXT = 25
"""Words of a text that is a document, and no label or prompt."""
_SHOWING = frozenset({"print", "info", "title", "xlabel", "ylabel"})
"""Functions whose texts are for those who look at the program run."""
_MAKES_MODEL = re.compile(r"(?:^|_)models?(?:_|$)|^from_pretrained$")
_DEVICE = re.compile(r"(?:cpu|gpu|cuda|mps|xpu)(?::\d+)?")


@dataclass(frozen=True, slots=True)
class Literal:
    """One literal, or a run of numbers that is one shape."""

    kind: str
    """`string`, `number`, `shape`, or `switch`, which is True or False."""
    text: str
    """Its value as text; a shape as `1,3,224,224`."""
    start: int
    end: int
    """Character offsets in the snippet."""
    names: tuple[str, ...]
    """What its place is called: keyword, variable, function."""
    call: str = ""
    """The function that it is an argument of, by keyword or as the first one."""
    comment: str = ""
    """What is said of its line, behind it."""
    texts: tuple[int, int] = (0, 0)
    """Where the list of texts that it is one of begins and ends, without its brackets."""
    above: str = ""
    """The comments above its line, up to the next empty one."""
    result: str = ""
    """What the result of that function is called: `model` of `model, process = load("a")`."""
    bare: int = 0
    """The line, from 1, of the call that it is an argument of without a keyword; 0 if it is none."""

    @property
    def is_sample(self) -> bool:
        """The shape of a made-up input: `randn(2, 49, 512)`."""
        return self.kind == "shape" and bool(self.names) and self.names[0] in SAMPLERS

    @property
    def _is_file(self) -> bool:
        """A file in a folder, and no name."""
        return "/" in self.text and bool(extension(self.text))

    @property
    def named(self) -> str:
        """The keyword, parameter or variable of its place; empty if only the function is known."""
        return self.names[0] if self.names and self.names[0] != self.call else ""

    @property
    def names_model(self) -> bool:
        """A word that says which model is made: `model="a"`, `load_model("a")`, `load_model(name="a")`."""
        if self.kind != "string" or file_kind(self.text) or " " in self.text.strip() or self._is_file:
            return False
        name = self.names[0].lower() if self.names else ""
        made = bool(_MAKES_MODEL.search(self.call.lower())) or self.result.lower() in _MODELS
        return (
            name in _MODEL_NAMES
            or name.endswith("model_name_or_path")
            or _names_model(name)
            or (made and name in ("name", self.call.lower()))
        )

    def part_of(self, mention: Mention) -> str | None:
        """A percentage as the part of one that stands here, one side of a square, a power's exponent; None if it stands here as it is."""
        if self.kind != "number":
            return None
        if mention.kind == "shape":
            return self._side_of(mention) or None
        return exponent(mention.words, self.named) or (mention.fraction if re.fullmatch(r"0?\.\d+", self.text) else "") or None

    def _side_of(self, mention: Mention) -> str:
        whole = bool(self.names) and self.text.isdigit()
        return one_side(Option(self.names[0], (self.names[0],), "", default=self.text), mention.parts) if whole else ""

    def suits(self, mention: Mention) -> float:
        """How well a value suits this place by its kind alone, 0 to 1."""
        if self.kind == "shape":
            count = self.text.count(",") + 1
            return 1.0 if mention.kind == "shape" and len(mention.parts) == count else 0.0
        if self.kind == "switch" or self.call in _SHOWING:
            return 0.0
        if self.kind == "number" and mention.kind == "shape":
            return 0.4 if self._side_of(mention) else 0.0
        if self.kind == "number":
            like = mention.kind == "number" and "true" not in self.text.lower()
            return 0.0 if not like else 0.1 if self.text[:1] == "-" and mention.value[:1] != "-" else 0.4
        if mention.kind in ("number", "shape"):
            return 0.0
        if self.call == "open" and self.names[-1:] == ("open",) and mention.kind == "path" and not mention.value.endswith("/"):
            return 1.0
        if _DEVICE.fullmatch(self.text):
            return 1.0 if _DEVICE.fullmatch(mention.value) else 0.0
        mine, other = file_kind(self.text), file_kind(mention.value)
        if mention.may_be_hub_name and not mine and FROM_HUB.search(self.call.lower()):
            return 0.6
        mine_ends, ends = (extension(v) for v in (self.text, mention.value))
        if not mine and not other and ends and ends == mine_ends and mention.kind in ("path", "quoted"):
            return 1.0  # a kind of file that only this program knows
        if other and not mine and is_placeholder(self.text) and mention.kind in ("path", "quoted"):
            return 1.0
        if mine or other:
            return (
                1.0 if mine == other else (0.5 if mine and mention.kind == "path" and "." not in mention.value.rsplit("/", 1)[-1] else 0.0)
            )
        if mention.kind == "path":
            return 0.8 if "/" in self.text else 0.1
        if self._is_file and mention.kind in ("name", "word", "identifier"):
            return 0.0
        if len(self.text.split()) >= LONG_TEXT and " " not in mention.value:
            return 0.0  # a document is no word
        if " " in self.text.strip() or " " in mention.value:
            return 0.7 if (" " in self.text.strip()) == (" " in mention.value) else 0.1
        from rapidfuzz import fuzz

        alike = fuzz.ratio(self.text.lower(), mention.value.lower()) / 100
        if mention.kind in ("identifier", "quoted") and same_family(self.text, mention.value):
            alike = max(alike, 0.85)
        if mention.kind in ("identifier", "quoted") and same_scheme(self.text, mention.value):
            alike = max(alike, 0.75)
        return alike if mention.kind != "name" else alike * 0.6

    def render(self, value: str) -> str:
        """The value as source text for this place."""
        if self.kind == "shape":
            sides = ", ".join(p for p in re.split(r"[\s,x/]+", value.strip("()[]")) if p)
            return f"({sides})" if self.call in _TAKES_TUPLE and value[:1] in ("(", "[") else sides
        if self.kind == "number" and re.fullmatch(r"-?\d+\.\d*", self.text) and re.fullmatch(r"-?\d+", value):
            return f"{value}.0"  # a float stays one
        return value if self.kind == "number" else repr(value)


def _names_model(name: str) -> bool:
    """`encoder_name`, `backbone`, `net_type`: a model by what it is called."""
    words = set(name.split("_"))
    return bool(words & _MODELS) and words <= _MODELS | _CALLED


def literals_of(tree: ast.Module, code: str, parameters: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[Literal]:
    """Strings, numbers and shapes in calls and assignments, in source order; docstrings, imports and f-strings are left alone.

    `parameters`: what the positional arguments of functions are called, by the function's name.
    """
    offsets = line_offsets(code)
    found: list[Literal] = []
    seen: set[int] = set()
    calls: dict[int, str] = {}
    lists: dict[int, tuple[int, int]] = {}
    bare: dict[int, int] = {}
    results: dict[int, str] = {}
    imported = {a.asname or a.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for a in node.names}

    def add(first: ast.expr, last: ast.expr, kind: str, text: str, names: Sequence[str]) -> None:
        if first.end_lineno is None or last.end_lineno is None or last.end_col_offset is None:
            return
        start, end = (
            offset_at(code, offsets, first.lineno, first.col_offset),
            offset_at(code, offsets, last.end_lineno, last.end_col_offset),
        )
        at = id(first)
        of_list, result = lists.get(at, (0, 0)), results.get(at, "")
        found.append(Literal(kind, text, start, end, tuple(names), calls.get(at, ""), texts=of_list, result=result, bare=bare.get(at, 0)))

    def visit(node: ast.AST, names: tuple[str, ...]) -> None:
        if id(node) in seen or isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
            return
        seen.add(id(node))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                add(node, node, "string", node.value, names)
            elif isinstance(node.value, bool):
                add(node, node, "switch", str(node.value), names)
            elif isinstance(node.value, (int, float)):
                add(node, node, "number", str(node.value), names)
            return
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):  # `"owl%d.pkl" % n`: one place
            add(node, node, "string", ast.literal_eval(node.left), names)
            return
        if isinstance(node, ast.BinOp) and is_number(node.left) != is_number(node.right):  # `x / 255`: a part of what is computed
            visit(node.left if is_number(node.right) else node.right, names)
            return
        if isinstance(node, ast.UnaryOp) and is_number(node):  # the last dimension, -1: one number, and no 1
            add(node, node, "number", ast.unparse(node), names)
            return
        if isinstance(node, ast.IfExp) and is_text(node.body) and is_text(node.orelse):  # one value or the other: one place
            add(node, node, "string", ast.literal_eval(node.body), names)
            return
        if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) > isinstance(node, ast.Tuple) and all(is_text(e) for e in node.elts):
            start, end = offset_of(node.elts[0], code)[0], offset_of(node.elts[-1], code)[1]
            lists.update((id(e), (start, end)) for e in node.elts)
        if isinstance(node, ast.List) and (words := command_words(node)):
            for element, option in words:
                visit(element, (option,) if option else names)
            return
        if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > 1 and all(is_number(e) for e in node.elts):
            add(node.elts[0], node.elts[-1], "shape", ",".join(ast.unparse(e) for e in node.elts), names)
            return
        if isinstance(node, ast.Call):
            called = called_name(node.func)
            run = [a for a in node.args if is_number(a)]
            if called in SAMPLERS and len(run) > 1 and run == node.args[-len(run) :]:
                if run == node.args:
                    calls[id(run[0])] = ast.unparse(node.func)
                add(run[0], run[-1], "shape", ",".join(ast.unparse(a) for a in run), (called,))
                seen.update(id(a) for a in run)
            calls.update((id(a), called) for a in [*node.args[:1], *(k.value for k in node.keywords)])
            bare.update((id(a), node.lineno) for a in node.args)
            seen.update(id(a) for a in node.args[: called == "randint" and len(node.args) > 2])  # where the numbers begin
            visit(node.func, ())
            known = () if any(isinstance(a, ast.Starred) for a in node.args) else parameters.get(called, ())
            for place, argument in enumerate(node.args):
                name = known[place : place + 1]
                visit(argument, (*name, called) if called else ())
            for keyword in node.keywords:
                visit(keyword.value, (keyword.arg,) if keyword.arg else ())
            return
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple) and node.targets[0].elts:
            results.update((id(a), target_of(node.targets[0].elts[0])) for a in made_of(node.value))
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and (pairs := unpacked(node.targets[0], node.value)):
            for name, value in pairs:  # `batch, length = 2, 64`
                visit(value, (name,))
            return
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and (target := target_of(node.targets[0])):
            results.update((id(a), target) for a in made_of(node.value))
            visit(node.targets[0], ())
            visit(node.value, (target,))
            return
        if isinstance(node, ast.Subscript):  # a key is part of the program, but that of an imported table; an index may be asked for
            visit(node.value, names)
            table = node.value.id if isinstance(node.value, ast.Name) else ""
            if not is_text(node.slice) and not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape"):
                visit(node.slice, ("index",))
            elif table in imported:
                visit(node.slice, (table,))
            return
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                said = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
                visit(value, (said,) if said else names)
            return
        for child in ast.iter_child_nodes(node):
            visit(child, names)

    visit(tree, ())
    behind, above = comments_of(code)
    lines = [bisect_right(offsets, x.start) for x in found]
    found = [replace_fields(x, comment=behind.get(n, ""), above=above.get(n, "")) for x, n in zip(found, lines, strict=True)]
    return sorted(found, key=lambda x: x.start)
