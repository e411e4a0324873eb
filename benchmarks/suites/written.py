"""Answers as the tasks of this project write them down: options with their values, positional arguments, values of code."""

import ast
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ml_agent.repo.pysource import dotted_name, parse_python

_KEYWORD = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*(?=[^\s=])")


def asked(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The `arguments` of a sample: parameter -> the value that the request asks for, as the rows of ML-Bench have them.

    Of an option with several values each is one: `--seed 0 1` is {"seed": "0", "seed 2": "1"}. Values of Python are written down as code
    (`"cpu"`, `1e-4`, `nn.ReLU`, `bias=True`), and here they are what they stand for: `cpu`, 0.0001, `ReLU`, True. A text that the program
    has as a string is one, quoted or not.
    """
    found: dict[str, Any] = {}
    words = _words(answer.get("command", ""))
    for name, value in answer.get("options", {}).items():
        plain = name.lstrip("-")
        for number, one in enumerate(_each(name, value, words), 1):
            found[plain if number == 1 else f"{plain} {number}"] = one
    found |= {f"argument{number}": value for number, value in enumerate((*answer.get("arguments", ()), *answer.get("values", ())), 1)}
    found |= answer.get("keywords", {})
    if answer["language"] != "python":
        return found
    nodes = ast.walk(parse_python(answer["code"]))
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name: _value(value, strings) if isinstance(value, str) else value for name, value in found.items()}


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _each(name: str, value: Any, words: Collection[str]) -> Iterable[Any]:
    """The values of an option, of which a list has several, and a text of several words that is no single one of the command."""
    if isinstance(value, list):
        return value
    if isinstance(value, str) and value not in words and f"{name}={value}" not in words:
        return value.split() or [value]
    return [value]


def _value(text: str, strings: Collection[str]) -> Any:
    """A literal's value, the last name of a dotted one; what is neither stays as it is."""
    if text in strings:
        return text
    try:
        body = parse_python(_KEYWORD.sub("", text, count=1) if _KEYWORD.match(text) else text.strip()).body
    except SyntaxError:
        return text
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        return text
    if (name := dotted_name(body[0].value)) is not None:
        return name.rpartition(".")[2]
    try:
        return ast.literal_eval(body[0].value)
    except (ValueError, TypeError, RecursionError):
        return text
