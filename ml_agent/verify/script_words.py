"""How a shell script would take the words: `$1`, `$2`, ... and `getopts`. A shell forgives much, so most of this only warns."""

from collections.abc import Mapping, Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Argument, finding


def check_script(entry: EntryPoint, arguments: Sequence[Argument]) -> list[Finding]:
    if any(a.several for a in arguments):
        return []
    positionals = [o for o in entry.options if o.positional]
    known = {alias: o for o in entry.options for alias in o.aliases if alias.startswith("-")}
    findings = []
    given = 0
    index = 0
    while index < len(arguments):
        text = arguments[index].text
        name = text.partition("=")[0]
        index += 1
        if not known or not text.startswith("-") or text == "-":
            given += 1
        elif text == "--":
            given += len(arguments) - index
            break
        elif name in known:
            index += known[name].takes_value and "=" not in text
        elif text[:2] in known:  # `-n5`, or flags in one word
            index += _takes_next(text, known)
        else:
            findings.append(finding(entry, "option", f"`{entry.path}` takes no option `{name}`", text, sure=not entry.open_ended))
    several = entry.open_ended or any(o.nargs in ("*", "+", "...") for o in positionals)
    if given > len(positionals) and not several:
        findings.append(
            finding(entry, "positional", f"`{entry.path}` reads {len(positionals)} arguments, not {given}", arguments[-1].text, sure=False)
        )
    for option in positionals[given:]:
        if option.required and option.nargs not in ("*", "?"):
            message = f"`{entry.path}` needs the argument `{option.name}`"
            findings.append(finding(entry, "missing", message, entry.path, option.source, sure=not option.lenient))
    return findings


def _takes_next(text: str, known: Mapping[str, Option]) -> bool:
    """Whether the last option of a cluster (`-vn`) takes the next word."""
    for position in range(1, len(text)):
        option = known.get(f"-{text[position]}")
        if option is None:
            return False
        if option.takes_value:
            return position == len(text) - 1
    return False
