"""What a snippet is about: the names in it, how much of its heading a request says, and how long it is."""

import ast
import re
from collections.abc import Sequence
from math import log2

from ml_agent.policies.grounded.flows import Snippet
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.lexical import split_identifier, stem

WORDS = 3
"""Words of a text that may be a name; with more it is a sentence, which is about anything."""
SHORT = 45
"""Lines of code up to which a snippet is short."""
_FRAMEWORKS = frozenset("pytorch torch tensorflow keras python numpy huggingface jax".split())


def names_of(snippet: Snippet) -> list[str]:
    """What it may be asked for by: its headings, what it imports, its classes, and short texts, which may be names."""
    headings = list(snippet.block.headings[-2:])
    bare = [re.sub(r"^[\d.\s]+|\busage\b|\([^()]*\)", "", h, flags=re.IGNORECASE) for h in headings]
    texts = [n.value for n in snippet.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    strings = [text for text in texts if len(text) < 60 and len(text.split()) <= WORDS]
    classes = [n.attr for n in snippet.nodes if isinstance(n, ast.Attribute) and n.attr[:1].isupper()]
    return [*headings, *bare, *(i.rsplit(".", 1)[-1] for i in snippet.imported), *classes, *strings]


def said_of_heading(snippet: Snippet, request: Request) -> float:
    """How much of the heading, with the one above it or without, the request says, by words."""
    each = [{stem(w) for w in split_identifier(h) if len(w) > 2} for h in snippet.block.headings[-2:]]
    own = [words for words in each[-1:] if len(words) > 1]  # `Generate` alone says little
    return 0.8 * max((len(words & request.stems) / len(words) for words in (set().union(*each), *own) if words), default=0.0)


def excess(snippet: Snippet) -> float:
    """0..4: how much longer it is than what people ask for; a whole notebook has a place for every value and answers nothing."""
    lines = sum(1 for line in snippet.code.splitlines() if line.strip())
    return min(4.0, 0.8 * log2(lines / SHORT)) if lines > SHORT else 0.0


def own_names(snippet: Snippet) -> frozenset[str]:
    """What the snippet imports already, by name: it is no value of it."""
    return frozenset(squeeze(part) for full in snippet.imported for part in full.split(".")) | _FRAMEWORKS


def class_names(snippets: Sequence[Snippet], own: frozenset[str]) -> frozenset[str]:
    """Squeezed names of the repository's classes that documents import, but for those that stand in them as texts."""
    names = {name for s in snippets for full in s.imported if full.split(".")[0] in own and (name := full.rsplit(".", 1)[-1])[:1].isupper()}
    texts = {n.value for s in snippets for n in s.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(map(squeeze, names)) - frozenset(map(squeeze, texts))
