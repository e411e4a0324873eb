"""Names as options have them in short, which requests write in full: `rn50` for `RidgeNet-50`, `mb2-lite` for `MarshBirdV2 Lite`."""

import re
from collections.abc import Iterator, Mapping

from ml_agent.policies.grounded.request import Mention, Request

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_UNSAID = frozenset({"net", "network", "v", "version", "model"})
"""What a short name leaves out of a long one."""
_MOST = 3
"""Tokens of a name that is written in several."""


def in_full(values: Mapping[str, Mapping[str, str]], request: Request) -> dict[tuple[int, int], dict[str, str]]:
    """Names of the request that are one known value of an option in short: (first, last token) -> option name -> the value as spelled.

    `values`: option name -> squeezed -> as spelled.
    """
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, spellings in values.items():
        short = [v for v in spellings.values() if re.fullmatch(r"[a-z]{1,6}[_-]?\d+(?:[_-]?[a-z\d]+)*", v)]
        for mention in request.mentions if short else ():
            for first, last in _spans(mention, request):
                text = request.span(first, last)
                meant = [v for v in short if v[0] == text[0].lower() and abbreviates(v, text)]
                if len(meant) == 1:
                    found.setdefault((first, last), {})[name] = meant[0]
                    break
    return found


def _spans(mention: Mention, request: Request) -> Iterator[tuple[int, int]]:
    """The name with the words behind it that may belong to it, the longest first."""
    if mention.kind not in ("name", "identifier"):
        return
    at = mention.position
    for last in range(min(len(request.tokens), at + _MOST) - 1, at - 1, -1):
        if all(t.kind in ("word", "number") and (t.text[:1].isupper() or t.text[:1].isdigit()) for t in request.tokens[at + 1 : last + 1]):
            yield at, last


def abbreviates(short: str, name: str) -> bool:
    """Whether each number of the name is in the short one, in order, and each word of it but `Net` is begun by letters there."""
    pieces = re.findall(r"[a-z]+|\d+", short.lower())
    words = [w.lower() for w in _PIECE.findall(name)]
    return any(w.isdigit() for w in words) and "".join(pieces) != "".join(words) and _matches(pieces, words)


def _matches(pieces: list[str], words: list[str]) -> bool:
    if not pieces:
        return all(w in _UNSAID for w in words)
    if not words:
        return False
    if words[0].isdigit() or pieces[0].isdigit():
        return (words[0] == pieces[0] and _matches(pieces[1:], words[1:])) or (words[0] in _UNSAID and _matches(pieces, words[1:]))
    # letters of one piece begin one word, or two and more of them: `mb` of `Marsh Bird`
    for count in range(1, len(words) + 1):
        run = words[:count]
        if run[-1].isdigit():
            break
        if _begins(pieces[0], run) and _matches(pieces[1:], words[count:]):
            return True
    return words[0] in _UNSAID and _matches(pieces, words[1:])


def _begins(letters: str, words: list[str]) -> bool:
    """Whether the letters are the first ones of the words, or, of one word, letters of it in their order from the first on."""
    if len(words) == 1:
        rest = iter(words[0])
        return words[0][0] == letters[0] and all(letter in rest for letter in letters)
    return any(
        letters.startswith(words[0][:count]) and len(letters) > count and _begins(letters[count:], words[1:])
        for count in range(1, len(words[0]) + 1)
    )
