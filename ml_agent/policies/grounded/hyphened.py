"""Names of several words with hyphens that the request writes as the repository writes its own: `owls-barn` beside `owls-moor`."""

import re

from ml_agent.policies.grounded.request import Request

_HYPHENED = re.compile(r"[A-Za-z][\w.]*(?:-[\w.]+)+")
_FIRST_OF_WORDS = frozenset(
    "all anti auto back bi by co cross de double down early end ex fine first full half hand hard high in inter intra k large last left "
    "light long low max mean medium meta mid min mini mixed mono multi near no non off on one open out over post pre quasi rank re real "
    "right second self semi short side single small soft sub super t text third three top trans tri two un under up user weak well wide "
    "word x zero".split()
)
"""What everyday words of two parts begin with: `fine-tuning`."""


def written_alike(name: str, request: Request) -> int | None:
    """Where another name stands that is written as this one and has a word of it in the same place; of several, nowhere.

    `fast-sparse-en` for `slow-dense-en`; of two words it is the first that both have.
    """
    parts = name.lower().split("-")
    if len(parts) < 2 or not _HYPHENED.fullmatch(name):
        return None
    found: dict[str, int] = {}
    for position, token in enumerate(request.tokens):
        other = token.text.lower().split("-")
        if token.kind != "word" or len(other) < 2 or not _HYPHENED.fullmatch(token.text):
            continue
        long = min(len(parts), len(other)) > 2
        begins = parts[0] == other[0] and (long or parts[0] not in _FIRST_OF_WORDS)
        if begins or (long and parts[-1] == other[-1]):
            found[token.text] = position
    return next(iter(found.values())) if len(found) == 1 else None
