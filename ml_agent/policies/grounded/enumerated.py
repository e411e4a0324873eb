"""Plain words that a request lists: `among beagle, poodle and husky`. No sign says that they are values but that they are a list."""

import re
from collections.abc import Iterator

from ml_agent.policies.grounded.mentions import Mention
from ml_agent.policies.grounded.request import Request

_LISTED = re.compile(
    r"\b(?:among(?:st)?|(?:class(?:es)?|label|candidate|categor(?:y|ies)|answer|option|choice)(?:s| names)?)"
    r"(?: are| of|:| such as| like)? (?:the |an? )?(?P<list>[A-Za-z][\w-]*(?:, (?:an? |or |and )?[A-Za-z][\w-]*){1,20}"
    r"(?:,? (?:and|or) (?:an? )?[A-Za-z][\w-]*)?)(?=\W|$)",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"\b(?!(?:and|or|an?)\b)[A-Za-z][\w-]*", re.IGNORECASE)


def enumerated(request: Request) -> Iterator[tuple[Mention, ...]]:
    """Lists of three words and more, each as its values in order, of the kind `word`."""
    at = {token.start: position for position, token in enumerate(request.tokens)}
    for match in _LISTED.finditer(request.text):
        words = list(_MEMBER.finditer(request.text, *match.span("list")))
        if len(words) > 2 and all(w.start() in at for w in words):
            yield tuple(Mention(w.group(), "word", at[w.start()], w.group()) for w in words)
