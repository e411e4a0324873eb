"""The values that a task names: numbers, quoted texts, paths, names of models, data sets and files."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "text", "path", "name"]

MAX_ASKED = 200
"""Values of one task that are looked for, the first."""
_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+"
_TOKEN = re.compile(
    rf"""(?P<text>`[^`\n]{{1,200}}`|"[^"\n]{{1,200}}"|(?<!\w)'[^'\n]{{1,200}}'(?!\w)|\u201c[^\u201d\n]{{1,200}}\u201d)
    |(?P<path>(?:~|\.{{1,2}})?/(?:[\w.@+\-]+/?)+|(?<![\w@+\-])[\w@+\-]+(?:/[\w.@+\-]+)+/?|(?<![\w\-])[\w\-]+\.[a-z][a-z0-9]{{1,5}}\b)
    |(?P<number>(?<![\w.\-])(?:{_NUMBER})(?![\w\-]|\.\d))
    |(?P<word>\w(?:[\w.+\-]*\w)?)""",
    re.VERBOSE,
)
"""Linear in the text."""
_SEQUENCE = re.compile(r"[(\[][\d\s,.]{3,200}[)\]]")
"""`(50,49,512)`: its commas part numbers, and not thousands."""
_ORDINARY = frozenset(
    "GPU GPUS CPU CPUS TPU CUDA API URL README PYTHON BASH LINUX MODEL MODELS NETWORK NETWORKS GRAPH GRAPHS DATA DATASET DATASETS "
    "IMAGE IMAGES TEXT AUDIO VIDEO TASK TASKS TRAINING TRAIN TEST TESTS SCRIPT CODE FILE FILES LAYER LAYERS BATCH SIZE RATE LEARNING "
    "EPOCH EPOCHS".split()
)
"""Words that name kinds of things, however they are written."""
_NAMED = re.compile(r".*\d|.*_|.*[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Z]{3,}")
_CAPITAL = re.compile(r"[A-Z]\w*")


@dataclass(frozen=True, slots=True)
class Asked:
    """One value, as the task has it."""

    kind: Kind
    value: str
    """Without quotes and thousands separators."""
    plain: bool = False
    """A capitalised word that nothing but its first letter marks as a name."""


def read_asked(instruction: str) -> tuple[Asked, ...]:
    """The values in the order of the task, each once."""
    found: dict[Asked, None] = {}
    instruction = _SEQUENCE.sub(lambda match: match.group().replace(",", ", "), instruction)
    for match in _TOKEN.finditer(instruction):
        text = match.group()
        asked = _asked(match.lastgroup or "word", text, match.start() == 0 or instruction[: match.start()].rstrip()[-1:] in ".!?:")
        if asked is not None:
            found.setdefault(asked)
        if len(found) >= MAX_ASKED:
            break
    return tuple(found)


def _asked(group: str, text: str, first: bool) -> Asked | None:
    if group == "number":
        return Asked("number", text.replace(",", "").lstrip("+"))
    if group == "text":
        value = text[1:-1].strip().rstrip(".,")
        if number := re.fullmatch(_NUMBER, value):
            return Asked("number", number.group().replace(",", ""))
        return Asked("text", value) if value else None
    if group == "path":
        return Asked("path", text.rstrip("."))
    if text.upper() in _ORDINARY:
        return None
    if _NAMED.match(text):
        return Asked("name", text)
    return Asked("name", text, plain=True) if _CAPITAL.fullmatch(text) and len(text) > 2 and not first else None


def numbers_in(text: str) -> frozenset[float]:
    """All numbers in a text, those inside words too."""
    found = {float(n) for n in re.findall(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text.replace("_", " "))[:10_000]}
    return frozenset(found | {float(n) for n in re.findall(r"\d+", text)[:10_000] if len(n) < 300})
