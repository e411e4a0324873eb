"""reStructuredText, read line by line: sections, directives, literal blocks and prose.

Not docutils: it takes 2.7 s for a megabyte, knows nothing of Sphinx's directives and roles, and would have to be kept from
reading the files that `.. include::` names. What is not understood here is read as prose; no other file is ever opened.
"""

import re

from ml_agent.repo.documents.builder import Builder, language_of

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?([\w:+-]+?)\s?::(?:\s+(.*)|$)")
_EXPLICIT = re.compile(r"(?:\.\.|__)(?:\s|$)")
_OPTION = re.compile(r":[\w -]+:(?:\s|$)")
_ITEM = re.compile(r"^(?:[*+•‣-]|\(?(?:\d{1,4}|[a-zA-Z]|#)[.)]|\|)\s+")
_TABLE_RULE = re.compile(r"(?:\+[-=+]+\+|[=-]{2,}(?:\s+[=-]{2,})+)\s*$")
_CODE = frozenset(
    {"code", "code-block", "sourcecode", "parsed-literal", "prompt", "ipython", "doctest", "testcode", "jupyter-execute", "code-cell"}
)
_LANGUAGES = {"ipython": "python", "doctest": "pycon", "testcode": "python", "jupyter-execute": "python"}
_NOT_PROSE = frozenset(
    "image toctree autosummary math raw include literalinclude index currentmodule module role default-role contents sectnum "
    "meta graphviz mermaid plot video testsetup testoutput testcleanup highlight tabularcolumns only-html".split()
)
_SUBSTITUTIONS = (  # with bounds: an open quotation must not cost the square of the text's length
    (re.compile(r"``([^`]+)``"), r"\1"),
    (re.compile(r":[\w:+.-]{1,60}:`~?([^`<]{1,300}?)(?:\s{0,9}<[^`>]{0,500}>)?`"), r"\1"),
    (re.compile(r"`([^`<]{1,300}?)(?:\s{0,9}<[^`>]{0,500}>)?`_{0,2}"), r"\1"),
    (re.compile(r"\*\*([^*\n]+)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])"), r"\1"),
    (re.compile(r"\|[\w -]+\|"), ""),
)


def read_rst(builder: Builder, text: str) -> None:
    """Feed a reStructuredText to the builder."""
    _Reader(builder, text.expandtabs(8).split("\n")).read()


class _Reader:
    def __init__(self, builder: Builder, lines: list[str]) -> None:
        self._builder = builder
        self._lines = lines
        self._styles: list[tuple[str, bool]] = []
        """The adornments of titles seen so far, outermost first: the character, and whether there is a line above too."""
        self._default = ""

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            stripped = self._lines[at].strip()
            if not stripped:
                at += 1
            elif title_end := self._title(at):
                at = title_end
            elif directive := _DIRECTIVE.match(stripped):
                at = self._directive(at, directive[1].lower(), directive[2] or "")
            elif _EXPLICIT.match(stripped):  # a comment, a target, a footnote
                at = self._body(at + 1, _indent(self._lines[at]))
            else:
                at = self._paragraph(at)

    def _title(self, at: int) -> int:
        """Take the title that begins at this line; returns the line after it, or 0 if there is none."""
        lines = [line.rstrip() for line in self._lines[at : at + 3]] + ["", ""]
        over = bool(_ADORNMENT.match(lines[0]))
        if over and lines[1].strip() and lines[2] == lines[0] and len(lines[0]) >= len(lines[1].strip()):
            title, rule, end = lines[1].strip(), lines[0], at + 3
        elif not over and not lines[0][:1].isspace() and _ADORNMENT.match(lines[1]) and len(lines[1]) >= min(4, len(lines[0])):
            title, rule, end = lines[0], lines[1], at + 2
        else:
            return 0
        style = (rule[0], over)
        if style not in self._styles:
            self._styles.append(style)
        self._builder.heading(self._styles.index(style) + 1, _plain(title), end - 1)
        return end

    def _directive(self, at: int, name: str, argument: str) -> int:
        """Take a directive; a body that is prose is left to be read as such. Returns the line to go on from."""
        indent = _indent(self._lines[at])
        end = self._body(at + 1, indent)
        body = at + 1
        while body < end and _OPTION.match(self._lines[body].strip()):
            body += 1
        if name in _CODE:
            language = _LANGUAGES.get(name) or (language_of(argument) if name != "parsed-literal" else "")
            self._code(language or ("" if argument else self._default), body, end)
            return end
        if name == "highlight":
            self._default = language_of(argument)
        if name in _NOT_PROSE:
            return end
        if argument and not name.startswith(("auto", "list-table", "figure", "csv-table")):
            self._builder.prose(_plain(argument))
        return end if name.startswith("auto") else body

    def _paragraph(self, at: int) -> int:
        """Take a paragraph, and the literal block that it may announce."""
        end = at
        while end < len(self._lines) and self._lines[end].strip() and not (end > at and self._breaks(end)):
            end += 1
        rows = [line.strip() for line in self._lines[at:end]]
        if rows[0].startswith(">>>"):
            self._code("pycon", at, end)
            return end
        rows = [row for row in rows if not _TABLE_RULE.match(row)]
        last = rows[-1] if rows else ""
        literal = last.endswith("::")
        if literal:
            rows[-1] = last[:-2].rstrip() if last == "::" or last[:-2].endswith(" ") else last[:-1]
        self._builder.prose(_plain("\n".join(_ITEM.sub("", row, count=1) for row in rows)))
        if not literal:
            return end
        item = _ITEM.match(last)
        block = self._body(end, _indent(self._lines[end - 1]) + (item.end() if item else 0))
        self._code(self._default, end, block)
        return block

    def _breaks(self, at: int) -> bool:
        """Whether a line begins something new without a blank line above it."""
        stripped = self._lines[at].strip()
        return bool(_DIRECTIVE.match(stripped) or _ITEM.match(stripped)) or (self._lines[at - 1].rstrip().endswith("::"))

    def _body(self, at: int, indent: int) -> int:
        """The end of the lines from `at` that are blank or further in than `indent`, without blank lines at the end."""
        end = at
        for position in range(at, len(self._lines)):
            if self._lines[position].strip():
                if _indent(self._lines[position]) <= indent:
                    break
                end = position + 1
        return end

    def _code(self, language: str, start: int, end: int) -> None:
        lines = self._lines[start:end]
        common = min((_indent(line) for line in lines if line.strip()), default=0)
        self._builder.code(language, "\n".join(line[common:] for line in lines), start + 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain(text: str) -> str:
    for pattern, replacement in _SUBSTITUTIONS:
        text = pattern.sub(replacement, text)
    return text
