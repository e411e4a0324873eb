"""Org mode: headlines, source and example blocks, fixed-width lines, prose."""

import re

from ml_agent.repo.documents.builder import Builder, language_of

_HEADLINE = re.compile(r"(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(.*)")
_TAGS = re.compile(r":[\w@#%:]+:")
_BEGIN = re.compile(r"\s*#\+begin_(src|example|export|comment)\b\s*(\S*)", re.IGNORECASE)
_KEYWORD = re.compile(r"\s*#\+(\w+):?\s*(.*)", re.IGNORECASE)
_DRAWER = re.compile(r"\s*:(?:properties|logbook):\s*$", re.IGNORECASE)
_FIXED = re.compile(r"\s*:(?: |$)")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[([^\[\]\n]+)\])?\]")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp)$", re.IGNORECASE)
_MARKED = re.compile(r"(?<![\w~=])([~=*])(\S|\S[^~=*\n]*\S)\1(?![\w~=])")
_ITEM = re.compile(r"^(?:[-+]|\d{1,4}[.)])\s+(?:\[[ X-]\]\s+)?")


def read_org(builder: Builder, text: str) -> None:
    """Feed an Org text to the builder."""
    lines = text.split("\n")
    paragraph: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        begin, headline = _BEGIN.match(line), _HEADLINE.match(line)
        fixed = bool(_FIXED.match(line))
        special = bool(begin or headline or fixed or _DRAWER.match(line) or _KEYWORD.match(line))
        if special or not line.strip() or _ITEM.match(line.strip()):
            builder.prose("\n".join(paragraph))
            paragraph = []
        if begin:
            end = _find(lines, at + 1, re.compile(rf"\s*#\+end_{begin[1]}\b", re.IGNORECASE))
            if begin[1].lower() in ("src", "example"):
                language = language_of(begin[2]) if begin[1].lower() == "src" else ""
                builder.code(language, _dedented(lines[at + 1 : end]), at + 2)
            at = end
        elif headline:
            builder.heading(len(headline[1]) + 1, _plain(_without_tags(headline[2])), at + 1)
        elif fixed:
            end = next((i for i in range(at, len(lines)) if not _FIXED.match(lines[i])), len(lines))
            builder.code("", "\n".join(row.strip()[2:] for row in lines[at:end]), at + 1)
            at = end - 1
        elif _DRAWER.match(line):
            at = _find(lines, at + 1, re.compile(r"\s*:end:\s*$", re.IGNORECASE))
        elif keyword := _KEYWORD.match(line):
            if keyword[1].lower() == "title":
                builder.heading(1, _plain(keyword[2]), at + 1)
        elif line.strip() and not re.match(r"\s*#(?:\s|$)", line):
            paragraph.append(_plain(_ITEM.sub("", line.strip(), count=1)))
        at += 1
    builder.prose("\n".join(paragraph))


def _find(lines: list[str], start: int, pattern: re.Pattern[str]) -> int:
    """The line that ends what began before `start`; the end of the text if none does."""
    return next((i for i in range(start, len(lines)) if pattern.match(lines[i])), len(lines))


def _dedented(lines: list[str]) -> str:
    common = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[common:] for line in lines)


def _without_tags(title: str) -> str:
    words = title.split()
    return " ".join(words[:-1] if words and _TAGS.fullmatch(words[-1]) else words)


def _plain(text: str) -> str:
    text = _LINK.sub(lambda link: "" if _PICTURE.search(link[2] or link[1]) else link[2] or link[1], text)
    return _MARKED.sub(r"\2", text)
