"""A Python program that makes something of a repository and does with it what a request wishes for."""

import ast
import re
from collections.abc import Mapping, Sequence

from ml_agent.policies.grounded.calling import Called
from ml_agent.policies.grounded.wishes import Wishes
from ml_agent.repo.pysource import parse_python

_DOES = frozenset(
    "save write export dump store process plot draw show visualize display download train fit set register add convert delete remove "
    "move copy init setup start run".split()
)
"""First words of what is called for what it does."""


def is_network(called: Called) -> bool:
    """Whether what is made is a network of one of the frameworks: by its bases, or because it has a forward pass."""
    callee = called.callee
    return any(re.search(r"(?:^|\.)(?:\w*Module|Model|Layer)$", b) for b in callee.bases) or any(
        m.name == "forward" for m in callee.methods
    )


def call_text(called: Called, first: Sequence[str] = ()) -> str:
    """`Name(first, b=2)`; what is required and not known is `...`."""
    parts = list(first)
    behind = len(first) > 0
    for position, taken in enumerate(called.callee.takes):
        if taken.kind in ("args", "kwargs") or position < len(first):
            continue
        value = called.arguments.get(taken.name, "..." if taken.required else None)
        if value is None:
            behind = True
        elif taken.kind == "positional_only" and not (behind and not first):
            parts.append(value)
        else:
            parts.append(f"{taken.name}={value}")
    return f"{called.callee.name}({', '.join(parts)})"


def write_program(
    made: Called,
    methods: Sequence[Called],
    wishes: Wishes,
    shape: tuple[int, ...] | None,
    training: Mapping[str, Called],
    module: str,
) -> str:
    """`training`: the calls `optimiser` and `schedule`, as far as they are wished for; `shape`: of the input that is passed through."""
    name, network = made.callee.name, is_network(made)
    library = "tensorflow" if made.callee.library == "tensorflow" else "torch" if network or made.callee.library == "torch" else "numpy"
    body: list[str] = []
    single, variable = made.callee.kind == "function" and not network, ""
    if single:
        body += _function(made, shape, wishes, library)
    else:
        variable = "model" if network else _variable(name)
        if not all(m.callee.of_class for m in methods) or not methods:
            body.append(f"{variable} = {call_text(made)}")
        else:
            variable = name
        body += (
            _network(variable, wishes, shape, library) if network and not methods else _methods(variable, methods, shape, wishes, library)
        )
        body += _training(variable, training)
        if wishes.save is not None and network:
            body.append(f"torch.save({variable}.state_dict(), {wishes.save.value!r})")
    if not single and len(body) == 1 and body[0].startswith(f"{variable} = "):
        body.append(f"print({variable})")
    text = "\n".join(body)
    imports = []
    if re.search(r"\btorch\.", text):
        imports.append("import torch")
    if "torchvision." in text:
        imports.append("import torchvision")
    if re.search(r"\btf\.", text):
        imports.append("import tensorflow as tf")
    if re.search(r"\bnp\.", text):
        imports.append("import numpy as np")
    own = f"from {module} import {name}"
    return "\n".join([*imports, *([""] if imports else []), own, "", text])


def _sample(shape: tuple[int, ...], library: str) -> str:
    dims = ", ".join(map(str, shape))
    if library == "tensorflow":
        return f"tf.random.normal(({dims}))"
    return f"np.random.randn({dims})" if library == "numpy" else f"torch.randn(({dims}))"


def _network(variable: str, wishes: Wishes, shape: tuple[int, ...] | None, library: str) -> list[str]:
    body = []
    torch = library == "torch"
    if wishes.load is not None and torch:
        body.append(f"{variable}.load_state_dict(torch.load({wishes.load.value!r}, map_location='cpu'))")
    if wishes.device and torch:
        body.append(f"{variable}.to({wishes.device!r})")
    if wishes.evaluation and torch:
        body.append(f"{variable}.eval()")
    if wishes.count:
        total = f"sum(p.numel() for p in {variable}.parameters())" if torch else f"{variable}.count_params()"
        body.append(f"print({total})")
    if shape:
        sample = _sample(shape, library) + (f".to({wishes.device!r})" if wishes.device and torch else "")
        body.append(f"output = {variable}({sample})")
        body.append("print(output.shape)")
    return body


def _methods(variable: str, methods: Sequence[Called], shape: tuple[int, ...] | None, wishes: Wishes, library: str) -> list[str]:
    body = []
    for number, method in enumerate(methods):
        first = [_sample(shape, library)] if shape and number == 0 and method.missing else []
        last = number == len(methods) - 1
        body += _shown(method, f"{variable}.{call_text(method, first)}", wishes, shape=wishes.shape and last)
    return body


def _function(made: Called, shape: tuple[int, ...] | None, wishes: Wishes, library: str) -> list[str]:
    first = [_sample(shape, library)] if shape and made.missing and made.callee.takes[0].name in made.missing else []
    return _shown(made, call_text(made, first), wishes, shape=wishes.shape and bool(first))


def _shown(called: Called, text: str, wishes: Wishes, *, shape: bool) -> list[str]:
    """The call, and its result printed; what is called for what it does has none, unless the request wants it printed."""
    if called.callee.name.lower().split("_")[0] in _DOES and not wishes.prints and not shape:
        return [text]
    return [f"result = {text}", "print(result.shape)" if shape else "print(result)"]


def _training(variable: str, training: Mapping[str, Called]) -> list[str]:
    body = []
    for what, first in (("optimiser", f"{variable}.parameters()"), ("schedule", "optimizer")):
        if called := training.get(what):
            given = "".join(f", {n}={v}" for n, v in called.arguments.items())
            target = "optimizer" if what == "optimiser" else "scheduler"
            body.append(f"{target} = {called.callee.module}.{called.callee.name}({first}{given})")
    return body


def _variable(name: str) -> str:
    """`PromptMaker` -> `prompt_maker`."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return snake if snake != name else f"{snake}_"


def with_result(code: str, *, shape: bool = False) -> str:
    """The program with its results printed, the last one or its shape: what calls give names that nothing reads.

    What a class makes is a result only where nothing follows.
    """
    try:
        tree = parse_python(code)
    except SyntaxError:
        return code
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    named = {names: node for node in tree.body if (names := _named_by_call(node)) and not read.intersection(names)}
    lines = code.rstrip().split("\n")
    for names, node in sorted(named.items(), key=lambda each: -each[1].lineno):
        last = node is tree.body[-1]
        if last or not _is_made(node):
            line = f"print({', '.join(names)}{'.shape' if shape and last and len(names) == 1 else ''})"
            lines.insert(len(lines) if last else node.end_lineno or node.lineno, line)
    return "\n".join(lines) + "\n" if len(lines) > len(code.rstrip().split("\n")) else code


def _named_by_call(node: ast.stmt) -> tuple[str, ...]:
    """The names that a statement gives to what a call returns: `a = f()`, `a: Pie = f()`, `a, b = f()`."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(node.value, ast.Call):
        return ()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = targets[0].elts if isinstance(targets[0], ast.Tuple) else targets[:1]
    return (
        tuple(n.id for n in names if isinstance(n, ast.Name)) if len(targets) == 1 and all(isinstance(n, ast.Name) for n in names) else ()
    )


def _is_made(node: ast.stmt) -> bool:
    """Whether a statement names what a class makes, as far as the letters tell."""
    call = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    while isinstance(call, ast.Call):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
        if name[:1].isupper():
            return True
        call = call.func.value if isinstance(call.func, ast.Attribute) else None
    return False
