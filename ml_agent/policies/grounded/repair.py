"""Repairs: what a finding or a failed run says is wrong, changed in the command line."""

import copy
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ml_agent.policies.grounded.arguments import Item, find_option
from ml_agent.policies.grounded.compose import Line
from ml_agent.policies.grounded.required import default_for, placeholder
from ml_agent.repo.lexical import split_identifier
from ml_agent.task import Evidence
from ml_agent.verify.synonyms import same_meaning

_ALIKE = 80
_MANY = 2
"""Arguments that are wrong by no slip."""


def repair(line: Line, findings: Sequence[Mapping[str, Any]], own: frozenset[str] = frozenset()) -> Line | None:
    """A changed copy of the line that answers the findings, or None if nothing can be done about them."""
    changed = copy.copy(line)
    changed.items = [copy.copy(i) for i in line.items]
    changed.variables, changed.prefix = list(line.variables), list(line.prefix)
    done = [_REPAIRS[f["kind"]](changed, f) for f in findings if f.get("severity", "error") == "error" and f["kind"] in _REPAIRS]
    return changed if any(done) else None


def keeps_most(line: Line, mended: Line) -> bool:
    """Whether what is left of a line is still what was asked for. Where most of it had to go, its program was read wrong, rather than
    documented wrong."""
    names, values = {i.name for i in mended.items if i.name}, [i.values for i in mended.items if i.values]
    lost = sum(i.name not in names and i.values not in values for i in line.items)
    return lost < _MANY or 2 * lost <= len(line.items)


def _option(line: Line, finding: Mapping[str, Any]) -> bool:
    name = str(finding["place"]).split("=")[0].split(" ")[0]
    item = next((i for i in line.items if i.name == name), None)
    if item is None:
        return False
    suggestion = str(finding.get("suggestion") or "").split("=")[0].split(" ")[0]
    option = find_option(line.program, suggestion) if suggestion.startswith("-") else None
    if option and _is_slip(name, suggestion) and not any(i.option is option for i in line.items):
        item.name, item.option = suggestion, option
        item.evidence = Evidence(" ".join(item.words()), item.evidence.words, option.source)
    else:
        line.items.remove(item)
    return True


def _is_slip(name: str, meant: str) -> bool:
    """Whether one is the other misspelled, or with words more or fewer: `--owl_dir` is no slip of `--d_dir`."""
    from rapidfuzz import fuzz

    one, other = set(split_identifier(name)), set(split_identifier(meant))
    return one <= other or other <= one or same_meaning(name, meant) or fuzz.ratio(name, meant) >= _ALIKE


def _value(line: Line, finding: Mapping[str, Any]) -> bool:
    words = str(finding["place"]).replace("=", " ").split(" ")
    item = next((i for i in line.items if i.name and i.name == words[0]), None)
    item = item or next((i for i in line.items if i.values and i.values[-1] == words[-1]), None)
    if item is None:
        return False
    suggestion = finding.get("suggestion")
    value = re.sub(r"^--?[\w-]+[ =]", "", str(suggestion)) if suggestion else ""
    if value and item.values and value != item.values[-1]:
        item.values = [*item.values[:-1], value]
        item.evidence = Evidence(" ".join(item.words()), item.evidence.words, finding.get("source") or item.evidence.source)
        return True
    if item.option is None or item.option.required:
        return False
    line.items.remove(item)
    return True


def _missing(line: Line, finding: Mapping[str, Any]) -> bool:
    names = re.split(r"[\s/,=]+", str(finding["place"]))
    option = next((o for name in names if (o := find_option(line.program, name))), None)
    if option is None and finding.get("source"):  # verification names the program, and points at the option
        given = {i.option.name for i in line.items if i.option}
        asked = [o for o in line.program.options if o.required and o.source == finding["source"] and o.name not in given]
        option = asked[0] if asked else None
    if option is None:
        name = names[0]
        if not name.startswith("--") or any(i.name == name for i in line.items):
            return False
        line.items.append(Item(name, [placeholder(name)], False, Evidence(name, None, finding.get("source"))))
        return True
    if any(i.option is option for i in line.items):
        return False
    value, source = default_for(line.program, option, line.others)
    item = Item("" if option.positional else option.name, [value], False, Evidence("", None, source), option)
    item.evidence = Evidence(" ".join(item.words()), None, source)
    line.items.append(item)
    return True


def _positional(line: Line, finding: Mapping[str, Any]) -> bool:
    word = str(finding["place"])
    item = next((i for i in line.items if not i.name and word in i.values), None)
    if item is None:
        return False
    line.items.remove(item)
    return True


def _folder(line: Line, finding: Mapping[str, Any]) -> bool:
    """Start from another folder: the program's own, then the root, then with the root on the module path."""
    path = line.program.path
    if line.prefix[-1:] == [] or "-m" in line.prefix:
        target = "."
    else:
        own_folder = os.path.dirname(path) or "."
        target = own_folder if line.workdir != own_folder else "."
    if target == line.workdir:
        return False
    line.workdir = target
    if "-m" not in line.prefix:
        line.prefix[-1] = os.path.relpath(path, target).replace(os.sep, "/")
    return True


def _import(line: Line, finding: Mapping[str, Any]) -> bool:
    """A module of the repository that the program does not find: put the root on the module path."""
    root = os.path.relpath(".", line.workdir).replace(os.sep, "/")
    if any(name == "PYTHONPATH" for name, _, _ in line.variables):
        return False
    line.variables.append(("PYTHONPATH", root, Evidence(f"PYTHONPATH={root}", None, line.program.path + ":1")))
    return True


_REPAIRS = {
    "option": _option,
    "value": _value,
    "missing": _missing,
    "positional": _positional,
    "folder": _folder,
    "program": _folder,
    "import": _import,
}


def findings_of_run(output: str, own: frozenset[str]) -> list[dict[str, Any]]:
    """What the output of a failed run says is wrong, in the shape of findings.

    `own` holds the module names of the repository: one of those that is not found is a matter of folders.
    """
    found: list[dict[str, Any]] = []

    def add(kind: str, place: str, suggestion: str | None = None) -> None:
        found.append(
            {"kind": kind, "place": place, "suggestion": suggestion, "source": None, "severity": "error", "message": output[-300:]}
        )

    if match := re.search(r"error: unrecognized arguments: (.+)", output):
        for word in match[1].split():
            add("option" if word.startswith("-") else "positional", word)
    if match := re.search(r"error: the following arguments are required: (.+)", output):
        for name in match[1].split(", "):
            add("missing", name.strip())
    if match := re.search(r"Missing option ['\"]?(--[\w-]+)", output):
        add("missing", match[1])
    if match := re.search(r"No such option:? ['\"]?(--?[\w-]+)['\"]?(?:\.? Did you mean (--?[\w-]+))?", output):
        add("option", match[1], match[2])
    if match := re.search(r"error: argument ([^:]+): invalid choice: (?:'([^'\n]*)'|(\S+)) \(choose from ([^)]*)\)", output):
        from rapidfuzz import process

        value, choices = match[2] or match[3], [c.strip(" '\"") for c in match[4].split(",")]
        best = process.extractOne(value, choices)
        add("value", f"{match[1].split('/')[0]} {value}", best[0] if best else None)
    elif match := re.search(r"error: argument ([^:]+): invalid \w+ value: '?([^'\n]+)'?", output):
        add("value", f"{match[1].split('/')[0]} {match[2]}")
    if re.search(r"can't open file|No such file or directory: ['\"]?[\w./-]+\.(?:ya?ml|json|py|sh|cfg|toml|ini)\b", output):
        add("folder", "")
    if (match := re.search(r"No module named '([\w.]+)'", output)) and match[1].split(".")[0] in own:
        add("import", match[1])
    return found
