"""Bytes of a file into text: byte order marks, encodings, line endings."""

import codecs
import re
from dataclasses import dataclass
from functools import cached_property

NUL_WINDOW = 8192
_SAMPLE = 16_384
_BOMS = (  # the longer one first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]{1,40})", re.ASCII)
_BLANK_OR_COMMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_NEWLINE = re.compile(r"\r\n|\r|\n")
# Codecs that Python calls text encodings, but that no source file is written in; some take quadratic time.
_NOT_FOR_FILES = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"})


@dataclass(frozen=True)
class Text:
    """The text of one file, or of its beginning."""

    raw: str
    """As decoded, line endings untouched, without the byte order mark."""
    encoding: str
    """A Python codec that reads the file; with a mark `utf-8-sig`, `utf-16` or `utf-32`. `""` for a binary file."""
    newline: str = "\n"
    r"""The most frequent line ending: `\n`, `\r\n` or `\r`; `\n` if there is none."""
    bom: bool = False
    cut: int = 0
    """How many bytes at the end of the file were not read."""
    binary: bool = False
    """The file is not text; `raw` is then empty."""

    @cached_property
    def text(self) -> str:
        r"""With every line ending as `\n`."""
        return _NEWLINE.sub("\n", self.raw) if "\r" in self.raw else self.raw

    @cached_property
    def lines(self) -> tuple[str, ...]:
        r"""The lines without their endings. Unlike `str.splitlines`, only `\n`, `\r\n` and `\r` end a line, as in an editor."""
        lines = self.text.split("\n")
        return tuple(lines[:-1] if lines[-1] == "" else lines)


def decode(data: bytes, *, python: bool = False, cut: int = 0) -> Text:
    """Turn the first bytes of a file into text. Never fails.

    In this order: a byte order mark; a NUL in the first 8 KB (binary); for Python the coding comment of PEP 263; UTF-8;
    what charset-normalizer makes of the first 16 KB; Latin-1. `cut` bytes follow in the file that are not in `data`.
    """
    for mark, name, codec in _BOMS:
        if data.startswith(mark):
            raw = codecs.getincrementaldecoder(codec)("replace").decode(data[len(mark) :], final=not cut)
            return _text(raw, name, bom=True, cut=cut)
    if b"\0" in data[:NUL_WINDOW]:
        return Text("", "", cut=cut + len(data), binary=True)
    declared = _declared(data) if python else None
    for encoding in (declared, "utf-8"):
        decoded = _strictly(data, encoding, cut) if encoding else None
        if encoding and decoded is not None:
            return _text(decoded, encoding, cut=cut)
    guess = _guess(data)
    decoded = _strictly(data, guess, cut) if guess else None
    if guess and decoded is not None:
        return _text(decoded, guess, cut=cut)
    return _text(data.decode("latin-1"), "latin-1", cut=cut)


def _text(raw: str, encoding: str, *, bom: bool = False, cut: int = 0) -> Text:
    if "\r" not in raw:
        return Text(raw, encoding, bom=bom, cut=cut)
    crlf = raw.count("\r\n")
    counts = {"\n": raw.count("\n") - crlf, "\r\n": crlf, "\r": raw.count("\r") - crlf}
    return Text(raw, encoding, newline=max(counts, key=lambda end: counts[end]), bom=bom, cut=cut)


def _strictly(data: bytes, encoding: str, cut: int) -> str | None:
    try:
        # Incremental: a cut may fall into the middle of a character.
        return codecs.getincrementaldecoder(encoding)("strict").decode(data, final=not cut)
    except (ValueError, LookupError):
        return None


def _declared(data: bytes) -> str | None:
    """The encoding that a Python file names in its first two lines (PEP 263)."""
    for line in data[:1000].splitlines()[:2]:
        if found := _COOKIE.match(line):
            return _usable(found[1].decode("ascii"))
        if not _BLANK_OR_COMMENT.match(line):
            return None
    return None


def _usable(name: str) -> str | None:
    try:
        info = codecs.lookup(name)
        codecs.getincrementaldecoder(name)
    except (LookupError, ValueError):
        return None
    text = getattr(info, "_is_text_encoding", True)
    return info.name if text and info.name.replace("_", "-") not in _NOT_FOR_FILES else None


def _guess(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    sample = data[:_SAMPLE]
    best = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample).best()
    return _usable(best.encoding) if best else None
