"""The variables of the environment that a Python program reads: `MODEL=x python export.py`."""

import ast

from ml_agent.repo.entrypoints.base import Option
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.shell_environment import is_system
from ml_agent.repo.pysource import dotted_name, walk

MAX_VARIABLES = 60
_GETS = ("os.environ.get", "os.getenv", "environ.get", "getenv")
_ALL = ("os.environ", "environ")


def environment_of(program: Program) -> tuple[Option, ...]:
    """Those whose names stand in the program's own file, in the order of the lines that read them."""
    if "environ" not in program.module.text and "getenv" not in program.module.text:
        return ()
    found: dict[str, Option] = {}
    for node in walk(program.module.tree):
        name: ast.expr | None = None
        default: ast.expr | None = None
        if isinstance(node, ast.Call) and node.args and dotted_name(node.func) in _GETS:
            name, default = node.args[0], node.args[1] if len(node.args) > 1 else None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and dotted_name(node.value) in _ALL:
            name = node.slice
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str) or not name.value.isidentifier() or is_system(name.value):
            continue
        text = repr(default.value) if isinstance(default, ast.Constant) and default.value is not None else None
        line = getattr(node, "lineno", 1)
        found.setdefault(name.value, Option(name.value, (name.value,), f"{program.path}:{line}", default=text, assigned=True, lenient=True))
    return tuple(sorted(found.values(), key=lambda o: int(o.source.rpartition(":")[2]))[:MAX_VARIABLES])
