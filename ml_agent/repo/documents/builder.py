"""Collects what a reader finds, in order, into the sections of a Document."""

import re
from collections.abc import Callable
from functools import cache

from ml_agent.repo.documents.base import CodeBlock, Document, Section

MAX_BLOCKS = 2_000
MAX_SECTIONS = 5_000
MAX_INTRO = 500
MAX_HEADING = 300

_ALIASES = {
    alias: language
    for language, aliases in {
        "bash": "sh shell zsh ksh bash commandline cmdline terminal term bashrc shellscript",
        "console": "console shell-session shellsession sh-session bash-session shell-console",
        "python": "py py2 py3 python python2 python3 ipython ipython2 ipython3",
        "pycon": "pycon pycon3 python-console python-repl",
        "": "default none code text txt plain plaintext",
    }.items()
    for alias in aliases.split()
}
_OTHERS = frozenset("jupyter slurm sbatch cmd mermaid math latex output stdout stderr log logs result results".split())
_INFO = re.compile(r"[\s{,}=:]*\.?([^\s{},=:]*)")
# MyST and Rmarkdown write the language after or in place of a directive's name: ```{code-block} python, ```{python}.
_DIRECTIVE = re.compile(r"^\{(?:code(?:-block|-cell)?|sourcecode|prompt)\}\s*")
_PROMPT = re.compile(r"\s*\$ +\S")


def language_of(info: str) -> str:
    """The language that a code block's info string or attribute names, in one spelling; `""` for none or plain text."""
    found = _INFO.match(_DIRECTIVE.sub("", info.strip().lower()))
    name = found[1].lstrip(".") if found else ""
    return _ALIASES[name] if name in _ALIASES else name if name in _languages() else ""


@cache
def _languages() -> frozenset[str]:
    """All names of languages that there are: behind the signs of a block people write whatever comes to their mind (`1024 points`)."""
    from pygments.lexers import get_all_lexers

    return _OTHERS.union(*(aliases for _, aliases, _, _ in get_all_lexers(plugins=False)))


class Builder:
    """Takes headings, prose and code in the order of the document.

    Lines are counted from 1. `line_of` turns a reader's own line into the file's, for text that stands inside another file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.line_of: Callable[[int], int] = lambda line: line
        self.notes: list[str] = []
        self._headings: list[tuple[int, str]] = []
        self._sections: list[Section] = []
        self._line = 1
        self._prose: list[str] = []
        self._blocks: list[CodeBlock] = []
        self._count = 0
        self._intro = ""

    def heading(self, level: int, title: str, line: int) -> None:
        """A heading; `level` is 1 for the document's title, and 2 and up below it."""
        title = " ".join(title.split())[:MAX_HEADING]
        self._close()
        if title:
            while self._headings and self._headings[-1][0] >= level:
                self._headings.pop()
            self._headings.append((level, title))
        self._line = self.line_of(line)

    def prose(self, text: str, *, introduces: bool = True) -> None:
        """A paragraph. If it `introduces`, it is the intro of a code block that follows directly."""
        text = "\n".join(line for row in text.split("\n") if (line := row.strip()))
        if text:
            self._prose.append(text)
            self._intro = text if introduces else ""

    def code(self, language: str, code: str, line: int) -> None:
        """A code block; `line` is that of the first line of `code`, before blank lines at its beginning are taken off."""
        lines = code.replace("\N{NO-BREAK SPACE}", " ").rstrip().split("\n")  # which no program takes for a space
        blank = next((i for i, text in enumerate(lines) if text.strip()), len(lines))
        if blank == len(lines):
            return
        self._count += 1
        if self._count > MAX_BLOCKS:
            self.note(f"more than {MAX_BLOCKS:,} code blocks: the rest was dropped")
            return
        headings = tuple(title for _, title in self._headings)
        code = "\n".join(lines[blank:])
        # A session shows what was typed behind a prompt, whatever it was declared as.
        if language in ("", "python") and code.lstrip().startswith(">>> "):
            language = "pycon"
        elif language in ("", "bash") and _PROMPT.match(code):
            language = "console"
        self._blocks.append(CodeBlock(language, code, self.path, self.line_of(line + blank), headings, _tail(self._intro)))
        self._intro = ""

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def document(self) -> Document:
        self._close()
        return Document(self.path, tuple(self._sections), "; ".join(self.notes))

    def _close(self) -> None:
        headings = tuple(title for _, title in self._headings)
        # A heading without a text keeps its section: it may be what a task speaks of.
        if self._prose or self._blocks or (headings and (not self._sections or self._sections[-1].headings != headings)):
            if len(self._sections) < MAX_SECTIONS:
                self._sections.append(Section(self.path, self._line, headings, "\n\n".join(self._prose), tuple(self._blocks)))
            else:
                self.note(f"more than {MAX_SECTIONS:,} sections: the rest was dropped")
        self._prose, self._blocks, self._intro = [], [], ""


def _tail(intro: str) -> str:
    """The end of a long intro: what stands next to the code says what it is."""
    return intro if len(intro) <= MAX_INTRO else intro[-MAX_INTRO:].partition(" ")[2] or intro[-MAX_INTRO:]
