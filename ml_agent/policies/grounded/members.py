"""A list of names of which the code takes one by its place: `models = ["owl", "bat"]`, `load(models[0])`."""

import ast
from collections.abc import Iterator

from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.nodes import is_text, offset_of
from ml_agent.policies.grounded.request import Mention, Request, squeeze


def chosen_members(tree: ast.AST, code: str, request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """(what takes one of a list, the name that the request says of that list, where it says it).

    Only where the request says one of the names; those beside it are no values.
    """
    chosen: dict[str, tuple[str, Mention]] = {}
    for name, members in _lists_of_names(tree):
        spelled = {squeeze(member): member for member in members}
        said = [m for m in request.mentions if squeeze(m.value) in spelled]
        if len(said) == 1:
            chosen[name] = spelled[squeeze(said[0].value)], said[0]
    for node in ast.walk(tree) if chosen else ():
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())) if name in chosen:
                member, mention = chosen[name]
                yield Literal("string", member, *offset_of(node, code), (name,)), repr(member), mention


def _lists_of_names(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=members) | ast.Tuple(elts=members)):
                if len(members) > 1 and all(map(is_text, members)):
                    yield name, [str(ast.literal_eval(member)) for member in members]
