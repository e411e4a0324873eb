"""C and C++ programs: the options that `main` compares its words with, and what their usage texts say of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.files import FileTable

SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".cu")
MAX_BYTES = 400_000
MAX_OPTIONS = 300
_LONGEST = 400
"""Characters of a help text."""

_MAIN = re.compile(r"^[ \t]*(?:int|auto|void)\s+main\s*\(\s*(?:const\s+)?int\s+\w+\s*,", re.MULTILINE)
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_STRINGS = re.compile(_STRING)
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMPARES = re.compile(
    rf"\b(?:str(?:n|case|ncase)?cmp|\w*(?:arg|opt)\w*)\s*\([^;{{}}\n]*?{_STRING}|\b(?:arg\w*)(?:\[[^\]\n]*\])?\s*==\s*{_STRING}"
    r"|\barg\w*\[[^\]\n]*\]\[1\]\s*==\s*'(?P<letter>\w)'",
    re.IGNORECASE,
)
"""`strcmp(argv[i], "-t")`, `find_arg("-t", argc, argv)`, `arg == "-t"`, `argv[i][1] == 't'`."""
_TAKES = re.compile(r"\b(?:argv|args)\s*(?:\[|\.at\()[^\]\n]*(?:\+\s*1|\+\+)|\b(?:ato[ifl]+|strto\w+|sto[ifdl]+)\s*\(")
_WHOLE = re.compile(r"\b(?:ato[il]+|strto[ul]+l?|sto[il]+)\s*\(")
_REAL = re.compile(r"\b(?:atof|strto[fd]|sto[fd])\s*\(")
_OPTION = re.compile(r"-{1,2}[A-Za-z][\w-]*")
_LINE = re.compile(
    r"\s*(?P<names>-{1,2}[A-Za-z][\w-]*(?:(?:\s*[,|/]\s*|\s+or\s+)-{1,2}[A-Za-z][\w-]*)*)"
    r"(?:[ \t=]+(?P<value><[^<>]{1,40}>|\[[^\[\]]{1,40}\]|\{[^{}]{1,80}\}|[A-Z][A-Z_]*\b(?!\s+[a-z])))?(?P<help>.*)"
)
_USAGE = re.compile(r"\busage\s*:\s*(?P<words>.*)", re.IGNORECASE)
_DEFAULT = re.compile(r"\bdefaults?\s*(?:is|=|:|to)?\s*[\[(]?(-?\d[\w.-]*\b|\"[^\"]+\"|'[^']+')", re.IGNORECASE)
_BARE_DEFAULT = re.compile(r"\[(-?\d[\w.-]*)\]\s*$")
_POSITIONAL = re.compile(r"\b(\w+)\s*=\s*(?:\w+\s*\()?\s*argv\[([1-9])\]")
_TYPES = {"int": "int", "integer": "int", "float": "float", "double": "float", "string": "str", "str": "str", "file": "str"}


@dataclass(slots=True)
class _Shown:
    """What the usage text says of an option."""

    aliases: tuple[str, ...]
    value: str
    help: str


def read(files: FileTable, path: str) -> EntryPoint | None:
    """The program that is built from this file. None if it has no `main` that takes words, or takes none that could be read."""
    try:
        text = files.read(path, MAX_BYTES)
    except OSError:
        return None
    if text.binary or text.cut or not _MAIN.search(text.text):
        return None
    code = _COMMENT.sub(lambda m: m[0] if m[0].startswith('"') else " " + "\n" * m[0].count("\n"), text.text)
    printed = _printed(code)
    shown = {alias: one for one in _shown(printed) for alias in one.aliases}
    options: dict[str, Option] = {}
    for line, name, taken in _compared(code):
        option = _option(name, taken, shown.get(name), f"{path}:{line}")
        if option.name not in options and len(options) < MAX_OPTIONS:
            options[option.name] = option
    places = _positionals(printed, code, path)
    if not options and not places:
        return None
    name = path.rpartition("/")[2].rpartition(".")[0]
    return EntryPoint(
        path, "c", (f"./{name}",), (*places, *options.values()), open_ended=True, prefixes=False,
        line=code.count("\n", 0, main.start()) + 1 if (main := _MAIN.search(code)) else 1,
    )  # fmt: skip


def _compared(code: str) -> Iterator[tuple[int, str, str]]:
    """(line, option, the code up to the next comparison or the end of its block) for each option that a word is compared with."""
    found: list[tuple[int, int, str]] = []
    for match in _COMPARES.finditer(code):
        names = [f"-{match['letter']}"] if match["letter"] else [s for s in _STRINGS.findall(match[0]) if _OPTION.fullmatch(s)]
        found.extend((match.start(), match.end(), name) for name in names)
    for place, (start, _, name) in enumerate(found):
        while place + 1 < len(found) and code[found[place][1] : found[place + 1][0]].strip(" \t\n()") == "||":
            place += 1  # another spelling of the same option
        end = found[place][1]
        following = found[place + 1][0] if place + 1 < len(found) else len(code)
        yield code.count("\n", 0, start) + 1, name, code[end : min(following, end + 300)]


def _option(name: str, taken: str, said: _Shown | None, source: str) -> Option:
    body = re.split(r"\belse\b", taken, maxsplit=1)[0]
    takes = bool(_TAKES.search(body)) or (said is not None and bool(said.value))
    kind = (
        "int" if _WHOLE.search(body) else "float" if _REAL.search(body) else _TYPES.get(said.value.strip("<>[]").lower()) if said else None
    )
    option = Option(name, (name,), source, type=kind if takes else None, action="store" if takes else "flag")
    if said is None:
        return option
    default = _DEFAULT.search(said.help) or _BARE_DEFAULT.search(said.help)
    aliases = tuple(sorted(said.aliases, key=len, reverse=True))
    return replace(
        option, name=aliases[0], aliases=aliases, help=said.help, default=default[1].rstrip(".") if default and takes else None
    )  # fmt: skip


def _printed(code: str) -> list[str]:
    """The lines of all texts of the program, in order."""
    texts = (m[1] for m in _STRINGS.finditer(code) if not code[code.rfind("\n", 0, m.start()) + 1 : m.start()].lstrip().startswith("#"))
    whole = "".join(t + "\n" * (not t.endswith("\\n") and _ends_line(t)) for t in texts)
    return whole.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"').split("\n")


def _ends_line(text: str) -> bool:
    """An option alone, which the program compares its words with, stands in no text."""
    return _OPTION.fullmatch(text) is not None


def _shown(lines: list[str]) -> Iterator[_Shown]:
    for place, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        aliases = tuple(_OPTION.findall(match["names"]))
        told = [match["help"].strip(" \t:-")]
        if not told[0] and not match["value"] and not line[:1].isspace():
            continue  # it is no line of a usage text
        indent = _indent(line)
        for following in lines[place + 1 :]:
            if not following.strip() or _indent(following) <= indent or _LINE.fullmatch(following):
                break
            told.append(following.strip())
        yield _Shown(aliases, match["value"] or "", " ".join(" ".join(told).split())[:_LONGEST])


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _positionals(lines: list[str], code: str, path: str) -> list[Option]:
    """The words that stand in front of the options: by the usage line, else by the variables that take them."""
    names: list[str] = []
    for line in lines:
        if usage := _USAGE.search(line):
            words = re.split(r"\[|\s-", usage["words"].split("\n")[0])[0].split()
            names = [w.strip("<>").replace("-", "_") for w in words[1:] if re.fullmatch(r"<[\w-]+>", w)]
            if names:
                break
    by_place = {int(place): name for name, place in _POSITIONAL.findall(code)}
    if not names:
        names = [by_place[k] for k in range(1, len(by_place) + 1)] if sorted(by_place) == list(range(1, len(by_place) + 1)) else []
    main = _MAIN.search(code)
    start = code.count("\n", 0, main.start()) + 1 if main else 1
    unique = list(dict.fromkeys(names))
    return [Option(n, (n,), f"{path}:{start}", required=True, lenient=True) for n in unique] if len(unique) == len(names) else []
