"""The installed grammars: loaded when first needed, their versions checked against what the queries were written for."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from ml_agent.errors import InfrastructureError
from ml_agent.repo.symbols.languages import LANGUAGES, Language
from ml_agent.repo.symbols.model import SCHEMA

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Query

CORE = "tree-sitter"
CORE_SERIES = "0.26"


@dataclass(frozen=True, slots=True)
class Loaded:
    grammar: "Grammar"
    query: "Query"


@dataclass(frozen=True, slots=True)
class Missing:
    """A grammar that is not installed: it costs its language, nothing else."""

    message: str


def load(language: Language) -> Loaded | Missing:
    """The grammar and the compiled query of a language.

    Raises InfrastructureError: the core or the grammar is of a version that does not fit, or tree-sitter itself is not installed.
    """
    return _load(language, language.query)


@cache
def _load(language: Language, query: str) -> Loaded | Missing:
    check_core()
    import tree_sitter

    found = _installed(language.package)
    if found is None:
        return Missing(f"{language.package} is not installed: {language.name} is not read")
    fix = f"pip install '{language.package}=={language.series}.*'"
    if not _fits(found, language.series):
        raise InfrastructureError(f"{language.package} {found} is installed, {language.series}.* is needed: {fix}")
    try:
        module = import_module(language.package.replace("-", "_"))
        grammar = tree_sitter.Language(getattr(module, language.function)())
        return Loaded(grammar, tree_sitter.Query(grammar, query))
    except (ImportError, AttributeError, TypeError, ValueError) as error:  # QueryError is a ValueError
        raise InfrastructureError(f"{language.package} {found} does not work with {CORE} {_installed(CORE)} ({error}): {fix}") from error


@cache
def check_core() -> None:
    """Raises InfrastructureError: tree-sitter is not installed, or of a version that does not fit."""
    found = _installed(CORE)
    if found is None or not _fits(found, CORE_SERIES):
        state = f"{found} is installed" if found else "is not installed"
        raise InfrastructureError(f"{CORE} {state}, {CORE_SERIES}.* is needed: pip install '{CORE}=={CORE_SERIES}.*'")


@cache
def fingerprint() -> str:
    """Changes whenever the same text may give other symbols: a version of core or grammar, a query, the form of the data."""
    from hashlib import blake2b

    parts = [f"{SCHEMA} {CORE} {_installed(CORE)}"]
    parts += [f"{one.name} {_installed(one.package)} {one.query}" for one in LANGUAGES.values()]
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


@cache
def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _fits(found: str, series: str) -> bool:
    return found == series or found.startswith(f"{series}.")
