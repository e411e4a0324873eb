"""HTML inside documents: headings, `<pre>` blocks and text; comments, scripts and pictures are dropped."""

import re
from html.parser import HTMLParser

from ml_agent.repo.documents.builder import Builder, language_of

_SILENT = frozenset({"script", "style", "svg", "head"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "p div summary details li ul ol table tr br hr blockquote section article center dl dt dd figure figcaption body html thead tbody".split()
)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*|sourceCode\s+)([\w+#-]+)")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^`\n]*)\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def read_html(builder: Builder, html: str, line: int) -> None:
    """Feed a piece of HTML that begins at `line` to the builder."""
    position = 0
    # In a block of HTML GitHub shows a fence as it stands, but its author meant code.
    for fence in _FENCE.finditer(html):
        _Reader(builder, line + html.count("\n", 0, position)).read(html[position : fence.start()])
        builder.code(language_of(fence[2]), fence[3], line + html.count("\n", 0, fence.start()) + 1)
        position = fence.end()
    _Reader(builder, line + html.count("\n", 0, position)).read(html[position:])


class _Reader(HTMLParser):
    def __init__(self, builder: Builder, line: int) -> None:
        super().__init__(convert_charrefs=True)
        self._builder = builder
        self._first = line
        self._text: list[str] = []
        self._silent: str | None = None
        self._pre: tuple[int, str] | None = None
        """Line and language of the open <pre>."""
        self._heading_line = 0
        self._hint = ""

    def read(self, html: str) -> None:
        self.feed(html)
        self.close()
        self._end_pre() if self._pre else self._flush()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        named = _LANGUAGE.search(values.get("class", ""))
        language = language_of(values.get("lang") or values.get("data-lang") or (named[1] if named else ""))
        if tag in _SILENT:
            self._silent = self._silent or tag
        elif self._pre and tag == "code" and language:
            self._pre = (self._pre[0], language)
        elif tag == "pre" and not self._pre:
            self._flush()
            self._pre = (self._line(), language or self._hint)
        elif self._pre:
            self._text.append("\n" if tag == "br" else "")
        elif tag in _HEADINGS:
            self._flush()
            self._heading_line = self._line()
        elif tag in _BLOCKS:
            self._flush()
            self._hint = language if tag == "div" else ""
        elif tag in ("td", "th"):
            self._text.append(" | " if self._text else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._silent:
            self._silent = None
        elif tag == "pre" and self._pre:
            self._end_pre()
        elif self._pre:
            return
        elif tag in _HEADINGS:
            self._builder.heading(_HEADINGS[tag], "".join(self._text), self._heading_line or self._line())
            self._text, self._heading_line = [], 0
        elif tag in _BLOCKS:
            self._flush()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text.append(data)

    def _line(self) -> int:
        return self._first + self.getpos()[0] - 1

    def _end_pre(self) -> None:
        if self._pre:
            self._builder.code(self._pre[1], "".join(self._text), self._pre[0])
        self._text, self._pre = [], None

    def _flush(self) -> None:
        self._builder.prose("".join(self._text))
        self._text = []
