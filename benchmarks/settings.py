"""The settings of the paper: which text of the repository a policy is given beside the instruction.

    oracle   the annotated part of the README
    bm25     the one window of ten sentences of the READMEs that is most like the instruction
    readme   the READMEs, then all other text files, cut at a length
    none     nothing
    agent    nothing: the policy has tools and finds it itself

None of them tells anything else of a row.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ml_agent import config
from ml_agent.benchmarks.base import Sample
from ml_agent.errors import UsageError
from ml_agent.repo.files import FileTable
from ml_agent.repo.index import RepoIndex
from ml_agent.task import CONTEXT

WINDOW = 10
"""Sentences."""
SENTENCES = 1_000
"""Of the READMEs, in order; more are not looked at."""
_K1, _B = 1.5, 0.75
_README = re.compile(r"readme(?:\.\w+)?", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])\s+|\n+")
_FILE_CHARACTERS = 100_000

Context = Callable[[Sample, RepoIndex, int], str]


def instruction_for(setting: str, sample: Sample, index: RepoIndex) -> str:
    """What a policy is told: the instruction, and below it the context of the setting, cut to what an instruction may hold.

    Raises UsageError if there is no such setting.
    """
    if setting not in SETTINGS:
        raise UsageError(f"there is no setting {setting!r}: choose one of {', '.join(SETTINGS)}")
    room = max(0, config.INSTRUCTION_CHARACTERS - len(sample.instruction) - len(CONTEXT))
    context = SETTINGS[setting](sample, index, room)[:room].strip()
    return f"{sample.instruction}{CONTEXT}{context}" if context else sample.instruction


def readmes(files: FileTable) -> list[str]:
    """Paths, those with the fewest folders first."""
    found = [file.path for file in files.files if _README.fullmatch(file.path.rpartition("/")[2])]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _read(files: FileTable, path: str) -> str:
    try:
        text = files.read(path, _FILE_CHARACTERS)
    except OSError:
        return ""
    return "" if text.binary else text.text


def _whole(_sample: Sample, index: RepoIndex, room: int) -> str:
    first = readmes(index.files)
    known, parts = set(first), list[str]()
    for path in (*first, *(file.path for file in index.files.files if file.path not in known)):
        if room <= 0:
            break
        if text := _read(index.files, path).strip():
            parts.append(f"# {path}\n\n{text}")
            room -= len(parts[-1]) + 2
    return "\n\n".join(parts)


def _retrieved(sample: Sample, index: RepoIndex, _room: int) -> str:
    found: list[str] = []
    for path in readmes(index.files):
        found += sentences(_read(index.files, path))
        if len(found) >= SENTENCES:
            break
    windows = [found[start : start + WINDOW] for start in range(0, min(len(found), SENTENCES), WINDOW)]
    best = best_window(sample.instruction, [" ".join(window) for window in windows])
    return "" if best is None else "\n".join(windows[best])


def sentences(text: str) -> list[str]:
    """In order; a line's end ends one too, so that a command line is a sentence of its own."""
    return [sentence.strip() for sentence in _END.split(text) if sentence.strip()]


def best_window(query: str, windows: Sequence[str]) -> int | None:
    """The one with the highest BM25 (k1 1.5, b 0.75) over whitespace tokens in lower case, the first of equals; None if there are none."""
    documents = [Counter(window.lower().split()) for window in windows]
    if not documents:
        return None
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / len(lengths) or 1.0
    appears = Counter(token for document in documents for token in document)
    tokens = query.lower().split()

    def score(place: int) -> float:
        total = 0.0
        for token in tokens:
            if count := documents[place][token]:
                rarity = math.log(1 + (len(documents) - appears[token] + 0.5) / (appears[token] + 0.5))
                total += rarity * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * lengths[place] / mean))
        return total

    return max(range(len(documents)), key=lambda place: (score(place), -place))


def _nothing(_sample: Sample, _index: RepoIndex, _room: int) -> str:
    return ""


SETTINGS: Mapping[str, Context] = {
    "agent": _nothing,
    "oracle": lambda sample, _index, _room: sample.oracle,
    "bm25": _retrieved,
    "readme": _whole,
    "none": _nothing,
}
