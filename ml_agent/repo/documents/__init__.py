"""READMEs, documentation and notebooks of a repository, as sections and code blocks with their lines."""

import re
from collections.abc import Callable
from importlib import import_module

from ml_agent.repo.documents.base import CodeBlock, Document, Section
from ml_agent.repo.documents.builder import Builder
from ml_agent.repo.files import FileTable

__all__ = ["CodeBlock", "Document", "Section", "is_document", "read_document", "read_documents"]

MAX_TEXT = 512 * 1024
MAX_LINES = 20_000
"""Bytes and lines of one document that are read; a longer one is cut, with a note."""
MAX_NOTEBOOK = 20 * 1024 * 1024
"""Bytes of one notebook, most of which are outputs."""
MAX_TOTAL = 16 * 1024 * 1024
MAX_NOTEBOOKS = 128 * 1024 * 1024
"""Bytes of all documents together, and of all notebooks."""

_READERS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".rst": "rst",
    ".rest": "rst",
    ".org": "org",
    ".ipynb": "notebook",
}
"""Modules beside this one, each with a function `read_` and its name. They are imported when a document is read: what is kept on disk
needs none of them."""
_README = re.compile(r"readme(?:[._ -].*)?", re.IGNORECASE)
_TXT = re.compile(r"(?:read[_-]?me|install|usage|how[_-]?to|getting[_-]?started|quick[_-]?start).*", re.IGNORECASE)
_TXT_FOLDERS = frozenset({"doc", "docs", "documentation"})
_NOT_PROSE = re.compile(r"(?:.*requirements.*|cmakelists|constraints.*|.*vocab.*|robots|.*licen[cs]e.*)", re.IGNORECASE)
# A README with another suffix is most often a language (README.zh); these are what it is not.
_OTHER = frozenset(
    ".py .pyi .sh .bat .ps1 .js .ts .c .cc .cpp .h .hpp .cu .java .go .rs .r .m .jl .lua .pl .rb .html .htm .css .xml .json .yaml .yml "
    ".toml .ini .cfg .csv .tsv .pdf .doc .docx .odt .rtf .tex .bib .png .jpg .jpeg .gif .svg .webp .bmp .zip .gz .tar .bz2 .xz "
    ".pkl .npy .npz .lock".split()
)


def is_document(path: str) -> bool:
    """Whether a path names a document: any README, Markdown, reStructuredText, Org, notebooks; `.txt` if it is about use."""
    *folders, name = path.split("/")
    stem, suffix = _split(name)
    if suffix in _READERS:
        return True
    if suffix == ".txt":
        about_use = bool(_TXT.fullmatch(stem)) or not _TXT_FOLDERS.isdisjoint(folder.lower() for folder in folders)
        return about_use and not _NOT_PROSE.fullmatch(stem)
    if not suffix and stem.upper() in ("INSTALL", "USAGE"):
        return True
    return bool(_README.fullmatch(name)) and suffix not in _OTHER


def read_documents(files: FileTable, read: Callable[[FileTable, str], Document] | None = None) -> tuple[Document, ...]:
    """All documents, READMEs first, those nearer to the root first. A document that cannot be read costs only itself.

    `read`: what reads one of them; by default `read_document`.
    """
    read = read or read_document
    paths = sorted((file.path for file in files.files if is_document(file.path)), key=_order)
    sizes = {file.path: file.size for file in files.files}
    left = {MAX_TEXT: MAX_TOTAL, MAX_NOTEBOOK: MAX_NOTEBOOKS}
    documents = []
    for path in paths:
        limit = _limit(path)
        left[limit] -= min(sizes[path], limit)
        if left[limit] < 0:
            documents.append(Document(path, note="not read: the documents before it are too large together"))
        else:
            documents.append(read(files, path))
    return tuple(documents)


def read_document(files: FileTable, path: str) -> Document:
    """One document; what could not be read is said in its `note`."""
    builder = Builder(path)
    try:
        text = files.read(path, _limit(path))
    except OSError as error:
        return Document(path, note=f"cannot be read: {error.strerror or error}")
    if text.binary:
        return Document(path, note="not read: binary")
    if text.cut:
        builder.note(f"cut: the last {text.cut:,} bytes were not read")
    content = text.text
    if _limit(path) == MAX_TEXT and len(text.lines) > MAX_LINES:
        builder.note(f"cut: of {len(text.lines):,} lines the first {MAX_LINES:,} were read")
        content = "\n".join(text.lines[:MAX_LINES])
    name = _READERS.get(_split(path.rpartition("/")[2])[1], "plain")
    reader: Callable[[Builder, str], None] = getattr(import_module(f"{__name__}.{name}"), f"read_{name}")
    try:
        reader(builder, content)
    except (ValueError, RecursionError, IndexError, AssertionError) as error:
        # Third-party parsers on a text that they do not expect; what was found before stays.
        builder.note(f"read in part: {type(error).__name__}")
    return builder.document()


def _limit(path: str) -> int:
    return MAX_NOTEBOOK if path.lower().endswith(".ipynb") else MAX_TEXT


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.rpartition(".")
    return (stem, f".{suffix.lower()}") if dot and stem else (name, "")


def _order(path: str) -> tuple[bool, int, int, str]:
    name = path.rpartition("/")[2]
    # README.md before README_xx.md, which is a translation.
    return not _README.fullmatch(name), path.count("/"), len(_split(name)[0]), path
