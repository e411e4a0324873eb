"""Programs that define their options with absl's flags: `absl.flags`, `tf.flags`, `tf.app.flags`, `gflags`.

The flags of a program are those of its file and of every module of the repository that it imports.
"""

import ast
import dataclasses
import posixpath
from collections.abc import Iterator
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.base import Action, EntryPoint, Option
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.entrypoints.values import Unknown
from ml_agent.repo.pysource import dotted_name, unparse

MAX_MODULES = 100
CONFIG = "config_file"
"""The type of a flag that names a file of settings."""

_TYPES = {
    "DEFINE_string": "str", "DEFINE_integer": "int", "DEFINE_float": "float", "DEFINE_bool": "bool", "DEFINE_boolean": "bool",
    "DEFINE_enum": "str", "DEFINE_list": "list", "DEFINE_spaceseplist": "list", "DEFINE_enum_class": "str", "DEFINE": "",
    "DEFINE_multi_string": "str", "DEFINE_multi_integer": "int", "DEFINE_multi_float": "float", "DEFINE_multi_enum": "str",
    "DEFINE_multi": "",
}  # fmt: skip
_HELP = Option("--help", ("--help", "-?", "--helpfull", "--helpshort"), "", help="show the help and exit", action="help")


def read(program: Program) -> EntryPoint | None:
    start = program.module.folder
    if not (program.guarded or _acts(program.module)) or "flags" not in program.module.text.lower():
        return None
    options: dict[str, Option] = {}
    unread: list[str] = []
    required: set[str] = set()
    for module in _modules(program.sources, program.module, start):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                _call(node, module, program.sources, options, unread, required)
    if not options:
        return None
    found = [dataclasses.replace(o, required=True) if o.name.lstrip("-") in required else o for o in options.values()]
    source = found[0].source
    found.append(dataclasses.replace(_HELP, source=source))
    path, _, line = source.rpartition(":")
    return EntryPoint(
        program.path,
        "absl",
        program.run,
        tuple(found),
        description=program.description,
        line=int(line) if path == program.path else 1,
        open_ended=bool(unread),
        flag_style="absl",
        unread=tuple(unread),
    )


def _acts(module: Module) -> bool:
    """Whether the top level calls something other than what defines flags."""
    calls = [n.value.func for n in module.tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    return any(not (dotted_name(c) or "").rpartition(".")[2].startswith(("DEFINE", "mark_flag")) for c in calls)


def _modules(sources: Sources, first: Module, start: str) -> Iterator[Module]:
    """The program and what it imports from the repository, at any distance, that defines flags."""
    queue, seen = [first.path], {first.path}
    for path in queue:
        if sources.glance(path).may_run and (module := sources.module(path)) and "DEFINE" in module.text:
            yield module
        for found in sources.beside(path, start):
            if found not in seen and len(queue) < MAX_MODULES:
                seen.add(found)
                queue.append(found)


def _call(node: ast.Call, module: Module, sources: Sources, options: dict[str, Option], unread: list[str], required: set[str]) -> None:
    dotted = dotted_name(node.func)
    if dotted is None:
        return
    owner, _, name = dotted.rpartition(".")
    source = f"{module.path}:{node.func.end_lineno or node.lineno}"
    if name in ("mark_flag_as_required", "mark_flags_as_required") and node.args:
        required.update(s.value for s in ast.walk(node.args[0]) if isinstance(s, ast.Constant) and isinstance(s.value, str))
        return
    if name in ("DEFINE_config_file", "DEFINE_config_dict"):
        _config(node, module, source, sources, options, unread)
        return
    if name not in _TYPES or not owner.rpartition(".")[2].lower().strip("_").endswith("flags"):
        return
    option = _option(name, node, module, source)
    if option is None:
        unread.append(f"a flag whose name is made at run time at {source}")
    else:
        options.setdefault(option.name, option)


def _config(node: ast.Call, module: Module, source: str, sources: Sources, options: dict[str, Option], unread: list[str]) -> None:
    """`ml_collections.config_flags`: a file of settings, each of which is a flag `--config.NAME` too."""
    name = _literal(node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "name"), None), module)
    if not isinstance(name, str):
        unread.append(f"a flag whose name is made at run time at {source}")
        return
    given = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "default"), None)
    default = _literal(given, module)
    shown = None if given is None else text_of(default, given)
    options.setdefault(f"--{name}", Option(f"--{name}", (f"--{name}",), source, CONFIG, shown, help="a file of settings"))
    path = posixpath.normpath(posixpath.join(module.folder, default)) if isinstance(default, str) else None
    file = next((m for p in (default, path) if isinstance(p, str) and sources.lists(p) and (m := sources.module(p))), None)
    if file is None:
        unread.append(f"the settings behind --{name} at {source}")
        return
    for each in ast.walk(file.tree):
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Attribute):
            dotted, value = dotted_name(each.targets[0]), _literal(each.value, file)
            if dotted is not None and not isinstance(value, Unknown):
                flag = f"--{name}.{dotted.partition('.')[2]}"
                kind = type(value).__name__ if isinstance(value, (bool, int, float, str)) else None
                options.setdefault(flag, Option(flag, (flag,), f"{file.path}:{each.lineno}", kind, repr(value)[:200]))


def _option(define: str, node: ast.Call, module: Module, source: str) -> Option | None:
    order = ["name", "default", "help"]
    if "enum" in define:
        order = ["name", "default", "enum_class" if define == "DEFINE_enum_class" else "enum_values", "help"]
    elif define in ("DEFINE", "DEFINE_multi"):
        order = ["parser", *(["serializer"] if define == "DEFINE_multi" else []), "name", "default", "help"]
    given: dict[str, ast.expr] = dict(zip(order, node.args, strict=False))
    given.update({k.arg: k.value for k in node.keywords if k.arg})
    aliases = {"flag_name": "name", "default_value": "default", "docstring": "help"}
    given = {aliases.get(k, k): v for k, v in given.items()}
    name = _literal(given.get("name"), module)
    if not isinstance(name, str) or not name:
        return None
    kind = _TYPES[define]
    boolean = kind == "bool"
    spellings = [f"--{name}", *([f"--no{name}"] if boolean else [])]
    short = _literal(given.get("short_name"), module)
    if isinstance(short, str) and short:
        spellings.append(f"-{short}")
    action: Action = "flag" if boolean else "append" if "multi" in define else "store"
    choices = _literal(given.get("enum_values"), module)
    text = _literal(given.get("help"), module)
    default = given.get("default")
    return Option(
        f"--{name}",
        tuple(spellings),
        source,
        type=kind or None,
        default=None if default is None else text_of(_literal(default, module), default),
        choices=tuple(map(str, choices)) if isinstance(choices, (list, tuple)) else None,
        required=_literal(given.get("required"), module) is True,
        help=" ".join(text.split()) if isinstance(text, str) else "",
        action=action,
        bounds=_bounds(_literal(given.get("lower_bound"), module), _literal(given.get("upper_bound"), module)),
    )


def _bounds(low: Any, high: Any) -> str:
    numbers = (int, float)
    if isinstance(high, numbers):
        return f"{low}<=x<={high}" if isinstance(low, numbers) else f"x<={high}"
    return f"x>={low}" if isinstance(low, numbers) else ""


def _literal(node: ast.expr | None, module: Module) -> Any:
    """A literal, or a name that the module's top level gives a literal; None if there is no expression."""
    if node is None:
        return None
    if isinstance(node, ast.Name) and isinstance(bound := module.names.get(node.id), ast.expr):
        node = bound
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _literal(node.left, module), _literal(node.right, module)
        return left + right if isinstance(left, str) and isinstance(right, str) else Unknown(node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return Unknown(node) if unparse(node) else None
