"""Lists that an option takes in one word, and how they are written: `64,32`, `[64, 32]`, `64-32`, `64 32`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.option_names import name_words
from ml_agent.repo.entrypoints import Option

_NUMBER = r"\d+(?:\.\d+)?"
_IN_BRACKETS = re.compile(r"([\[(])([^\[\]()'\"]*)([\])])")
_WITH_COMMAS = re.compile(r"[\w.+-]+(,\s?)[\w.+-]+(?:,\s?[\w.+-]+)*")
_OF_NUMBERS = re.compile(rf"{_NUMBER}(?P<sign>[ :;/_-]){_NUMBER}(?:(?P=sign){_NUMBER})*")
_SIGNS = {"comma": ",", "space": " ", "whitespace": " ", "blank": " ", "colon": ":", "semicolon": ";", "dash": "-", "hyphen": "-"}
_NAMED = "|".join(_SIGNS)
_SEPARATED = re.compile(
    rf"\b({_NAMED})s?[- ](?:separated|delimited)|\b(?:separated|delimited|split) (?:by|with|at) (?:an? )?({_NAMED})s?\b", re.IGNORECASE
)
_SHOWN = re.compile(rf"(?<![\w.,]){_NUMBER}(?:,\s?{_NUMBER})+(?![\w.,])")
"""In a help text: `for example 64,32`."""
_EVALUATED = frozenset("eval literal_eval ast.literal_eval json.loads yaml.safe_load".split())
_LISTING = re.compile(r"lambda|list|csv|comma|split|tuple", re.IGNORECASE)
"""Names of functions that make a list of a word."""
_RANGES = frozenset("seed seeds range index indices idx frames ids pages rows gpu gpus devices folds".split())
"""Words in the names of options that take `600-605`, which is no list of two."""
_THOUSAND = 1000
_SIZES = frozenset("size resolution res imsize imgsize img image crop patch input resize".split())
_OTHER_SIZES = frozenset("batch hidden vocab embedding buffer width height num n count channels step steps".split())
"""Words in the names of options that take the size of something that has no sides, or one side alone."""


@dataclass(frozen=True, slots=True)
class ListStyle:
    """The signs of a list in one word."""

    opening: str
    separator: str
    closing: str

    def written(self, values: Sequence[str]) -> str:
        return self.opening + self.separator.join(values) + self.closing


def list_style(option: Option, examples: Sequence[str]) -> ListStyle | None:
    """How the option takes a list in one word, None if nothing says that it takes any.

    By its documented values (`examples`), its help, or what it is read by.
    """
    for example in examples:
        if style := _style_of(example.strip()):
            return replace(style, separator=",") if style.separator == "-" and takes_range(option) else style
    if said := _SEPARATED.search(option.help):
        return ListStyle("", _SIGNS[(said[1] or said[2]).lower()], "")
    if _SHOWN.search(option.help) and option.type not in ("int", "float"):
        return ListStyle("", ",", "")
    if option.default and option.default[:1] in "[(" and option.type is not None:
        if option.type in _EVALUATED:
            return ListStyle("[", ",", "]")
        if _LISTING.search(option.type):
            return ListStyle("", ",", "")
    return None


def takes_range(option: Option) -> bool:
    """Whether `600-605` is from the one to the other for it, by its name."""
    return not _RANGES.isdisjoint(name_words(option.name))


def _style_of(example: str) -> ListStyle | None:
    if inner := _IN_BRACKETS.fullmatch(example):
        comma = re.search(r",\s?", inner[2])
        return ListStyle(inner[1], comma[0] if comma else ",", inner[3]) if comma or inner[1] == "[" else None
    if commas := _WITH_COMMAS.fullmatch(example):
        return ListStyle("", commas[1], "")
    numbers = _OF_NUMBERS.fullmatch(example)
    return ListStyle("", numbers["sign"], "") if numbers else None


def one_side(option: Option, parts: Sequence[str]) -> str:
    """`128` of `128x128` for an option that takes a size in one number; empty if it does not, or the sides differ."""
    single = option.type == "int" or (option.type is None and re.fullmatch(r"\d+", option.default or ""))
    sized = not _SIZES.isdisjoint(name_words(option.name)) and not _OTHER_SIZES & set(name_words(option.name))
    return parts[0] if single and sized and len(parts) > 1 and len(set(parts)) == 1 and not option.choices else ""


def glued_numbers(words: str, option: Option, examples: Sequence[str]) -> tuple[str, ...]:
    """The numbers of `60,120` where an option takes several and none of its own is in the thousands; else it is one number: none."""
    if not re.fullmatch(r"\d{1,3}(?:,\d{3})+", words):
        return ()
    known = [float(n) for n in _numbers(option, examples)]
    return tuple(words.split(",")) if known and max(known) < _THOUSAND else ()


def _numbers(option: Option, examples: Sequence[str]) -> Iterator[str]:
    for text in (option.default or "", *examples):
        yield from re.findall(_NUMBER, text)
