"""How people say numbers, and what they count with them."""

NUMBER_WORDS: dict[str, int] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000,
}  # fmt: skip
"""`one` alone is a pronoun far more often than a value: it counts only before what programs count (COUNTED)."""

PARTS: dict[str, int] = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10, "twentieth": 20,
    "hundredth": 100, "thousandth": 1000,
}  # fmt: skip

ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8,
}  # fmt: skip

DEVICES = frozenset("gpu gpus card cards device devices".split())

COUNTED = frozenset(
    "epoch pass step iteration update trial episode layer head channel unit neuron feature dimension block stage level gpu card "
    "node process worker thread core class fold shot hop beam crop seed".split()
)
"""What programs count: before one of them, `one` is a number."""

UNITS = {"k": 1000, "K": 1000, "kHz": 1000, "khz": 1000, "M": 10**6, "px": 1, "s": 1, "sec": 1, "secs": 1, "Hz": 1}
"""What is written right behind a number, and what that multiplies it by: seconds and pixels are counted as they are."""
UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
"""A regular expression."""
