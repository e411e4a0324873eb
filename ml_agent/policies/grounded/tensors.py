"""The input that a request describes for a model: how many of what, of which shape."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.request import Request
from ml_agent.repo.callables import Callee

_KNOWN = {"cifar": (3, 32, 32), "mnist": (1, 28, 28), "imagenet": (3, 224, 224)}
"""Channels, height and width of images that people name instead of a size: `CIFAR-sized`."""
_COUNTED = r"(?:images?|pictures?|photos?|samples?|slices?|inputs?|frames?|crops?|examples?|tensors?|patches|scans?|maps?)"
_IMAGES = r"\b(?:images?|pictures?|photos?|slices?|frames?|crops?|scans?|x-rays?|patches|pixels?)\b"
_TIMES = re.compile(r"(?<![\w.])(\d+(?:\s*[x\u00d7]\s*\d+){1,4})(?![\w.]*\d)", re.IGNORECASE)
_HIGH_AND_WIDE = re.compile(
    r"\bheight (?:of )?(\d+)(?: pixels)?,? and (?:a )?width (?:of )?(\d+)\b"
    r"|\b(\d+)(?: pixels)? (?:high|tall)(?:,| and) (\d+)(?: pixels)? wide\b",
    re.IGNORECASE,
)
"""`height 320 and width 480`, `800 pixels high and 1024 wide`."""
_CHANNELS = frozenset(
    "channels in_channels in_chans n_channels num_channels in_ch input_channels channel nc in_chs image_channels inp_channels".split()
)


@dataclass(frozen=True, slots=True)
class Input:
    """The shape of one tensor, and the tokens that say it."""

    shape: tuple[int, ...]
    positions: frozenset[int]
    words: str
    channels: bool
    """The number of channels is not said: it is the model's, which stands at place 1."""


def read_input(request: Request) -> Input | None:
    """The tensor that the request speaks of; None if it gives no size."""
    text = request.text
    found = _dimensions(request)
    if found is None:
        return None
    dims, start, end = found
    positions = frozenset(request.between(start, end))
    batch = _batch(request, start, end)
    if batch is not None and len(dims) < 4:
        count, at = batch
        if len(dims) == 2:
            return Input((count, 3, *dims), positions | {at}, text[start:end], True)
        return Input((count, *dims), positions | {at}, text[start:end], False)
    pictures = re.search(_IMAGES, text, re.IGNORECASE)
    if len(dims) == 2 and pictures:
        return Input((1, 3, *dims), positions, text[start:end], True)
    if len(dims) == 3 and dims[0] in (1, 3) and dims[1] > 4 and pictures:
        return Input((1, *dims), positions, text[start:end], False)
    return Input(dims, positions, text[start:end], False)


def _dimensions(request: Request) -> tuple[tuple[int, ...], int, int] | None:
    """The sizes, and where in the text they stand."""
    for mention in request.mentions:
        if mention.kind == "shape" and re.fullmatch(r"[\[(]\d+(,\d+)+,?[\])]", mention.value):
            token = request.tokens[mention.position]
            if min(int(n) for n in re.findall(r"\d+", mention.value)) < 1 or mention.value.count(",") > 5:
                continue  # a range
            return tuple(int(n) for n in re.findall(r"\d+", mention.value)), token.start, token.end
    if match := _HIGH_AND_WIDE.search(request.text):
        return tuple(int(n) for n in match.groups() if n), match.start(), match.end()
    match = _TIMES.search(request.text)
    if match:
        return tuple(int(n) for n in re.findall(r"\d+", match.group(1))), match.start(), match.end()
    for name, dims in _KNOWN.items():
        match = re.search(rf"\b{name}(?:-?\d+)?[- ](?:sized?|shaped?)\b", request.text, re.IGNORECASE)
        if match:
            return dims, match.start(), match.end()
    return None


def _batch(request: Request, start: int, end: int) -> tuple[int, int] | None:
    """How many, and the token that says it: `a batch of 4`, `batch size 4`, `sixteen random pictures`."""
    sizes = request.between(start, end)
    numbers = {m.position: m for m in request.mentions if m.kind == "number" and m.value.isdigit() and m.position not in sizes}
    for position, mention in numbers.items():
        before = " ".join(t.text.lower() for t in request.tokens[max(0, position - 3) : position])
        if re.search(r"\bbatch(?:es)?(?: size)?(?: of)?$", before):
            return int(mention.value), position
    for position, mention in numbers.items():
        behind = " ".join(t.text.lower() for t in request.tokens[position + 1 : position + 5])
        if re.match(rf"(?:[\w-]+ ){{0,3}}{_COUNTED}\b(?! (?:features?|channels?|dimensions?|dims?|units?|size|nodes?)\b)", behind):
            return int(mention.value), position
    return None


def fitted(found: Input, callee: Callee, arguments: Mapping[str, str]) -> tuple[int, ...]:
    """The shape, with the model's own number of channels where the request says none."""
    if not found.channels:
        return found.shape
    taken = next((t for t in callee.takes if t.name in _CHANNELS), None)
    text = arguments.get(taken.name, taken.default or "") if taken else ""
    return (found.shape[0], int(text) if text.isdigit() else found.shape[1], *found.shape[2:])


def sample_for(missing: Sequence[str], code: str, request: Request) -> tuple[str, frozenset[int]]:
    """Lines that make the one input that a PyTorch program misses, of the shape that the request says, and where that is said.

    Without a number of channels it is the one that the code gives its model. Empty if there is nothing to make.
    """
    found = read_input(request)
    if found is None or len(missing) != 1 or not re.search(rf"\(\s*{re.escape(missing[0])}\s*[,)]", code) or "tensorflow" in code:
        return "", frozenset()
    shape = found.shape
    if found.channels and (given := re.search(rf"\b(?:{'|'.join(sorted(_CHANNELS))})\s*=\s*(\d+)", code)):
        shape = (shape[0], int(given.group(1)), *shape[2:])
    said = re.search(r"\b(ones|zeros)\b", request.text.lower())
    return f"import torch\n{missing[0]} = torch.{said.group() if said else 'randn'}({', '.join(map(str, shape))})\n", found.positions
