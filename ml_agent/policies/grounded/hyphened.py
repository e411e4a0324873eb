"""Names of several words with hyphens that the request writes as the repository writes its own: `owls-barn` beside `owls-moor`."""

from collections.abc import Sequence

from ml_agent.policies.grounded.request import Request
from ml_agent.policies.grounded.tokens import HYPHENED

_FIRST_OF_WORDS = frozenset(
    "all anti audio auto back bi by class co cross data de double down early end ex fine first full half hand hard high image in "
    "inter intra k large last left light long low max mean medium meta mid min mini mixed mono multi near no non object off on "
    "one open out over post pre quasi rank re real right second self semi sentence short side single small soft sub super t text "
    "third three time token top trans tri two un under up user video weak well wide word x zero".split()
)
"""What everyday words of two parts begin with: `fine-tuning`, `image-level`."""


def written_alike(name: str, request: Request) -> int | None:
    """Where another name stands that is written as this one and has a word of it in the same place; of several, nowhere.

    `fast-sparse-en` for `slow-dense-en`; of two words it is the first that both have.
    """
    parts = name.lower().split("-")
    if len(parts) < 2 or not request.hyphened or not HYPHENED.fullmatch(name):
        return None
    begin, end = (request.hyphened.get(key, {}) for key in (f"{parts[0]}-", f"-{parts[-1]}"))
    short = parts[0] in _FIRST_OF_WORDS
    found = {text: at for text, at in begin.items() if not short or _is_long(parts, text)}
    found |= {text: at for text, at in end.items() if _is_long(parts, text)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_long(parts: Sequence[str], text: str) -> bool:
    return min(len(parts), text.count("-") + 1) > 2
