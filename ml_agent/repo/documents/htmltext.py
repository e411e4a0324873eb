"""HTML inside documents: headings, `<pre>` blocks and text; comments, scripts and pictures are dropped.

Split by one regular expression that takes time in proportion to the text; `html.parser` takes its square on open comments.
"""

import re
from html import unescape

from ml_agent.repo.documents.builder import Builder, language_of

_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
_TAG = re.compile(r"<[!?][^<>]*>|<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^<>]{0,2000})>")
_ATTRIBUTE = re.compile(r"""(?<![\w-])(lang|data-lang|class)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*|sourceCode\s+)([\w+#-]+)")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^`\n]*)\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_SILENT = frozenset({"script", "style", "svg", "head"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "p div summary details li ul ol table tr br hr blockquote section article center dl dt dd figure figcaption "
    "body html thead tbody".split()
)


def read_html(builder: Builder, html: str, line: int) -> None:
    """Feed a piece of HTML that begins at `line` to the builder."""
    html = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), html)
    position = 0
    # In a block of HTML GitHub shows a fence as it stands, but its author meant code.
    for fence in _FENCE.finditer(html):
        _Reader(builder, line).read(html[position : fence.start()])
        line += html.count("\n", position, fence.start())
        builder.code(language_of(fence[2]), fence[3], line + 1)
        line += html.count("\n", fence.start(), fence.end())
        position = fence.end()
    _Reader(builder, line).read(html[position:])


class _Reader:
    def __init__(self, builder: Builder, line: int) -> None:
        self._builder = builder
        self._line = line
        self._text: list[str] = []
        self._silent: str | None = None
        self._pre: str | None = None
        """The language of the open <pre>."""
        self._start = line
        """Where the open <pre> or heading begins."""
        self._hint = ""

    def read(self, html: str) -> None:
        position = 0
        for tag in _TAG.finditer(html):
            self._data(html[position : tag.start()])
            name = (tag[2] or "").lower()
            if name and tag[1]:
                self._close(name)
            elif name:
                self._open(name, tag[3])
            self._line += tag[0].count("\n")
            position = tag.end()
        self._data(html[position:])
        if self._pre is None:
            self._flush()
        else:
            self._end_pre()

    def _data(self, data: str) -> None:
        if data and not self._silent:
            if self._pre is not None and not self._text:
                self._start = self._line
            self._text.append(unescape(data))
        self._line += data.count("\n")

    def _open(self, name: str, attributes: str) -> None:
        language = _language(attributes)
        if name in _SILENT:
            self._silent = self._silent or name
        elif self._pre is not None:
            self._pre = language or self._pre
            self._text.append("\n" if name == "br" else "")
        elif name == "pre":
            self._flush()
            self._pre, self._start = language or self._hint, self._line
        elif name in _HEADINGS:
            self._flush()
            self._start = self._line
        elif name in _BLOCKS:
            self._flush()
            self._hint = language if name == "div" else ""
        elif name in ("td", "th"):
            self._text.append(" | " if self._text else "")

    def _close(self, name: str) -> None:
        if name == self._silent:
            self._silent = None
        elif self._pre is not None:
            if name == "pre":
                self._end_pre()
        elif name in _HEADINGS:
            self._builder.heading(_HEADINGS[name], "".join(self._text), self._start)
            self._text = []
        elif name in _BLOCKS:
            self._flush()
            self._hint = "" if name == "div" else self._hint

    def _end_pre(self) -> None:
        self._builder.code(self._pre or "", "".join(self._text), self._start)
        self._text, self._pre = [], None

    def _flush(self) -> None:
        self._builder.prose("".join(self._text))
        self._text = []


def _language(attributes: str) -> str:
    values = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(attributes)}
    named = _LANGUAGE.search(values.get("class", ""))
    return language_of(values.get("lang") or values.get("data-lang") or (named[1] if named else ""))
