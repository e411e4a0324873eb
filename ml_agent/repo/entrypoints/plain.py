"""Programs without a framework for options: nothing at all, or words taken from `sys.argv` one by one."""

import ast
import re
import sys
from collections.abc import Sequence

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.python_environment import environment_of
from ml_agent.repo.pysource import dotted_name, walk

_FRAMEWORKS = frozenset(
    "argparse click typer fire hydra docopt optparse getopt absl gflags tyro jsonargparse simple_parsing tap configargparse plac cleo "
    "invoke defopt sacred gin ml_collections pytorch_lightning lightning omegaconf unittest pytest nose cyclopts draccus pyrallis".split()
)
"""Modules through which a program may take options that this reader does not see."""
_QUIET = frozenset(
    "torch torchvision torchaudio torchtext numpy scipy pandas sklearn skimage PIL cv2 matplotlib seaborn networkx einops timm tqdm h5py "
    "imageio requests yaml nltk sentencepiece six future setuptools keras jax jaxlib flax optax datasets tokenizers safetensors "
    "psutil".split()
)
"""Modules from elsewhere that read no command line; what another one does when it is called is not known."""
MAX_NEAR = 50

_RUNS_TEXT = frozenset(("exec", "eval", "execfile", "runpy.run_path", "runpy.run_module"))
_PARSING = frozenset("parse parser arg args argument arguments argv opts options flags cli".split())
"""Words in the names of functions that read a command line."""
_MAY_PARSE = re.compile(r"(?:pars|arg|opt|flag|cli|exec|eval|run_)\w*\s*\(", re.IGNORECASE)
"""Without a call of such a name in its text, a file need not be searched."""
_WORDS = (
    "HfArgumentParser",
    "LightningCLI",
    "OmegaConf.from_cli",
    "from_cli(",
    "parse_args",
    "FLAGS",
    "optparse",
)


def read(program: Program) -> EntryPoint | None:
    """A program that takes no options that can be read. None if the file does not say that it can be run."""
    return describe(program) if program.guarded or program.works else None


def describe(program: Program) -> EntryPoint:
    positionals, rest = _positionals(program)
    return EntryPoint(
        program.path,
        "plain",
        program.run,
        tuple(positionals),
        description=program.description,
        open_ended=rest or _takes_options(program),
        prefixes=False,
        environment=environment_of(program),
    )


def _takes_options(program: Program) -> bool:
    """Whether the program or a module that it imports from the repository uses a framework for options."""
    near, elsewhere = _near(program)
    if any("sys.argv" in m.text for m in near[1:]) or _runs_something_unseen(program):
        return True
    if any(any(w in m.text for w in _WORDS) for m in near) or not elsewhere.isdisjoint(_FRAMEWORKS):
        return True
    return not elsewhere <= _QUIET | sys.stdlib_module_names and not _only_defines(program.module.tree.body)


def _near(program: Program) -> tuple[list[Module], set[str]]:
    """The program and the modules of the repository that it imports; the first names of what they import from elsewhere."""
    sources, module = program.sources, program.module
    near = [module]
    for target in module.imports:
        found = sources.imported(module, target, module.folder)
        if found and len(near) < MAX_NEAR and (imported := sources.module(found[0])):
            near.append(imported)
    elsewhere = {
        i.module.partition(".")[0]
        for m in near
        for i in m.imports
        if not i.level and (i.module.partition(".")[0] in _FRAMEWORKS or sources.imported(m, i, module.folder) is None)
    }
    return near, elsewhere


def _only_defines(body: Sequence[ast.stmt]) -> bool:
    """Whether a file does nothing when it is run: it defines, imports and assigns."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try)):
            parts = [node.body, node.orelse, *(h.body for h in getattr(node, "handlers", ())), getattr(node, "finalbody", [])]
            if not all(map(_only_defines, parts)):
                return False
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                return False
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            if any(isinstance(n, ast.Call) for n in walk(node)):
                return False
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass, ast.Raise)):
            return False
    return True


def _runs_something_unseen(program: Program) -> bool:
    """Whether it runs text as a program, or calls a function from outside the repository whose name says that it parses."""
    module = program.module
    if not _MAY_PARSE.search(module.text):
        return False
    for node in walk(module.tree):
        dotted = dotted_name(node.func) if isinstance(node, ast.Call) else None
        if dotted is None:
            continue
        if dotted in _RUNS_TEXT:
            return True
        bound = module.names.get(dotted.partition(".")[0])
        outside = isinstance(bound, Import) and program.sources.imported(module, bound, module.folder) is None
        words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", dotted.rpartition(".")[2])
        if (outside or bound is None) and not _PARSING.isdisjoint(w.lower() for w in words) and "." not in dotted.partition(".")[2]:
            return True
    return False


def _positionals(program: Program) -> tuple[list[Option], bool]:
    """The words that the program takes by number, and whether it takes others too."""
    if "argv" not in program.module.text:
        return [], False
    visitor = _Arguments()
    visitor.visit_all(program.module.tree)
    options = []
    for index in range(1, max(visitor.found, default=0) + 1):
        line, name, optional, default = visitor.found.get(index, (0, "", False, None))
        line = line or min(v[0] for v in visitor.found.values())
        spelling = name or f"argument{index}"
        options.append(
            Option(spelling, (spelling,), f"{program.path}:{line}", default=default, nargs="?" if optional else None, required=not optional)
        )
    if visitor.rest is not None and visitor.rest[0] > max(visitor.found, default=0):
        _, line, name = visitor.rest
        options.append(Option(name, (name,), f"{program.path}:{line}", nargs="*"))
    names = [o.name for o in options]
    return (options if len(set(names)) == len(names) else []), visitor.others or len(set(names)) < len(names)


class _Arguments:
    """Uses of `sys.argv[N]`: where, the name of the variable that takes it, and whether a condition on `sys.argv` guards it."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[int, str, bool, str | None]] = {}
        self.rest: tuple[int, int, str] | None = None
        """`names = sys.argv[3:]`: 3, the line, the variable."""
        self.others = False

    def visit_all(self, tree: ast.Module) -> None:
        stack: list[tuple[ast.AST, str, bool, str | None]] = [(tree, "", False, None)]
        while stack:
            node, name, optional, default = stack.pop()
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            elif isinstance(node, ast.stmt):
                name = ""
            if isinstance(node, ast.Subscript) and _is_argv(node.value):
                self._index(node, name, optional, default)
                continue
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "len"
                and node.args
                and _is_argv(node.args[0])
            ):
                continue
            if isinstance(node, ast.expr) and _is_argv(node):
                self.others = True
                continue
            test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
            guards = test is not None and any(_is_argv(n) for n in walk(test) if isinstance(n, ast.expr))
            if guards and isinstance(node, ast.IfExp) and isinstance(node.orelse, ast.Constant):
                default = repr(node.orelse.value)
            for child in ast.iter_child_nodes(node):
                stack.append((child, name, optional or (guards and child is not test) or isinstance(node, ast.Try), default))

    def _index(self, node: ast.Subscript, name: str, optional: bool, default: str | None) -> None:
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            if 0 < node.slice.value < 50:
                self.found.setdefault(node.slice.value, (node.lineno, name, optional, default))
            return
        lower = node.slice.lower if isinstance(node.slice, ast.Slice) and node.slice.upper is None else None
        if isinstance(lower, ast.Constant) and isinstance(lower.value, int) and 0 < lower.value < 50 and name:
            self.rest = self.rest or (lower.value, node.lineno, name)
        self.others = True


def _is_argv(node: ast.expr) -> bool:
    return dotted_name(node) in ("sys.argv", "argv")
