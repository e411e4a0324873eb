"""docopt's language: a usage text as a pattern, and whether a command line fits it, as docopt itself decides."""

import re
from dataclasses import dataclass, field
from typing import Literal

MAX_TEXT = 50_000
MAX_TOKENS = 3_000
MAX_DEPTH = 60
MAX_STEPS = 100_000


class UsageError(ValueError):
    """The text is none that docopt could read."""


@dataclass(eq=False, slots=True)
class Flag:
    """An option, in the text or on the command line."""

    short: str | None = None
    long: str | None = None
    takes: bool = False
    default: str | None = None
    help: str = ""
    line: int = 1
    value: str | None = None

    @property
    def name(self) -> str:
        return self.long or self.short or ""


@dataclass(eq=False, slots=True)
class Node:
    kind: Literal["required", "optional", "either", "more", "options", "flag", "argument", "command"]
    children: "list[Node]" = field(default_factory=list)
    name: str = ""
    flag: Flag | None = None


@dataclass(slots=True)
class Usage:
    pattern: Node
    flags: list[Flag]
    """All options, those of the usage part too."""


def parse_usage(text: str) -> Usage:
    """Raises UsageError."""
    text = text[:MAX_TEXT]
    sections = re.findall(r"^([^\n]*usage:[^\n]*\n?(?:[ \t].*?(?:\n|$))*)", text, re.IGNORECASE | re.MULTILINE)
    if len(sections) != 1:
        raise UsageError("there must be one part that begins with `usage:`")
    flags = _described(text, sections[0])
    _, _, body = re.split(r"(usage:)", sections[0], maxsplit=1, flags=re.IGNORECASE)
    words = body.split()
    if not words:
        raise UsageError("the usage is empty")
    source = "( " + " ".join(") | (" if w == words[0] else w for w in words[1:]) + " )"
    spaced = re.sub(r"([\[\]()|]|\.\.\.)", r" \1 ", source)
    tokens = [t for t in re.split(r"\s+|(\S*<.*?>)", spaced) if t]
    if len(tokens) > MAX_TOKENS:
        raise UsageError("the usage is too long")
    parser = _Parser(tokens, flags)
    pattern = Node("required", parser.expression(0))
    if parser.tokens:
        raise UsageError(f"unexpected {parser.tokens[-1]!r}")
    inside = set(map(id, _flags_of(pattern)))
    _fill_shortcuts(pattern, [Node("flag", flag=f) for f in flags if id(f) not in inside])
    return Usage(pattern, flags)


def _described(text: str, usage: str) -> list[Flag]:
    """The options that lines beginning with a dash describe."""
    start = text.find(usage)
    found = []
    lines = text.split("\n")
    first, last = text.count("\n", 0, start), text.count("\n", 0, start + len(usage))
    for number, line in enumerate(lines):
        stripped = re.sub(r"^\s*(?:[\w ]*options:)?\s*", "", line, flags=re.IGNORECASE)
        if first <= number < last or not stripped.startswith("-") or re.match(r"-+\s*$", stripped):
            continue
        spelled, _, help_text = stripped.partition("  ")
        for after in lines[number + 1 : number + 20]:  # the help may go on below
            if not after.strip() or after.strip().startswith("-") or not after.startswith((" ", "\t")):
                break
            help_text += " " + after.strip()
        flag = Flag(help=" ".join(help_text.split()), line=number + 1)
        for word in spelled.replace(",", " ").replace("=", " ").split():
            if word.startswith("--"):
                flag.long = word
            elif word.startswith("-"):
                flag.short = word
            else:
                flag.takes = True
        if flag.takes and (match := re.search(r"\[default: (.*?)\]", help_text, re.IGNORECASE)):
            flag.default = match[1]
        found.append(flag)
    return found


class _Parser:
    def __init__(self, tokens: list[str], flags: list[Flag]) -> None:
        self.tokens = tokens[::-1]
        self._flags = flags

    def _current(self) -> str | None:
        return self.tokens[-1] if self.tokens else None

    def expression(self, depth: int) -> list[Node]:
        if depth > MAX_DEPTH:
            raise UsageError("nested too deeply")
        sequence = self._sequence(depth)
        if self._current() != "|":
            return sequence
        found = [Node("required", sequence)]
        while self._current() == "|":
            self.tokens.pop()
            found.append(Node("required", self._sequence(depth)))
        return [Node("either", found)]

    def _sequence(self, depth: int) -> list[Node]:
        found: list[Node] = []
        while self._current() not in (None, "]", ")", "|"):
            atom = self._atom(depth)
            if self._current() == "...":
                self.tokens.pop()
                atom = [Node("more", atom)]
            found += atom
        return found

    def _atom(self, depth: int) -> list[Node]:
        word = self.tokens.pop()
        if word in ("(", "["):
            inside = self.expression(depth + 1)
            if not self.tokens or self.tokens.pop() != {"(": ")", "[": "]"}[word]:
                raise UsageError(f"{word!r} is not closed")
            return [Node("required" if word == "(" else "optional", inside)]
        if word == "options":
            return [Node("options")]
        if word.startswith("--") and word != "--":
            return [self._long(word)]
        if word.startswith("-") and word not in ("-", "--"):
            return self._shorts(word)
        if (word.startswith("<") and word.endswith(">")) or word.isupper():
            return [Node("argument", name=word)]
        return [Node("command", name=word)]

    def _long(self, word: str) -> Node:
        name, equals, _ = word.partition("=")
        flag = next((f for f in self._flags if f.long == name), None)
        if flag is None:
            flag = Flag(long=name, takes=bool(equals))
            self._flags.append(flag)
        elif flag.takes and not equals and self.tokens:
            self.tokens.pop()  # its value's name
        return Node("flag", flag=flag)

    def _shorts(self, word: str) -> list[Node]:
        found = []
        rest = word[1:]
        while rest:
            name, rest = f"-{rest[0]}", rest[1:]
            flag = next((f for f in self._flags if f.short == name), None)
            if flag is None:
                flag = Flag(short=name)
                self._flags.append(flag)
            elif flag.takes:
                if not rest and self.tokens:
                    self.tokens.pop()
                rest = ""
            found.append(Node("flag", flag=flag))
        return found


def _flags_of(node: Node) -> list[Flag]:
    own = [node.flag] if node.flag is not None else []
    return own + [f for child in node.children for f in _flags_of(child)]


def _fill_shortcuts(node: Node, others: list[Node]) -> None:
    """`[options]` stands for all that the usage does not name."""
    if node.kind == "options":
        node.children = others
        return
    for child in node.children:
        _fill_shortcuts(child, others)


@dataclass(slots=True)
class Word:
    """A word of the command line: an option with its value, or a plain one."""

    text: str
    flag: Flag | None = None


class Matcher:
    """Fits words to a pattern, greedily as docopt does."""

    def __init__(self) -> None:
        self._steps = 0

    def left(self, node: Node, words: list[Word]) -> list[Word] | None:
        """The words that are left; None if the pattern does not fit. Raises UsageError if it takes too long to tell."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise UsageError("too long a usage")
        match node.kind:
            case "required":
                for child in node.children:
                    after = self.left(child, words)
                    if after is None:
                        return None
                    words = after
                return words
            case "optional" | "options":
                for child in node.children:
                    after = self.left(child, words)
                    words = words if after is None else after
                return words
            case "either":
                found = [after for child in node.children if (after := self.left(child, words)) is not None]
                return min(found, key=len, default=None)
            case "more":
                return self._more(node, words)
            case "flag":
                index = next((i for i, w in enumerate(words) if w.flag is node.flag), None)
            case _:
                index = next((i for i, w in enumerate(words) if w.flag is None), None)
                if index is not None and node.kind == "command" and words[index].text != node.name:
                    index = None
        return None if index is None else [*words[:index], *words[index + 1 :]]

    def _more(self, node: Node, words: list[Word]) -> list[Word] | None:
        inside = Node("required", node.children)
        rest = self.left(inside, words)
        if rest is None:
            return None
        while (after := self.left(inside, rest)) is not None and len(after) < len(rest):
            rest = after
        return rest
