"""The languages whose symbols are read: how their files are known, which grammar and query reads them, what their comments look like."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ml_agent.repo.symbols import queries_code, queries_other


@dataclass(frozen=True, slots=True)
class Comments:
    """How a comment above a definition is known."""

    line: tuple[str, ...]
    """What a comment line begins with."""
    block: tuple[str, str] | None = None
    """What a block begins and ends with."""
    between: tuple[str, ...] = ()
    """Lines that begin so may stand between a comment and its definition: decorators, attributes, annotations."""


_HASH = Comments(("#",), between=("@",))
_SLASHES = Comments(("//",), ("/*", "*/"), ("@", "template", "#["))
_QUOTES = Comments(("#",), ('"""', '"""'), ("@",))


@dataclass(frozen=True, slots=True)
class Language:
    name: str
    series: str
    """Of the grammar's versions, those whose node names the query knows: `0.25` stands for 0.25.*."""
    query: str
    suffixes: tuple[str, ...]
    comments: Comments = _SLASHES
    grammar: str = ""
    """The grammar's name where it is another."""
    function: str = "language"
    """Of the grammar's package; it gives the language."""
    data: bool = False
    """Its symbols are keys: many, short, and of use in small files only."""

    @property
    def package(self) -> str:
        return f"tree-sitter-{self.grammar or self.name}"


LANGUAGES: Mapping[str, Language] = MappingProxyType({
    one.name: one
    for one in (
        Language("python", "0.25", queries_code.PYTHON, (".py", ".pyi", ".pyw"), _HASH),
        Language("bash", "0.25", queries_code.BASH, (".sh", ".bash"), _HASH),
        Language("c", "0.24", queries_code.C, (".c",)),
        Language("cpp", "0.23", queries_code.CPP, (".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp")),
        Language("cuda", "0.21", queries_code.CPP, (".cu", ".cuh")),
        Language("java", "0.23", queries_code.JAVA, (".java",)),
        Language("javascript", "0.25", queries_code.JAVASCRIPT, (".js", ".mjs", ".cjs", ".jsx")),
        Language("typescript", "0.23", queries_code.TYPESCRIPT, (".ts", ".mts", ".cts"), function="language_typescript"),
        Language("tsx", "0.23", queries_code.TSX, (".tsx",), grammar="typescript", function="language_tsx"),
        Language("go", "0.25", queries_other.GO, (".go",)),
        Language("rust", "0.24", queries_other.RUST, (".rs",)),
        Language("julia", "0.23", queries_other.JULIA, (".jl",), _QUOTES),
        Language("yaml", "0.7", queries_other.YAML, (".yaml", ".yml"), _HASH, data=True),
        Language("toml", "0.7", queries_other.TOML, (".toml",), _HASH, data=True),
        Language("json", "0.24", queries_other.JSON, (".json",), data=True),
    )
})  # fmt: skip

_OF_SUFFIX = {suffix: language for language in LANGUAGES.values() for suffix in language.suffixes}
_SHEBANG = re.compile(r"#![^\n]{0,200}?\b(python|bash|dash|sh)[\d.]*(?:\s|$)")


def may_be_read(path: str) -> bool:
    """Whether a file of that name may be of a language; without a suffix only its first line tells."""
    _, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return f".{suffix.lower()}" in _OF_SUFFIX if dot else True


def language_of(path: str, text: str = "") -> Language | None:
    """By the file's name, else, if that has no suffix, by the first line of its text."""
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    if dot:
        return _OF_SUFFIX.get(f".{suffix.lower()}")
    shebang = _SHEBANG.match(text[:300])
    return LANGUAGES["python" if shebang[1] == "python" else "bash"] if shebang else None
