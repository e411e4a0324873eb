"""Shell scripts: `$1` ... `$9`, `getopts`, `getopt`, and loops over `case $1 in --name)`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.shell_choices import Compared, of_case, of_conditions
from ml_agent.repo.entrypoints.shell_environment import environment_of
from ml_agent.repo.entrypoints.shell_options import LEAVES, MAX_DEPTH, ShellOptions
from ml_agent.repo.files import FileTable
from ml_agent.repo.shell import syntax_tree

if TYPE_CHECKING:
    from tree_sitter import Node

SUFFIXES = (".sh", ".bash")

MAX_SOURCED = 5
_CONDITIONAL = ("if_statement", "case_statement", "while_statement", "for_statement", "list", "subshell")
_PARAMETER = re.compile(r"^\$\{?([1-9])\b")
_DEFAULT = re.compile(r"^\$\{[1-9]:?[-=](.*)\}$", re.DOTALL)
_ALL = re.compile(r'^"?\$\{?[@*](?:[:\[}].*)?"?$')


def read(files: FileTable, path: str) -> EntryPoint | None:
    """The script's options. None if it cannot be read."""
    try:
        text = files.read(path)
    except OSError:
        return None
    if text.binary:
        return None
    root, source, errors = syntax_tree(text.text)
    script = _Script(path, source, files)
    if root is not None:
        script.walk(root, 0, optional=frozenset())
    options = (*script.options.options.values(), *script.arguments())
    return EntryPoint(
        path,
        "shell",
        ("bash", path),
        options,
        description=_description(text.text),
        open_ended=script.options.rest or bool(errors),
        prefixes=False,
        unread=tuple(f"{path}:{line} {message}" for line, message in errors),
        environment=environment_of(root, script.text, path, text.text) if root is not None else (),
    )


@dataclass(slots=True)
class _Use:
    """How a positional parameter is used, all uses together."""

    line: int
    name: str = ""
    default: str | None = None
    needed: bool = False
    fatal: bool = False
    """The script stops where it is used if it is not given (`set -u`, `${1:?}`)."""
    choices: tuple[str, ...] | None = None


@dataclass(slots=True)
class _Script:
    path: str
    source: bytes
    files: FileTable
    uses: dict[int, _Use] = field(default_factory=dict)
    shifted: int = 0
    """How many words a `shift` has taken away."""
    nounset: bool = False
    """`set -u` holds: a parameter that is not given ends the script."""
    options: ShellOptions = field(init=False)

    def __post_init__(self) -> None:
        self.options = ShellOptions(self.path, self.text)

    def text(self, node: "Node") -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def walk(self, node: "Node", depth: int, *, optional: frozenset[int]) -> None:
        """`optional` are the parameters that a condition around this place has looked at; 0 is their number."""
        kind = node.type
        if depth > MAX_DEPTH or kind in ("function_definition", "comment"):
            return
        if kind in ("while_statement", "for_statement") and self.options.loop(node):
            return
        if kind == "if_statement":
            self._if(node, depth, optional)
            return
        if kind == "case_statement":
            self._choose(node, of_case(node, self.text))
        elif kind == "variable_assignment":
            self._assignment(node)
        elif kind == "command":
            self._command(node)
        elif kind in ("simple_expansion", "expansion"):
            self._parameter(node, optional)
        for child in node.children:
            self.walk(child, depth + 1, optional=optional)

    def arguments(self) -> Iterator[Option]:
        """The positional parameters in order, those between two that are used among them."""
        for index in range(1, max(self.uses, default=0) + 1):
            use = self.uses.get(index) or _Use(min(u.line for u in self.uses.values()), needed=True)
            name = use.name or f"argument{index}"
            later = any(u.needed for i, u in self.uses.items() if i > index)
            needed = use.needed or later
            fatal = any(u.fatal for i, u in self.uses.items() if i >= index)
            yield Option(
                name,
                (name,),
                f"{self.path}:{use.line}",
                default=use.default,
                choices=use.choices,
                nargs=None if needed else "?",
                required=needed,
                lenient=needed and not fatal,
            )
        if self.options.many is not None:
            yield self.options.many

    # --- positional parameters --------------------------------------------------------------------------------

    def _parameter(self, node: "Node", optional: frozenset[int]) -> None:
        text = self.text(node).strip()
        if _ALL.match(text) and not self._sets_arguments(node):
            self.options.rest = True
        match = _PARAMETER.match(text)
        if not match:
            return
        index = int(match[1]) + self.shifted
        use = self.uses.setdefault(index, _Use(node.start_point[0] + 1))
        default = _DEFAULT.match(text)
        if default:
            use.default = use.default or repr(default[1].strip("'\""))
        elif text.startswith("${") and re.match(r"^\$\{[1-9]:?\+", text):
            return
        elif index not in optional and 0 not in optional:
            use.needed = True
            stops = self.nounset or re.match(r"^\$\{[1-9]:?\?", text) is not None
            use.fatal = use.fatal or (stops and not self._inside(node, _CONDITIONAL))
        use.name = use.name or self._assigned(node)

    def _assigned(self, node: "Node") -> str:
        """The variable that takes the parameter as its whole value."""
        parent = node.parent
        if parent is not None and parent.type == "string" and parent.named_child_count == 1:
            node, parent = parent, parent.parent
        if parent is None or parent.type != "variable_assignment" or parent.named_child_count != 2:
            return ""
        name = self.text(parent.children[0])
        return name if name.isidentifier() and all(u.name != name for u in self.uses.values()) else ""

    def _sets_arguments(self, node: "Node") -> bool:
        """`set -- "$@"`, `getopt ... -- "$@"`, `echo "$@"`, `[ "$@" ]`: the words are not handed on."""
        parent = node.parent
        while parent is not None and parent.type in ("string", "concatenation", "array"):
            parent = parent.parent
        if parent is not None and parent.type == "command":
            return self.text(parent.children[0]) in ("set", "getopt", "getopts", "echo", "printf", "shift", "eval")
        return parent is not None and parent.type in ("unary_expression", "binary_expression", "test_command")

    def _if(self, node: "Node", depth: int, optional: frozenset[int]) -> None:
        """What stands below a condition on a parameter may do without it; the condition itself asks for nothing."""
        self._choose(node, of_conditions(node, self.text))
        asked = optional
        for child in node.children:
            if child.type in ("elif_clause", "else_clause"):
                inner = asked
                for part in child.children:
                    inner = self._part(part, depth, inner, condition=part.type != "do_group" and child.type == "elif_clause")
            else:
                asked = self._part(child, depth, asked, condition=self._before_then(child))

    def _before_then(self, node: "Node") -> bool:
        following = node.next_sibling
        while following is not None and following.type in (";", "\n"):
            following = following.next_sibling
        return following is not None and following.type == "then"

    def _part(self, node: "Node", depth: int, optional: frozenset[int], *, condition: bool) -> frozenset[int]:
        if not condition:
            self.walk(node, depth + 1, optional=optional)
            return optional
        text = self.text(node)
        looked_at = {int(n) + self.shifted for n in re.findall(r"\$\{?([1-9])", text)}
        if "$#" in text or "${#" in text:
            looked_at.add(0)
        for index in looked_at - {0}:
            self.uses.setdefault(index, _Use(node.start_point[0] + 1))
        body = self.text(node.parent) if node.parent is not None else ""
        empty = re.search(r"(?:-z\s|-lt\s|-ne\s|-eq\s+0|!=|==?\s*(?:\"\"|''|\s*\]))", text)
        if empty and LEAVES.search(body):  # `if [ -z "$1" ]; then usage; exit 1`
            for index in looked_at - {0}:
                self.uses[index].needed = True
            return optional
        return optional | looked_at

    def _command(self, node: "Node") -> None:
        words = [self.text(c) for c in node.named_children]
        if words[0] == "set":
            self._set(words[1:])
        elif words[0] in ("source", ".") and len(words) == 2 and self._reads_parameters(words[1]):
            self.options.rest = True
        if words[0] == "shift" and "OPTIND" in words[-1]:
            return  # what getopts has taken: the parameters count from behind it
        if words[0] == "shift" and not self._inside(node, ("while_statement", "for_statement", "case_statement")):
            self.shifted += int(words[1]) if len(words) > 1 and words[1].isdecimal() and len(words[1]) < 3 else 1
        else:
            self.options.command(node)

    def _set(self, words: list[str]) -> None:
        for word, following in zip(words, [*words[1:], ""], strict=True):
            if re.match(r"[-+][a-z]*u", word) or (re.match(r"[-+][a-z]*o$", word) and following == "nounset"):
                self.nounset = word.startswith("-")

    def _reads_parameters(self, word: str) -> bool:
        """Whether a script of the repository that is read in with `source` may read the parameters of this one."""
        name = word.strip("'\"").rpartition("/")[2]
        for path in self.files.find(name)[:MAX_SOURCED]:
            try:
                text = self.files.read(path).text
            except OSError:
                continue
            if path != self.path and re.search(r"\$\{?[1-9@*#]|\bgetopts?\b", text):
                return True
        return False

    def _choose(self, node: "Node", compared: Compared | None) -> None:
        """A parameter that is compared with words is one of them."""
        if compared is None:
            return
        name, words = compared
        index = int(name) + self.shifted if re.fullmatch("[1-9]", name) else next((i for i, u in self.uses.items() if u.name == name), None)
        if index:
            use = self.uses.setdefault(index, _Use(node.start_point[0] + 1))
            use.choices = use.choices or words

    def _assignment(self, node: "Node") -> None:
        if node.named_child_count == 2:
            value = self.text(node.named_children[1])
            if "$" not in value and "`" not in value:
                self.options.values.setdefault(self.text(node.children[0]), repr(value.strip("'\"")))

    def _inside(self, node: "Node", kinds: tuple[str, ...]) -> bool:
        parent = node.parent
        while parent is not None:
            if parent.type in kinds:
                return True
            parent = parent.parent
        return False


def _description(text: str) -> str:
    """The comment at the top, else the line that says how to use it."""
    lines = text.split("\n", 60)[:60]
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    comment: list[str] = []
    for line in lines:
        stripped = line.strip()
        if not stripped.startswith("#") and (stripped or comment):
            break
        comment.append(stripped.lstrip("# ").rstrip("# "))
    words = " ".join(" ".join(comment).split())
    if words:
        return words[:500]
    usage = re.search(r"\busage:[ \t]*([^\n\"';]{3,300})", text, re.IGNORECASE)
    return usage[1].strip() if usage else ""
