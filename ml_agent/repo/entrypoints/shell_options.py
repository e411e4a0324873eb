"""The options that a shell script takes apart itself: `getopts`, `getopt`, and loops over `case $1 in --name)`."""

import dataclasses
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints.base import Action, Option

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 150

LEAVES = re.compile(r"\b(?:exit|usage|help|die|return)\b", re.IGNORECASE)
"""What a branch says that ends the script."""


@dataclass(slots=True)
class ShellOptions:
    """Collects the options of one script. `text` gives a node's text."""

    path: str
    text: "Callable[[Node], str]"
    options: dict[str, Option] = field(default_factory=dict)
    rest: bool = False
    """It takes words that are not listed."""
    many: Option | None = None
    """Positional words that a loop takes, however many."""
    values: dict[str, str] = field(default_factory=dict)
    """First literal value of each variable, as source text."""

    def command(self, node: "Node") -> None:
        """A call of `getopts` or `getopt`."""
        words = [self.text(c).strip("'\"") for c in node.named_children]
        line = node.start_point[0] + 1
        if words[0] == "getopts" and len(words) > 1:
            self._letters(words[1], line)
        elif words[0] == "getopt":
            self._getopt(words[1:], line)

    def _letters(self, letters: str, line: int) -> None:
        for letter, colons in re.findall(r"([A-Za-z0-9?])(:{0,2})", letters.lstrip(":+-")):
            self._add(
                Option(
                    f"-{letter}",
                    (f"-{letter}",),
                    f"{self.path}:{line}",
                    action="store" if colons else "flag",
                    nargs="?" if colons == "::" else None,
                )
            )

    def _getopt(self, words: list[str], line: int) -> None:
        for option, value in pairwise(words):
            if option in ("-o", "--options"):
                self._letters(value, line)
            elif option in ("-l", "--long", "--longoptions", "--longoption"):
                for name, colons in re.findall(r"([\w-]+)(:{0,2})", value):
                    self._add(Option(f"--{name}", (f"--{name}",), f"{self.path}:{line}", action="store" if colons else "flag"))

    def loop(self, node: "Node") -> bool:
        """A loop over the words of the command line. False if it is another loop."""
        head = self.text(node).partition("do")[0]
        getopts = "getopts" in head
        cases = list(_below(node, "case_statement", MAX_DEPTH))
        if node.type == "for_statement":
            if " in " in head and not re.search(r"\$\{?[@*]", head):
                return False
            variable = next((self.text(c) for c in node.children if c.type == "variable_name"), "")
            if not cases and variable and self.many is None:
                self.many = Option(variable, (variable,), f"{self.path}:{node.start_point[0] + 1}", nargs="*")
        elif not cases or not (getopts or re.search(r"\$\{?(?:#|1\b)|\btrue\b|^while\s+:", head)):
            return False
        for command in _below(node, "command", MAX_DEPTH) if getopts else ():
            self.command(command)
        for item in cases[0].named_children if cases else ():
            if item.type == "case_item":
                self._item(item, getopts=getopts)
        return True

    def _item(self, item: "Node", *, getopts: bool) -> None:
        pattern, _, body = self.text(item).partition(")")
        spellings = [p.strip().strip("'\"") for p in pattern.lstrip("( ").split("|")]
        line = item.start_point[0] + 1
        if getopts:
            for letter in spellings:
                name = f"-{letter}"
                if name in self.options:
                    found = dataclasses.replace(
                        self.options[name], source=f"{self.path}:{line}", default=self._default_of(body), help=_variable(body)
                    )
                    helps = letter == "h" and not found.takes_value and bool(LEAVES.search(body))
                    self.options[name] = dataclasses.replace(found, action="help") if helps else found
            return
        if spellings == ["*"] and not LEAVES.search(body):
            self.rest = True
        joined = any(s.endswith(("=*", "=?*")) for s in spellings)
        names = tuple(dict.fromkeys(re.sub(r"=\??\*$", "", s) for s in spellings if re.match(r"-{1,2}[A-Za-z0-9]", s)))
        if not names:
            return
        takes = joined or bool(re.search(r"\$\{?2\b|\bshift\s+2\b", body)) or len(re.findall(r"\bshift\b", body)) > 1
        name = max(names, key=len)
        helps = bool(set(names) & {"-h", "--help"}) and not takes
        default = self._default_of(body) if not helps else None
        action: Action = "help" if helps else "store" if takes else "flag"
        self._add(Option(name, names, f"{self.path}:{line}", default=default, help=_variable(body), action=action))

    def _default_of(self, body: str) -> str | None:
        return self.values.get(_variable(body))

    def _add(self, option: Option) -> None:
        before = next((o for o in self.options.values() if set(o.aliases) & set(option.aliases)), None)
        if before is None:
            self.options[option.name] = option
            return
        aliases = tuple(dict.fromkeys((*before.aliases, *option.aliases)))
        del self.options[before.name]
        name = max(aliases, key=len)
        taken = before if before.takes_value else option
        self.options[name] = dataclasses.replace(
            taken, name=name, aliases=aliases, source=option.source, default=option.default or before.default
        )


def _variable(body: str) -> str:
    """The variable that an option sets: the only word in the script that says what it is for."""
    assigned = re.search(r"\b([A-Za-z_]\w*)=", body)
    return assigned[1] if assigned else ""


def _below(node: "Node", kind: str, depth: int) -> Iterator["Node"]:
    for child in node.children:
        if child.type == kind:
            yield child
        if depth:
            yield from _below(child, kind, depth - 1)
