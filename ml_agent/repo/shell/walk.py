"""The walk over a shell script's syntax tree that keeps track of folder, variables and loops."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ml_agent.repo.shell.launchers import inline_script
from ml_agent.repo.shell.script import Redirect, Script, ShellCommand
from ml_agent.repo.shell.state import State, change_folder, counted, operands, touching
from ml_agent.repo.shell.words import MAX_NESTING, MAX_VALUE, Expander, Value, Word

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_COMMANDS = 20_000
MAX_ERRORS = 20

_ASSIGNMENTS = ("variable_assignment", "variable_assignments", "declaration_command")
_REDIRECTS = ("file_redirect", "heredoc_redirect", "herestring_redirect")
_SKIPPED = ("comment", "heredoc_body", "test_command", "command_substitution", "process_substitution")


def walk_tree(
    root: "Node", source: bytes, errors: Sequence[tuple[int, str]], variables: Mapping[str, str], inline: Callable[[str], Script]
) -> Script:
    """`variables`: known before it starts. `inline` reads a script that stands within a word (`bash -c "..."`)."""
    walker = _Walker(source, inline)
    walker.errors.extend(errors)
    state = State(variables=dict(variables))
    walker.walk(root, state, 0)
    values = {k: v if isinstance(v, str) else " ".join(v) for k, v in state.variables.items() if v is not None}
    return Script(tuple(walker.commands), values, state.cwd, tuple(walker.errors))


class _Walker:
    def __init__(self, source: bytes, inline: Callable[[str], Script]) -> None:
        self.commands: list[ShellCommand] = []
        self.errors: list[tuple[int, str]] = []
        self._expander = Expander(source)
        self._inline_script = inline

    def walk(self, node: "Node", state: State, depth: int, pipeline: int = 0) -> None:
        if len(self.commands) >= MAX_COMMANDS:
            return
        if depth > MAX_NESTING:
            self._error(node, "nested too deep: not read")
            return
        kind = node.type
        if kind == "ERROR" or node.is_missing:
            self._error(node, f"missing {node.type}" if node.is_missing else "syntax error")
        if kind in _SKIPPED or kind in _REDIRECTS:
            return
        if kind == "command":
            self._command(node, state, (), pipeline)
        elif kind == "redirected_statement":
            self._redirected(node, state, depth, pipeline)
        elif kind in _ASSIGNMENTS:
            self._assign(node, state)
        elif kind == "unset_command":
            for child in node.named_children:
                state.variables[self._raw(child)] = None
        elif kind == "pipeline":
            for position, child in enumerate(node.named_children):
                self.walk(child, state.copy(), depth + 1, position)
        elif kind in ("subshell", "function_definition"):
            self._children(node, state.copy(), depth)
        elif kind == "if_statement":
            self._if(node, state, depth)
        elif kind == "case_statement":
            branches = [[c] for c in node.named_children if c.type == "case_item"]
            self._branches(branches, state, depth, may_skip=not any(self._raw(b[0]).startswith(("*)", "(*)")) for b in branches))
        elif kind == "while_statement":
            self._branches([node.children], state, depth, may_skip=True)
        elif kind in ("for_statement", "c_style_for_statement"):
            self._for(node, state, depth)
        elif kind == "list":
            for child in operands(node):
                self.walk(child, state, depth + 1)
        else:
            self._children(node, state, depth)

    def _children(self, node: "Node", state: State, depth: int) -> None:
        for child in node.children:
            if child.is_named or child.is_missing:
                self.walk(child, state, depth + 1)

    def _raw(self, node: "Node") -> str:
        return self._expander.raw(node.start_byte, node.end_byte)

    def _error(self, node: "Node", message: str) -> None:
        if len(self.errors) < MAX_ERRORS:
            self.errors.append((node.start_point[0] + 1, message))

    # --- control flow -----------------------------------------------------------------------------------------

    def _if(self, node: "Node", state: State, depth: int) -> None:
        branches: list[list[Node]] = [[]]
        has_else = False
        for child in node.children:
            if child.type in ("elif_clause", "else_clause"):
                branches.append([child])
                has_else = has_else or child.type == "else_clause"
            elif child.is_named or child.is_missing:
                branches[-1].append(child)
        self._branches(branches, state, depth, may_skip=not has_else)

    def _branches(self, branches: Sequence[Sequence["Node"]], state: State, depth: int, *, may_skip: bool) -> None:
        """Walk each branch from the same state, then keep what they agree on. Where they do not, a value from before
        stands for it: it is the default that a branch overrides."""
        ends = []
        for branch in branches:
            end = state.copy()
            for child in branch:
                if child.is_named or child.is_missing:
                    self.walk(child, end, depth + 1)
            ends.append(end)
        if may_skip or not ends:
            ends.append(state.copy())
        names = dict.fromkeys(name for end in ends for name in end.variables)
        for name in names:
            values = {end.variables.get(name) for end in ends}
            if len(values) == 1:
                state.variables[name] = values.pop()
            elif name not in state.variables:
                state.variables[name] = None
        folders = {end.cwd for end in ends}
        state.cwd = folders.pop() if len(folders) == 1 else None

    def _for(self, node: "Node", state: State, depth: int) -> None:
        name, values = counted(self._raw(node).partition("))")[0]) if node.type == "c_style_for_statement" else self._listed(node, state)
        body = [c for c in node.children if c.type in ("do_group", "compound_statement")]
        outer = state.loops
        if name:
            state.variables[name] = values[0] if values else None
            if values:
                state.loops = (*outer, (name, values))
        for child in body:
            self.walk(child, state, depth + 1)
        state.loops = outer
        if name:
            state.variables[name] = values[-1] if values else None

    def _listed(self, node: "Node", state: State) -> tuple[str, tuple[str, ...]]:
        name = ""
        words: list[Node] = []
        for child in node.children:
            if child.type == "variable_name" and not name:
                name = self._raw(child)
            elif child.type == "do_group":
                break
            elif child.is_named and child.type != "comment":
                words.append(child)
        return name, tuple(w.text for w in self._words(words, state) if not w.dynamic and not set("*?") & set(w.raw))

    # --- commands ---------------------------------------------------------------------------------------------

    def _redirected(self, node: "Node", state: State, depth: int, pipeline: int) -> None:
        redirects = [c for c in node.children if c.type in _REDIRECTS]
        for child in node.named_children:
            if child.type == "command":
                self._command(child, state, redirects, pipeline)
            elif child.type not in _REDIRECTS:
                self.walk(child, state, depth + 1, pipeline)
            elif child.type == "heredoc_redirect":  # what stands behind `<<EOF` on its line: `&& python x.py`, `| tee`
                for rest in child.named_children:
                    if rest.type in ("command", "pipeline", "list"):
                        self.walk(rest, state, depth + 1, 1)

    def _words(self, nodes: Sequence["Node"], state: State) -> list[Word]:
        self._expander.variables = state.variables
        words: list[Word] = []
        for group in touching(nodes):
            words.extend(self._expander.words(group))
        return words

    def _command(self, node: "Node", state: State, redirected: Sequence["Node"], pipeline: int) -> None:
        assignments: list[tuple[str, str]] = []
        arguments: list[Node] = []
        redirects: list[Redirect] = []
        self._expander.variables = state.variables
        for child in (*node.children, *redirected):
            if child.type == "variable_assignment":
                assignments.append(self._assignment(child)[:2])
            elif child.type in _REDIRECTS:
                redirects.append(self._redirect(child, arguments))
            elif child.type == "ERROR":
                self._error(child, "syntax error")
            elif child.type != "comment":
                arguments.append(child)
        arguments.sort(key=lambda n: n.start_byte)
        words = tuple(self._words(arguments, state))
        if not words:
            return
        line = node.start_point[0] + 1
        end = max(node.end_byte, words[-1].end)
        text = " ".join(
            part.strip() for part in self._expander.raw(node.start_byte, end).replace("\\\r\n", "\n").replace("\\\n", "\n").splitlines()
        )
        self.commands.append(
            ShellCommand(words, line, node.start_byte, end, text, tuple(assignments), state.cwd, state.loops, tuple(redirects), pipeline)
        )
        self._follow(self.commands[-1], state)

    def _redirect(self, node: "Node", arguments: list["Node"]) -> Redirect:
        """A redirect. The grammar also hangs the words after its target on it; those go to the arguments."""
        operator = "".join(self._raw(c) for c in node.children if not c.is_named or c.type == "file_descriptor").strip()
        targets = [c for c in node.named_children if c.type not in ("file_descriptor", "heredoc_body", "heredoc_end")]
        groups = list(touching(targets))
        if node.type == "file_redirect":
            arguments.extend(n for group in groups[1:] for n in group)
        elif node.type == "heredoc_redirect":
            arguments.extend(
                n for group in groups[1:] for n in group if n.type in ("word", "string", "raw_string", "concatenation", "number")
            )
        words = self._expander.words(groups[0]) if groups else []
        return Redirect(operator, words[0].text if words else "")

    def _assign(self, node: "Node", state: State) -> None:
        if node.type == "variable_assignment":
            self._expander.variables = state.variables
            name, _, value = self._assignment(node)
            state.variables[name] = value
        elif node.type == "variable_assignments" or node.type == "declaration_command":
            for child in node.named_children:
                if child.type == "variable_assignment":
                    self._assign(child, state)

    def _assignment(self, node: "Node") -> tuple[str, str, Value]:
        """Name, value as text, value as it is known."""
        name_node, *_ = node.children
        name = self._raw(name_node)
        values = [c for c in node.named_children[1:] if c.type != "comment"]
        if "[" in name:
            return name, "", None
        if values and values[0].type == "array":
            words = [w for group in touching(values[0].named_children) for w in self._expander.words(group)]
            elements = tuple(w.text for w in words)
            before = self._expander.variables.get(name)
            if any(c.type == "+=" for c in node.children):
                elements = (*((before,) if isinstance(before, str) else before or ()), *elements)
            known = not any(w.dynamic for w in words) and sum(map(len, elements)) < MAX_VALUE
            return name, " ".join(elements), elements if known else None
        pieces = [self._expander.text(value) for value in values]
        text, dynamic = "".join(p.text for p in pieces), any(p.dynamic for p in pieces)
        if any(c.type == "+=" for c in node.children):
            before = self._expander.variables.get(name)
            text, dynamic = (before if isinstance(before, str) else "") + text, dynamic or not isinstance(before, str)
        return name, text, None if dynamic or len(text) > MAX_VALUE else text

    def _follow(self, command: ShellCommand, state: State) -> None:
        """What a built-in command changes: the folder, a variable that is read. A script in `bash -c` is walked."""
        name, arguments = command.words[0].text, command.words[1:]
        if name in ("builtin", "command") and arguments:
            name, arguments = arguments[0].text, arguments[1:]
        if name in ("cd", "pushd"):
            target = next((w for w in arguments if w.text not in ("--", "-P", "-L", "-e")), None)
            if name == "pushd":
                state.stack.append(state.cwd)
            state.previous, state.cwd = state.cwd, change_folder(state, target)
        elif name == "popd":
            state.previous, state.cwd = state.cwd, state.stack.pop() if state.stack else None
        elif name in ("read", "getopts", "mapfile", "readarray"):
            for word in arguments:
                if word.text.isidentifier():
                    state.variables[word.text] = None
        elif (index := inline_script(command.words)) is not None and not command.words[index].dynamic:
            self._inline(command, command.words[index], state)

    def _inline(self, outer: ShellCommand, script: Word, state: State) -> None:
        for inner in self._inline_script(script.text).commands:
            cwd = None if state.cwd is None or inner.cwd is None else posixpath.normpath(posixpath.join(state.cwd, inner.cwd))
            words = tuple(Word(w.text, w.raw, script.start, script.end, script.line, w.dynamic) for w in inner.words)
            self.commands.append(
                ShellCommand(
                    words,
                    script.line,
                    script.start,
                    script.end,
                    inner.text,
                    (*outer.assignments, *inner.assignments),
                    cwd,
                    (*state.loops, *inner.loops),
                    inner.redirects,
                )
            )
