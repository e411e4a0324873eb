"""Is this Python program possible in this repository: its syntax, its imports, the names and calls that it makes?"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import Module, nearest_names
from ml_agent.repo.modules.definitions import Definition, Misfit, Signature
from ml_agent.repo.modules.roots import join
from ml_agent.repo.pysource import dotted_name, parse_python, unparse
from ml_agent.verify.findings import Finding
from ml_agent.verify.imports import ImportChecker, Imports
from ml_agent.verify.placeholders import is_placeholder
from ml_agent.verify.pynames import PyNames, command_of, read_names
from ml_agent.verify.undefined import undefined_names

CheckCommand = Callable[[str, str], list[Finding]]
"""Checks a command line that the program runs, given the line and the folder that it starts in."""


def check_python(code: str, workdir: str, index: RepoIndex, check_command: CheckCommand) -> list[Finding]:
    """All findings about a program that starts in `workdir` (an existing folder, relative to the root)."""
    try:
        tree = parse_python(code)
    except SyntaxError as error:
        return [_syntax(code, error)]
    names = read_names(tree)
    checker = ImportChecker(index, workdir, names)
    imports = checker.check()
    findings = list(imports.findings)
    findings.extend(_check_uses(names, imports, checker))
    findings.extend(_check_calls(names, imports))
    findings.extend(_repeated(names))
    if imports.stars is not None:
        findings.extend(undefined_names(tree, names, imports.stars))
    commands = [c for node, _ in names.calls if (c := command_of(node, names.texts))]
    for command in commands:
        findings.extend(f for f in check_command(command, workdir) if f.kind != "nothing")
    findings.extend(
        Finding("placeholder", f"`{text}` is a placeholder: put the real value there", text, severity="warning")
        for text in dict.fromkeys(names.strings)
        if not re.search(r"\s", text.strip("<>")) and is_placeholder(text, shell=False) and not _is_there(text, workdir, index)
    )
    if not imports.used and not commands and not _names_a_file(names, workdir, index):
        findings.append(
            Finding("nothing", "nothing of the repository is imported or run", code.strip().split("\n", 1)[0][:80], severity="warning")
        )
    return findings


def _syntax(code: str, error: SyntaxError) -> Finding:
    line = error.lineno or 1
    lines = code.split("\n")
    place = lines[line - 1].strip()[:80] if 0 < line <= len(lines) else ""
    return Finding("syntax", f"line {line}: {error.msg}", place)


def _repeated(names: PyNames) -> Iterator[Finding]:
    """Keyword arguments that a call gets twice: Python compiles no such program."""
    for node, _ in names.calls:
        given = [k.arg for k in node.keywords if k.arg is not None]
        for name in dict.fromkeys(n for n in given if given.count(n) > 1):
            yield Finding("syntax", f"line {node.lineno}: keyword argument repeated: {name}", unparse(node.func))


def _is_there(text: str, workdir: str, index: RepoIndex) -> bool:
    path = join(workdir, text)
    return path is not None and (index.files.is_file(path) or index.files.is_folder(path))


def _names_a_file(names: PyNames, workdir: str, index: RepoIndex) -> bool:
    return any(
        0 < len(text) < 300 and "." in text and (path := join(workdir, text)) is not None and index.files.is_file(path)
        for text in names.strings
        if "\0" not in text
    )


def _follow(node: ast.expr, imports: Imports) -> tuple[Module, list[str]] | None:
    """The last module that a chain of attributes leads through, and the names behind it; None if it is not the repository's."""
    dotted = dotted_name(node)
    parts = dotted.split(".") if dotted else []
    if not parts or parts[0] not in imports.bound:
        return None
    module, name = imports.bound[parts[0]]
    rest = parts[1:] if name is None else [name, *parts[1:]]
    while rest:
        definition = module.get(rest[0])
        inner = module.enter(definition) if definition is not None and definition.kind == "module" else None
        if inner is None:
            break
        module = inner
        rest = rest[1:]
    return module, rest


def _check_uses(names: PyNames, imports: Imports, checker: ImportChecker) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for node, guarded in names.uses:
        followed = None if guarded else _follow(node, imports)
        if followed is None or not followed[1]:
            continue
        module, (name, *_) = followed
        imported = imports.bound[(dotted_name(node) or "").split(".")[0]]
        if imported == (module, name) or (module.dotted, name) in seen:
            continue  # the import itself was judged
        seen.add((module.dotted, name))
        if finding := checker.missing_name(module, name, dotted_name(node) or ""):
            near = nearest_names(name, {*module.names, *module.submodules}, 1)
            place = finding.place
            suggestion = place.replace(f".{name}", f".{near[0]}", 1) if near else finding.suggestion
            yield Finding(finding.kind, finding.message, place, finding.source, suggestion, finding.severity)


def _check_calls(names: PyNames, imports: Imports) -> Iterator[Finding]:
    for node, guarded in names.calls:
        if guarded or any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            continue
        followed = _follow(node.func, imports)
        if followed is None or len(followed[1]) != 1:
            continue
        definition = followed[0].get(followed[1][0])
        if definition is None or definition.signature is None:
            continue
        given = [k.arg for k in node.keywords if k.arg is not None]
        misfits = definition.signature.misfits(len(node.args), given)
        for misfit in misfits:
            yield _misfit(node, misfit, misfits, definition, definition.signature)


def _renamed(misfits: Sequence[Misfit]) -> list[str]:
    """The one argument that is missing where one is unknown: it was given under another name."""
    missing = [m.name for m in misfits if m.kind == "missing"]
    return missing if len(missing) == 1 and sum(m.kind == "unknown" for m in misfits) == 1 else []


def _misfit(node: ast.Call, misfit: Misfit, all_misfits: Sequence[Misfit], definition: Definition, signature: Signature) -> Finding:
    callee = unparse(node.func)
    place = unparse(node)
    suggestion: str | None = f"{definition.name}{signature}"
    if misfit.kind == "unknown":
        keyword = next(k for k in node.keywords if k.arg == misfit.name)
        value = unparse(keyword.value, 40)
        place = f"{misfit.name}={value}"
        free = [n for n in signature.names if n not in {k.arg for k in node.keywords}]
        near = nearest_names(misfit.name, free, 1) or _renamed(all_misfits)
        suggestion = f"{near[0]}={value}" if near else suggestion
        message = f"`{callee}` takes no argument `{misfit.name}`"
    elif misfit.kind == "missing":
        message = f"`{callee}` needs the argument `{misfit.name}`"
    elif misfit.kind == "twice":
        message = f"`{callee}` gets the argument `{misfit.name}` by position and by name"
    else:
        message = f"`{callee}` takes at most {misfit.allowed} positional arguments, not {misfit.given}"
    return Finding("signature", message, place, definition.source, suggestion)
