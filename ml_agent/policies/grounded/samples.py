"""Made-up inputs of a snippet, `torch.randn(8, 3, 128, 128)`: they follow what else is changed in it, and the size of the batch."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.request import Mention, Request

NEAR = 7
"""Words for each side of a shape that is described."""
CHANNELS = ("1", "3")
"""Numbers of channels of a picture."""
TELLING = 8
"""The least number that means the same wherever it stands in one snippet; smaller ones agree by chance."""
_COUNTED = re.compile(r"(?!pixels? |px )(?:\w+ )?(?:images|pictures|photos|samples|sequences|clouds|clips|feature maps|inputs|examples)\b")
_BATCHED = re.compile(r"\bbatch(?:es)?(?: of)?(?: size)?(?: of)?$")
_TOKENS = re.compile(r"(?:\w+ )?(?:tokens|positions|time ?steps|steps of|patches|ids|characters|residues)\b")
_FEATURES = re.compile(r"(?:\w+ )?(?:features|channels|variates|variables|dimensions|classes|items)\b")
_OF_SIZE = re.compile(r"\brandom (?:\w+ ){0,3}(?:vectors?|embeddings?) of (?:size|dimension|width|length)$")
_CHANNELS = re.compile(r"(?:\w+ )?channels\b")
"""What follows the number that says a side: behind the size of the batch come tokens, then features; or channels, then height and width."""
_OF_PICTURES = 4
"""Sides of a batch of pictures or of maps of features; of a batch of sequences there are three."""


def follow(
    literals: Sequence[Literal], changes: Sequence[tuple[Literal, str]], left: Sequence[Mention], request: Request
) -> tuple[list[tuple[Literal, str]], tuple[Mention, ...]]:
    """New shapes for the samples among the literals, and the mentions that say them: the size of the batch, or each side.

    A dimension follows a number that was replaced everywhere else (`image_size = 128`); the first one is the size of the batch.
    """
    taken = {literal.start for literal, _ in changes}
    samples = [x for x in literals if x.is_sample and x.start not in taken]
    if not samples:
        return _features_follow(literals, changes), ()
    new = _replaced(literals, changes)
    batch = next((m for m in left if m.kind == "number" and m.value.isdigit() and is_batch(m, request)), None)
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
        for place, mention in _sides(dims, made, left, request):
            made[place] = mention.value
            said += [mention] if mention not in said else []
        if made != dims:
            found.append((literal, literal.render(",".join(made))))
    return found + _features_follow(literals, [*changes, *found]), tuple(said)


def _features_follow(literals: Sequence[Literal], changes: Sequence[tuple[Literal, str]]) -> list[tuple[Literal, str]]:
    """Numbers that are the features of a sample, which have others now: `dim=512`, for `randn(2, 49, 512)` that is `(2, 49, 768)`."""
    new: dict[str, str] = {}
    for literal, text in changes:
        old, now = literal.text.split(","), re.findall(r"\d+", text)
        if literal.is_sample and len(old) == len(now) > 2:
            place = 1 if len(old) == _OF_PICTURES else -1
            if old[place].isdigit() and int(old[place]) >= TELLING and old[place] != now[place] and old.count(old[place]) == 1:
                new[old[place]] = now[place]
    taken = {literal.start for literal, _ in changes}
    return [(x, new[x.text]) for x in literals if x.kind == "number" and x.names and not x.bare and x.text in new and x.start not in taken]


def _sides(dims: Sequence[str], made: Sequence[str], left: Sequence[Mention], request: Request) -> list[tuple[int, Mention]]:
    """Sides that are said by what they count and not yet put in: `49 tokens`, `with 512 features`, `256 channels`."""
    if len(dims) not in (2, 3, _OF_PICTURES):
        return []
    roles = {2: [(1, _TOKENS), (1, _FEATURES)], 3: [(1, _TOKENS), (2, _FEATURES)], _OF_PICTURES: [(1, _CHANNELS)]}[len(dims)]
    numbers = [m for m in left if m.kind == "number" and m.value.isdigit()]
    found = [(place, [m for m in numbers if counts.match(_behind(m, request))]) for place, counts in roles]
    found += [(len(dims) - 1, [m for m in numbers if is_width(m, request)])] if len(dims) < _OF_PICTURES else []
    return [(place, of[0]) for place, of in found if len(of) == 1 and made[place] == dims[place] and dims[place] not in CHANNELS]


def _picture(dims: Sequence[str], left: Sequence[Mention]) -> tuple[list[str], Mention] | None:
    """The shape of pictures with the height and width that the request says: `300x300` for `4, 3, 240, 240`, channels first or last."""
    size = next((m for m in left if m.kind == "shape" and len(m.parts) == 2 and all(p.isdigit() for p in m.parts)), None)
    if size is None or len(dims) < 3:
        return None
    if dims[-3] in CHANNELS or (len(dims) == _OF_PICTURES and dims[-1] == dims[-2]):
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


def is_batch(mention: Mention, request: Request) -> bool:
    """`a random batch of 10`, `batch size 10`, `10 random images`, `32 samples`."""
    if mention.kind != "number":
        return False
    behind = _behind(mention, request)
    return bool(_BATCHED.search(_in_front(mention, request))) or behind.startswith("random ") or bool(_COUNTED.match(behind))


def is_width(mention: Mention, request: Request) -> bool:
    """`random embeddings of size 384`: what the last side of a sample is."""
    return mention.kind == "number" and _OF_SIZE.search(_in_front(mention, request, 8)) is not None


def _in_front(mention: Mention, request: Request, words: int = 4) -> str:
    """The few words before it, in small letters."""
    return " ".join(t.text.lower() for t in request.tokens[max(0, mention.position - words) : mention.position])


def _behind(mention: Mention, request: Request) -> str:
    """The few words that follow it, in small letters."""
    return " ".join(t.text.lower() for t in request.tokens[mention.position + 1 : mention.position + 4])
