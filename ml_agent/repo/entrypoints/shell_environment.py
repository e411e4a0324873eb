"""The variables of the environment that a shell script is told what to do by: `TAG=x LR=1e-5 bash run.sh`.

Those that it reads with a default (`${TAG:-x}`), or reads and nowhere sets.
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ml_agent.repo.entrypoints.base import Option

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NODES = 100_000
MAX_VARIABLES = 60
_SYSTEM = re.compile(
    r"HOME|PATH|PWD|OLDPWD|USER|LOGNAME|HOST(?:NAME|TYPE)?|SHELL|UID|EUID|PPID|RANDOM|SECONDS|LINENO|IFS|OPT(?:ARG|IND|ERR)|REPLY|"
    r"TERM|LANG|LC_\w+|TMP|TEMP|TMPDIR|DISPLAY|EDITOR|COLUMNS|LINES|OSTYPE|MACHTYPE|FUNCNAME|PIPESTATUS|EPOCH(?:SECONDS|REALTIME)|BASH\w*|PS\d|"
    r"(?:MAN|CD|C|INFO|CLASS|LIBRARY_|PKG_CONFIG_|DYLD_\w+_)?PATH|LD_\w+|PYTHON\w*|VIRTUAL_ENV|CONDA\w*|CUDA_\w+|NCCL_\w+|OMP_\w+|MKL_\w+|SLURM_\w+|PBS_\w+|LSB_\w+|CI|GITHUB_\w+|"
    r"RANK|LOCAL_RANK|WORLD_SIZE|\w+_PROXY|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS"
)
"""What a shell, a system or a launcher sets."""
_READ = re.compile(r"\$\{?([A-Za-z_]\w*)")
_DEFAULT = re.compile(r"^\$\{[A-Za-z_]\w*:?[-=](.*)\}$", re.DOTALL)
_NEEDED = re.compile(r"^\$\{[A-Za-z_]\w*:?\?")
_SETS = frozenset({"read", "mapfile", "readarray", "getopts", "local", "declare", "typeset"})
_COMPARED = re.compile(r"""["']?\$\{?(\w+)(?::?-[^}]*)?\}?["']?\s*==?\s*["']?([\w.+-]+)["']?(?=\s*\])""")
_COMMENT = re.compile(r"^\s*#+\s*-?\s*\$?([A-Za-z_]\w*)\s*[:=]\s*(.+)$", re.MULTILINE)
_LISTED = re.compile(r"[\w.+-]+(?:\s*[/|]\s*[\w.+-]+)+")


def environment_of(root: "Node", text: Callable[["Node"], str], path: str, whole: str) -> tuple[Option, ...]:
    """In the order in which the script reads them. `text` gives a node's text, `whole` is the script's."""
    lines: dict[str, int] = {}
    defaults: dict[str, str] = {}
    needed: set[str] = set()
    found_set: set[str] = set()
    compared: dict[str, dict[str, None]] = {}
    reads_others = False
    for node in _nodes(root):
        if node.type in ("simple_expansion", "expansion"):
            spelled = text(node)
            if match := _READ.match(spelled):
                lines.setdefault(match[1], node.start_point[0] + 1)
                if default := _DEFAULT.match(spelled):
                    defaults.setdefault(match[1], default[1].strip("'\""))
                elif _NEEDED.match(spelled):
                    needed.add(match[1])
        elif node.type == "variable_assignment":
            name, value = text(node.children[0]), text(node).partition("=")[2]
            if not re.match(rf"""["']?\$\{{{re.escape(name)}\W""", value) and not _guarded(node, name, text):
                found_set.add(name)
        elif node.type in ("for_statement", "c_style_for_statement", "select_statement"):
            found_set |= {text(child) for child in node.children if child.type == "variable_name"}
        elif node.type in ("command", "declaration_command") and node.named_children:
            words = [text(child) for child in node.children]
            if words[0] in _SETS:
                found_set |= set(words[1:])
            reads_others = reads_others or words[0] in ("source", ".")
        elif node.type == "case_statement" and (match := _READ.search(text(node.named_children[0]))):
            for item in (c for c in node.named_children if c.type == "case_item"):
                patterns = text(item).partition(")")[0].lstrip("( ").split("|")
                compared.setdefault(match[1], {}).update({p: None for q in patterns if re.fullmatch(r"[\w.+-]+", p := q.strip(" '\""))})
        elif node.type == "test_command":
            for name, word in _COMPARED.findall(text(node)):
                compared.setdefault(name, {})[word] = None
    helps = {name: said.strip() for name, said in _COMMENT.findall(whole)}
    options = []
    for name, line in lines.items():
        told = name in defaults or name in needed or (name.isupper() and not reads_others)
        if name in found_set or not told or is_system(name):
            continue
        values = {**compared.get(name, {}), **dict.fromkeys(_values(helps.get(name, "")))}
        options.append(
            Option(
                name, (name,), f"{path}:{line}", default=literal(defaults.get(name)),
                help=helps.get(name, ""), assigned=True, compared=tuple(values), lenient=True,
            )
        )  # fmt: skip
    return tuple(options[:MAX_VARIABLES])


def is_system(name: str) -> bool:
    """Whether a shell, a system or a launcher sets this variable."""
    return _SYSTEM.fullmatch(name.upper()) is not None


def literal(default: str | None) -> str | None:
    """A value of the shell as source text: a number as it is, any other in quotes; None if it is put together of others."""
    if default is None or "$" in default:
        return None
    return default if re.fullmatch(r"-?[\d.]+(?:[eE]-?\d+)?", default) else repr(default)


def _nodes(root: "Node") -> Iterator["Node"]:
    """All nodes in the order of the text, as far as MAX_NODES."""
    waiting, left = [root], MAX_NODES
    while waiting and left:
        node = waiting.pop()
        left -= 1
        yield node
        waiting.extend(reversed(node.children))


def _guarded(node: "Node", name: str, text: Callable[["Node"], str]) -> bool:
    """`if [ -z "$TAG" ]; then TAG=x; fi`, `[ -z "$TAG" ] && TAG=x`: it is set where it is not given."""
    for _ in range(3):
        if node.parent is None:
            return False
        node = node.parent
        if node.type in ("if_statement", "list"):
            return re.search(rf"-z\s+[\"']?\$\{{?{re.escape(name)}\b", text(node)) is not None
    return False


def _values(said: str) -> list[str]:
    """`a / b / c` in a comment: the words that the variable takes; numbers are none of a closed list."""
    listed = _LISTED.fullmatch(said.strip())
    return [word for word in re.split(r"\s*[/|]\s*", listed.group()) if not re.fullmatch(r"[\d.e-]+", word)] if listed else []
