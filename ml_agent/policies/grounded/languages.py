"""Languages: what people call them, and the codes that options take for them."""

import re
from collections.abc import Iterable

from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.entrypoints import Option

_CODES = (
    "arabic ar ara, bengali bn ben, bulgarian bg bul, catalan ca cat, chinese zh zho, croatian hr hrv, czech cs ces, danish da "
    "dan, dutch nl nld, english en eng, estonian et est, finnish fi fin, french fr fra, german de deu, greek el ell, hebrew he "
    "heb, hindi hi hin, hungarian hu hun, indonesian id ind, italian it ita, japanese ja jpn, korean ko kor, latvian lv lav, "
    "lithuanian lt lit, norwegian no nor, persian fa fas, polish pl pol, portuguese pt por, romanian ro ron, russian ru rus, "
    "slovak sk slk, slovenian sl slv, spanish es spa, swahili sw swa, swedish sv swe, tamil ta tam, thai th tha, turkish tr tur, "
    "ukrainian uk ukr, urdu ur urd, vietnamese vi vie"
)
"""Name, code of two letters, code of three (ISO 639-1 and 639-3)."""
LANGUAGES = {name: (short, long) for name, short, long in (entry.split() for entry in _CODES.split(", "))}
TAKES = frozenset("lang langs language languages locale".split())
"""Words in the names of what takes a language."""
_SIDES = frozenset("src source tgt trg target".split())
"""Words that are the whole name of an option that takes a language, where its known values are codes."""
_SAID = {
    **dict.fromkeys(("src", "source"), frozenset({"source", "src", "from"})),
    **dict.fromkeys(("tgt", "trg", "target"), frozenset({"target", "tgt", "trg", "to", "into"})),
}
"""Words of an option's name for a side of a translation -> what is said in front of its language."""
_WORDS = frozenset("it no he da id cat est fin pol".split())
"""Codes that are words as well: behind `language` alone they are none."""
SHORT, LONG = (frozenset(codes[k] for codes in LANGUAGES.values()) for k in (0, 1))
_ALL_CODES = SHORT | LONG


def codes_of_languages(option: Option, values: Iterable[str]) -> dict[str, str]:
    """Name of a language -> its code, for an option of languages of which codes are known (`values`); the name itself, written as they
    are, if names are. Of choices, those alone.
    """
    known = [re.sub(r"[_-].*", "", v) for v in values]
    known += [] if known or option.choices or option.default not in (None, "None") else [LANGUAGES["english"][0]]
    named = next((v for v in known if v.lower() in LANGUAGES), "")
    words = name_words(option.name)
    coded = bool(known and words) and _SIDES.issuperset(words) and all(v.lower() in _ALL_CODES for v in known)
    if TAKES.isdisjoint(words) and not (named or coded):
        return {}
    of_length = [k for k in (0, 1) if any(codes[k] in (v.lower() for v in known) for codes in LANGUAGES.values())]
    if named:
        found = {name: name.title() if named.istitle() else name for name in LANGUAGES}
    else:
        found = {name: codes[of_length[0]] for name, codes in LANGUAGES.items()} if of_length else {}
    return {name: code for name, code in found.items() if not option.choices or code in option.choices}


def code_beside(option: Option, request: Request) -> tuple[str, int] | None:
    """A code that the request itself gives for a language, and its token: `language fr`, `the language code is deu`."""
    if TAKES.isdisjoint(name_words(option.name)) or option.choices:
        return None
    sides = frozenset().union(*(said for short, said in _SAID.items() if short in name_words(option.name)))
    for position, token in enumerate(request.tokens):
        following = request.tokens[position + 1].text if position + 1 < len(request.tokens) else ""
        if token.text.lower() in sides and following in _ALL_CODES - _WORDS:
            return following, position + 1  # `source de, target en`
        before = request.tokens[position - 1].text.lower() if position else ""
        if token.text.lower() in TAKES and not (sides and before in _SIDES - sides):
            behind = position + 1
            while behind < len(request.tokens) and request.tokens[behind].text.lower() in ("code", "is", ":", "=", "to", "set"):
                behind += 1
            plain = {t.text.lower() for t in request.tokens[position + 1 : behind]} <= {"is"}
            if behind < len(request.tokens) and request.tokens[behind].text in (_ALL_CODES - _WORDS if plain else _ALL_CODES):
                return request.tokens[behind].text, behind
    return None
