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


_BEHIND_A_LIST = frozenset("and for with as in on at to from".split())
"""What may stand behind the last word of a list."""


def as_list(spelled: str, request: Request) -> tuple[tuple[int, int], str] | None:
    """Words that the request lists, two of them of a list in one word: `wrens, larks and owls` for `larks,owls`."""
    words = spelled.split(",")
    if len(words) < 2 or " " in spelled or not all(map(str.isalpha, words)):
        return None
    for first in range(len(request.tokens)):
        places = listed_from(first, request)
        members = [request.tokens[at].text for at in places]
        if len(set(members) & set(words)) > 1:
            return (first, places[-1]), ",".join(members)
    return None


def listed_from(first: int, request: Request) -> list[int]:
    """The positions of words with nothing but commas and `and` between them, from the first on."""
    tokens, found, at = request.tokens, list[int](), first
    while at < len(tokens) and tokens[at].says_something:
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if following is not None and following.kind == "word" and following.text.lower() not in _BEHIND_A_LIST:
            break  # it is the first word of something else
        found.append(at)
        behind = at + 1
        while behind < len(tokens) and tokens[behind].text in (",", "and", "&"):
            behind += 1
        if behind == at + 1:
            break
        at = behind
    return found
