"""Exact replacement in the bytes of a file: everything outside the replaced text stays as it is, to the byte."""

import codecs
import re
from collections.abc import Sequence

from ml_agent.errors import ToolError
from ml_agent.repo.files.text import Text, decode
from ml_agent.tools.text import numbered

_NEWLINE = "(?>\r\n|\n|\r)"  # atomic: one CR LF is never taken for two line ends
_SHOWN_LINES = 30
_COMPARED = 400
_ALIKE = 50.0


def replace(data: bytes, old: str, new: str, *, every: bool = False, python: bool = False) -> tuple[bytes, list[int]]:
    r"""Replace `old` by `new`; returns the new bytes and the lines (from 1) where `old` stood.

    A line end in `old` fits any line end of the file, and line ends in `new` become those of the text that is replaced.
    At the end of the file the final newline, or its absence, is kept.

    Raises ToolError: `old` is not there, stands there more than once and not `every` one is meant, the file is not text, or
    its encoding lacks a character of `new`.
    """
    text = decode(data, python=python)
    if text.binary:
        raise ToolError("it is not a text file")
    old, new = _plain(old), _plain(new)
    if not old:
        raise ToolError("`old` is empty: say which text is to be replaced; write_file writes a whole file")
    if old == new:
        raise ToolError("`old` and `new` are the same")
    spans = [m.span() for m in re.finditer(_NEWLINE.join(map(re.escape, old.split("\n"))), text.raw)]
    lines = [len(re.findall(_NEWLINE, text.raw[:start])) + 1 for start, _ in spans[:1000]]
    if not spans:
        raise ToolError(f"`old` is not in the file; {_nearest(text.lines, old)}")
    if len(spans) > 1 and not every:
        shown = ", ".join(map(str, lines[:20])) + (" ..." if len(lines) > 20 else "")
        raise ToolError(f"`old` stands in the file {len(spans)} times, at lines {shown}: give more of the text around it, or set all")
    return _spliced(data, text, spans, new), lines


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _spliced(data: bytes, text: Text, spans: Sequence[tuple[int, int]], new: str) -> bytes:
    codec, mark = _codec(data, text)
    before, after, position = [mark], [mark], 0
    for start, end in (*spans, (len(text.raw), len(text.raw))):
        kept, matched = text.raw[position:start].encode(codec, "replace"), text.raw[start:end]
        before += [kept, matched.encode(codec, "replace")]
        after += [kept, _encoded(_fitted(matched, new, text, end), codec) if matched else b""]
        position = end
    if b"".join(before) != data:  # bytes that are no characters, or a codec with several ways to write one
        raise ToolError(f"it cannot be edited without changing other bytes: not all of it is {text.encoding}")
    return b"".join(after)


def _fitted(matched: str, new: str, text: Text, end: int) -> str:
    """`new` with the line ends of the place where it goes."""
    if end == len(text.raw) and new:
        if matched.endswith(("\n", "\r")) and not new.endswith("\n"):
            new += "\n"
        elif not matched.endswith(("\n", "\r")):
            new = new.removesuffix("\n")
    found = re.search(_NEWLINE, matched)
    return new.replace("\n", found.group() if found else text.newline)


def _encoded(new: str, codec: str) -> bytes:
    try:
        return new.encode(codec)
    except UnicodeEncodeError as error:
        raise ToolError(f"`new` holds {new[error.start]!r}, which the encoding of the file ({codec}) lacks") from error


def _codec(data: bytes, text: Text) -> tuple[str, bytes]:
    """The codec of what follows the byte order mark, and the mark."""
    if text.bom:
        for name, mark, codec in (
            ("utf-8-sig", codecs.BOM_UTF8, "utf-8"),
            ("utf-32", codecs.BOM_UTF32_LE, "utf-32-le"),
            ("utf-32", codecs.BOM_UTF32_BE, "utf-32-be"),
            ("utf-16", codecs.BOM_UTF16_LE, "utf-16-le"),
            ("utf-16", codecs.BOM_UTF16_BE, "utf-16-be"),
        ):
            if name == text.encoding and data.startswith(mark):
                return codec, mark
    return text.encoding, b""


def _nearest(lines: Sequence[str], old: str) -> str:
    """The lines of the file that are most like `old`, as words for an error."""
    from rapidfuzz import fuzz, process

    wanted = old.removesuffix("\n").split("\n")
    short = [line[:_COMPARED] for line in lines]
    starts: set[int] = set()
    for offset in sorted((i for i, line in enumerate(wanted) if line.strip()), key=lambda i: -len(wanted[i]))[:3]:
        found = process.extract(wanted[offset][:_COMPARED], short, scorer=fuzz.ratio, limit=5, score_cutoff=_ALIKE)
        starts |= {max(0, at - offset) for _, _, at in found}
    target = "\n".join(line[:_COMPARED] for line in wanted[:_SHOWN_LINES])
    rated = [(fuzz.ratio("\n".join(short[s : s + min(len(wanted), _SHOWN_LINES)]), target), -s) for s in starts]
    score, start = max(rated, default=(0.0, 0))
    if score < _ALIKE:
        return "nothing in it is like that; read_file shows the file"
    shown = short[-start : -start + min(len(wanted), _SHOWN_LINES)]
    return f"did you mean these lines?\n{numbered(shown, 1 - start)}"
