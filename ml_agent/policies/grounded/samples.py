"""Made-up inputs of a snippet, `torch.randn(8, 3, 128, 128)`: they follow what else is changed in it, and the size of the batch."""

from collections.abc import Sequence

from ml_agent.policies.grounded.literals import SAMPLERS, Literal
from ml_agent.policies.grounded.request import Mention, Request

NEAR = 7
"""Words for each side of a shape that is described."""
CHANNELS = ("1", "3")
"""Numbers of channels of a picture."""
TELLING = 8
"""The least number that means the same wherever it stands in one snippet; smaller ones agree by chance."""


def follow(
    literals: Sequence[Literal], changes: Sequence[tuple[Literal, str]], left: Sequence[Mention], request: Request
) -> tuple[list[tuple[Literal, str]], tuple[Mention, ...]]:
    """New shapes for the samples among the literals, and the mentions that say them: the size of the batch, or each side.

    A dimension follows a number that was replaced everywhere else (`image_size = 128`); the first one is the size of the batch.
    """
    taken = {literal.start for literal, _ in changes}
    samples = [x for x in literals if x.kind == "shape" and x.start not in taken and x.names and x.names[0] in SAMPLERS]
    if not samples:
        return [], ()
    new = _replaced(literals, changes)
    batch = next((m for m in left if m.kind == "number" and m.value.isdigit() and _is_batch(m, request)), None)
    first = samples[0].text.split(",")[0]
    found = []
    said = [batch] if batch is not None else []
    for literal in samples:
        dims = literal.text.split(",")
        made = [new.get(d, d) for d in dims]
        if batch is not None and dims[0] == first:
            made[0] = batch.value
        if (picture := _picture(made, left)) is not None:
            made, size = picture
            said += [size] if size not in said else []
        elif described := _described(made, request):
            made, sides = described
            said += [m for m in sides if m not in said]
        if made != dims:
            found.append((literal, literal.render(",".join(made))))
    return found, tuple(said)


def _picture(dims: Sequence[str], left: Sequence[Mention]) -> tuple[list[str], Mention] | None:
    """The shape of pictures with the height and width that the request says: `300x300` for `4, 3, 240, 240`, channels first or last."""
    size = next((m for m in left if m.kind == "shape" and len(m.parts) == 2 and all(p.isdigit() for p in m.parts)), None)
    if size is None or len(dims) < 3:
        return None
    if dims[-3] in CHANNELS:
        return [*dims[:-2], *size.parts], size
    return ([*dims[:-3], *size.parts, dims[-1]], size) if dims[-1] in CHANNELS else None


def _described(dims: Sequence[str], request: Request) -> tuple[list[str], list[Mention]] | None:
    """The shape with the numbers that say it, where all its sides but one are said near each other, and one other number: the last side.

    `2, 80, 234`, for `80 channels and 512 frames, 2 at once`: 234 is to be 512.
    """
    numbers = [m for m in request.mentions if m.kind == "number" and m.value.isdigit()]
    for start in range(len(numbers) - len(dims) + 1):
        near = numbers[start : start + len(dims)]
        said = [m.value for m in near]
        other = [d for d in dims if d not in said]
        new = [v for v in said if v not in dims]
        close = near[-1].position - near[0].position <= NEAR * len(dims)
        if close and len(other) == len(new) == 1 and len(dims) > 2 and len(set(dims)) == len(dims) == len(set(said)):
            return [new[0] if d == other[0] else d for d in dims], near
    return None


def _replaced(literals: Sequence[Literal], changes: Sequence[tuple[Literal, str]]) -> dict[str, str]:
    """Numbers that were replaced wherever they stand alone, always by the same one."""
    given = {literal.start: text for literal, text in changes if literal.kind == "number"}
    found: dict[str, set[str | None]] = {}
    for literal in literals:
        if literal.kind == "number" and literal.text.isdigit() and int(literal.text) >= TELLING:
            found.setdefault(literal.text, set()).add(given.get(literal.start))
    return {old: text for old, texts in found.items() if len(texts) == 1 for text in texts if text is not None and text.isdigit()}


def _is_batch(mention: Mention, request: Request) -> bool:
    """`a random batch of 10`, `10 random images`, `batches of 10 images`."""
    before = [t.text.lower() for t in request.tokens[max(0, mention.position - 2) : mention.position]]
    behind = [t.text.lower() for t in request.tokens[mention.position + 1 : mention.position + 2]]
    return before in (["batch", "of"], ["batches", "of"]) or behind == ["random"]
