"""Parts of a documented command that the request says otherwise: a folder in its paths, one file where there are several of the kind."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType

from ml_agent.policies.grounded.arguments import Item, parse_arguments
from ml_agent.policies.grounded.folders import value_in
from ml_agent.policies.grounded.kinds import FOLDERS_ALIKE, extension, folder_likeness
from ml_agent.policies.grounded.knowledge import is_distinctive, pieces_of
from ml_agent.policies.grounded.option_names import phrases_for
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.titles import headings_at
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.task import Evidence

_SHAPE = re.compile(r"\d")
_NUMBERED = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{4,})(\d{2,})(?![A-Za-z0-9])")
_LIST = re.compile(r"\d+(?:,\d+)+")
_WORDS = 2
"""Of what is abbreviated to a letter and a number."""
_SHORT_PIECE = 3
"""Letters of a piece that two words may make by chance."""
_UNSAID = 0.3
"""What a piece of a name that is not said takes off, beside one that is."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A part of documented values, a path's beginning, a file or a placeholder, and the value of the request that takes its place."""

    old: str
    mention: Mention


def find_swaps(command: Command, request: Request) -> list[Swap]:
    """Values of the request that look like a folder in the command's paths: `$DIR/base_v1/vocab.txt` and `large_v2`."""
    from rapidfuzz import fuzz

    swaps: list[Swap] = []
    bare = [w for before, w in pairwise(("", *command.arguments)) if not before.startswith("-")]  # an option tells what its value is
    given = {value_in(word) for word in command.arguments}
    for mention in request.mentions:
        if mention.kind not in ("path", "identifier", "quoted") or " " in mention.value or mention.value in given:
            continue
        last = mention.value.rstrip("/").rsplit("/", 1)[-1]
        best, found = float(FOLDERS_ALIKE), ""
        if "/" in mention.value:  # a whole value that is like it is rather meant than a part of another
            best = max([best, *(fuzz.ratio(value_in(word).rstrip("/"), mention.value.rstrip("/")) for word in command.arguments)])
        if not last.isdigit():
            found = next((w for w in bare if _SHAPE.sub("0", w) == _SHAPE.sub("0", mention.value)), "")
        if not found and (found := _numbered_alike(mention, command)) and found.islower():
            mention = replace(mention, value=mention.value.lower())
        for word in command.arguments if not found else ():
            value = word.partition("=")[2] if word.startswith("-") else word
            parts = value.split("/")
            for k in range(1, len(parts) - 1):
                if squeeze(parts[k]) == squeeze(last) and mention.kind == "identifier":
                    continue  # it is that folder, as people call it
                if (alike := folder_likeness(parts[k], last)) >= best:
                    prefix = "/".join(parts[: k + 1])
                    best, found = alike, prefix if "/" in mention.value or "$" in prefix else parts[k]
        if found and found != mention.value and found not in {s.old for s in swaps}:
            swaps.append(Swap(found, mention))
    return swaps


def _numbered_alike(mention: Mention, command: Command) -> str:
    """What differs from a name in its number alone, in the name of a file: `owls2014` of `owls2014.tok.en`, where owls2015 is said."""
    named = _NUMBERED.fullmatch(mention.value)
    values = [value_in(word).rpartition("/")[2] for word in command.arguments]
    pieces = (p for value in values for p in _NUMBERED.finditer(value) if named and p[0] != value)
    return next((p[0] for p in pieces if named and p[1].lower() == named[1].lower() and p[2] != named[2]), "")


def file_swaps(command: Command, beside: Mapping[str, Sequence[str]], request: Request) -> list[Swap]:
    """Another file of the folder in the place of a documented one, where the request says all that tells the two apart.

    `the v2 model`, where `configs/v1.yaml` is documented and `configs/v2.yaml` stands beside it.
    """
    known = {piece for files in beside.values() for file in files for piece in _pieces(file)}
    said_at = {p: at for p in known if (at := _said_at(p, request)) is not None}
    given = {value_in(word) for word in command.arguments}
    titles = headings_at(command.headings, request)
    files = {at for at, t in enumerate(request.tokens) if t.kind == "path" and t.text not in given}  # another file's name speaks for that
    speaks = set(range(len(request.tokens))) - titles - files
    places = {piece: at for piece, at in said_at.items() if at in speaks}
    own_files = Counter(extension(m.value) for m in request.mentions if m.kind == "path" and m.value not in given and _is_own(m, beside))
    wanted = Counter(map(extension, given))
    swaps: list[Swap] = []
    for word in command.arguments:
        value = value_in(word)
        if value not in beside or any(s.old == value for s in swaps):
            continue
        if extension(value) and own_files[extension(value)] == wanted[extension(value)] == 1:
            continue  # the request gives a file of its own
        own = squeeze(_stem_of(value))
        if own in request.grams and any(c.isdigit() for c in own):
            continue
        others = [o for o in beside[value] if o not in given or o == value]  # what it gives to another option stays there
        its = pieces_of(_stem_of(value))
        whole = its if value in others and all(p in places for p in its) else frozenset[str]()
        stems = {o: _stem_of(o) for o in others}
        fuller = {o for o, its in stems.items() if squeeze(its) != own and not pieces_of(its) < whole}  # `owl` is said of `owl_cpu`
        said_whole = {o: span for o in others if o in fuller and (span := request.grams.get(squeeze(stems[o]))) and span[1] not in titles}
        if said_whole:
            folders = Counter(o.rpartition("/")[0] for o in others)
            longest = max(said_whole, key=partial(_likely, folder=value.rpartition("/")[0], folders=folders, places=places))
            longest, (first, last) = _fuller(longest, others, places), said_whole[longest]
            swaps.append(Swap(value, Mention(longest, "path", last, request.span(first, last))))
            continue
        if value not in others:
            if put := _put_in(others, request):
                swaps.append(Swap(value, put))
            continue
        documented, pieces = _pieces(value), {other: _pieces(other) for other in others}
        shared = {p for p in documented if 2 * sum(p in of for of in pieces.values()) > len(pieces)}  # most of them have it
        mine = {piece for piece in documented - shared if piece in places}
        told = {other: of - documented for other, of in pieces.items() if mine <= of}  # what the request says of this one, it has too
        said = {other: of for other, of in told.items() if of and all(piece in places for piece in of)}
        most = max(map(len, said.values()), default=0)
        best = [other for other, of in said.items() if len(of) == most]
        rivals = [other for other in beside if extension(other) == extension(value) and other not in best]
        if len(best) == 1 and all(_told(best[0], places) > _told(other, places) for other in rivals):
            at = max(places[piece] for piece in said[best[0]])
            swaps.append(Swap(value, Mention(best[0], "path", at, request.span(at, at))))
    return [*swaps, *_parallel_swaps(command, beside, swaps, request)]


def _is_own(mention: Mention, beside: Mapping[str, Sequence[str]]) -> bool:
    """A file in a folder that is none of those beside the documented ones."""
    name = mention.value if "/" in mention.value else f"/{mention.value}"
    return not any(mention.value == file or file.endswith(name) for files in beside.values() for file in files)


def _likely(file: str, folder: str, folders: Mapping[str, int], places: Mapping[str, int]) -> tuple[int, int, bool, int, str]:
    """What speaks for one of several files that the request names: its name's length, what is said of its folders, that it is in the
    documented one, how many are beside it."""
    home = file.rpartition("/")[0]
    return len(_stem_of(file)), _told(file, places), home == folder, folders[home], file


def _parallel_swaps(command: Command, beside: Mapping[str, Sequence[str]], swapped: Sequence[Swap], request: Request) -> Iterator[Swap]:
    """Another file of settings where a file of another kind is said that differs in what both are called: with `bird_owl.pth`, `BirdOwl.py`
    for `BirdLark.py`, where `bird_lark.pth` is documented.
    """
    values = list(dict.fromkeys(v for v in map(value_in, command.arguments) if extension(v)))
    for value in (v for v in values if v in beside and not any(s.old == v for s in swapped)):
        found: dict[str, Mention] = {}
        for other in (v for v in values if extension(v) != extension(value)):
            for mention in (m for m in request.mentions if extension(m.value) == extension(other) and m.value != other):
                its = _pieces(mention.value)
                lost = (_pieces(value) & _pieces(other)) - its
                files = (f for f in beside[value] if not lost & _pieces(f)) if lost else ()
                found.update((f, mention) for f in files if (_pieces(f) - _pieces(value)) & its)
        home = [f for f in found if f.rpartition("/")[0] == value.rpartition("/")[0]]
        same = {f: found[f] for f in home if squeeze(_stem_of(f)) == squeeze(_stem_of(found[f].value))}
        if len(only := same or found) == 1:
            ((file, mention),) = only.items()
            yield Swap(value, Mention(file, "path", mention.position, mention.words))


def _fuller(file: str, others: Iterable[str], places: Mapping[str, int]) -> str:
    """The only file of which the request says all, that and more than of the one: `owl_large` is more than `owl`."""
    own = pieces_of(_stem_of(file))
    more = {other: its for other in others if own < (its := pieces_of(_stem_of(other))) and all(p in places for p in its)}
    most = max(map(len, more.values()), default=0)
    best = [other for other, its in more.items() if len(its) == most]
    return best[0] if len(best) == 1 else file


def shown_files(swaps: Sequence[Swap], command: Command, others: Sequence[Command]) -> int:
    """How many of the files that are put in stand in another of the commands."""
    shown = {value_in(word) for other in others if other is not command for word in other.arguments} if swaps else ()
    return sum(swap.mention.value in shown for swap in swaps)


def told_by(files: Iterable[str], request: Request) -> frozenset[int]:
    """The positions of what is said of files in their names: their settings are in them."""
    files = list(files)
    told = (piece for file in files for piece in _pieces(file))
    spans = (request.grams.get(p) or (request.places.get(p, 0), request.places.get(p, -1)) for p in told)
    found = {at for first, last in spans for at in range(first, last + 1)}
    chunks = {chunk.lower() for file in files for chunk in re.findall("[A-Za-z0-9]+", _stem_of(file))}
    own = [at for at, t in enumerate(request.tokens) if t.text.lower() in chunks]
    for at in (*own, *reversed(own)):  # `R 50` beside `owl net`, of owl_net_R_50
        if not found.isdisjoint((at - 1, at + 1)):
            found.add(at)
    return frozenset(found)


def settled_by(swaps: Sequence[Swap], program: EntryPoint, command: Command, request: Request) -> frozenset[tuple[str, int]]:
    """Options of which a swap settles the whole value, each with every position that is no file's of that kind."""
    old = {swap.old: extension(swap.mention.value) for swap in swaps}
    items = parse_arguments(program, command.arguments, command.source) if old else []
    whole = {i.option.name: old[i.values[0]] for i in items if i.option and len(i.values) == 1 and i.values[0] in old}
    return barred(whole, request)


def barred(endings: Mapping[str, str], request: Request) -> frozenset[tuple[str, int]]:
    """Options, each with every position of the request but those of files with the ending that it is given."""
    files = {m.position: extension(m.value) for m in request.mentions if extension(m.value)}
    every = range(len(request.tokens))
    return frozenset((name, at) for name, ending in endings.items() for at in every if not ending or files.get(at) != ending)


def _put_in(files: Sequence[str], request: Request) -> Mention | None:
    """The file of which the request says most, of those that a placeholder may stand for: rare pieces of names count most."""
    pieces = {file: _pieces(file) for file in files}
    count = Counter(p for of in pieces.values() for p in of)
    worth = {piece: math.log(1 + len(files) / n) - math.log(2) for piece, n in count.items()}
    places = {piece: at for piece in count if (at := _place_of(piece, request)) is not None}
    told = {f: sum(worth[p] * (1.0 if p in places else -_UNSAID) for p in of) for f, of in pieces.items() if not of.isdisjoint(places)}
    best = min(told, key=lambda f: (-told[f], len(f), f), default="")
    said = [places[p] for p in pieces.get(best, ()) if p in places and worth[p] > 0]
    return Mention(best, "path", max(said), request.span(max(said), max(said))) if said and told[best] > 0 else None


def _said_at(piece: str, request: Request) -> int | None:
    """Where a piece of a name is said in so many signs, in two words with a digit (`8layer`), or as a letter and a number."""
    if piece in request.places:
        return request.places[piece]
    if piece in request.grams and len(piece) > _SHORT_PIECE:
        return request.grams[piece][1]
    return _initial(piece, request)


def _place_of(piece: str, request: Request) -> int | None:
    """Where a piece of a name is said: itself, in two words, or whole where it is short for something."""
    if piece in request.places:
        return request.places[piece]
    if piece in request.grams:
        return request.grams[piece][1]
    if (at := _initial(piece, request)) is not None:
        return at
    return next((request.places[phrase[0]] for phrase in phrases_for(piece) if len(phrase) == 1 and phrase[0] in request.places), None)


def _initial(piece: str, request: Request) -> int | None:
    """Where a letter and a number are said in full: `r50` of ResNet-50."""
    short = re.fullmatch(r"([a-z])(\d{2,3})", piece)
    if short is None:
        return None
    said = re.compile(rf"{short[1]}[a-z]{{2,}}{short[2]}")
    spans = (span for gram, span in request.grams.items() if said.fullmatch(gram))
    return next((last for first, last in spans if last - first < _WORDS), None)


def follow(items: Sequence[Item], changes: Sequence[tuple[str, str]], beside: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
    """What a documented command says in several places changes in all of them: with `--task owl --data nests/owl`, another task has
    another folder. A file of the repository stays, where there is none of the other name (`beside`).
    """
    for old, new in changes:
        if old == new or "/" in old + new or not is_distinctive(old) or not re.fullmatch(r"\d{2,}|(?=.*[A-Za-z]).{3,}", old):
            continue
        piece = re.compile(rf"(?<![A-Za-z0-9.]){re.escape(old)}(?![A-Za-z0-9])", re.IGNORECASE)
        for item in items:
            if not item.evidence.words and any(re.search("[/_-]", v) and piece.search(v) for v in item.values):
                changed = [piece.sub(partial(_cased, new), v) for v in item.values]
                item.values = [c if v not in beside or c in beside[v] else v for v, c in zip(item.values, changed, strict=True)]
                item.evidence = Evidence(" ".join(item.words()), None, item.evidence.source)


def environment_follows(prefix: Sequence[str], changes: Sequence[tuple[str, str]]) -> list[str]:
    """The words that start a program, with the lists of numbers changed that a variable repeats: `CUDA_VISIBLE_DEVICES=0,1`."""
    lists = {old: new for old, new in changes if _LIST.fullmatch(old)}
    parted = [word.partition("=") for word in prefix]
    return [
        f"{name}={lists[value]}" if equals and value in lists else word for word, (name, equals, value) in zip(prefix, parted, strict=True)
    ]


def _cased(new: str, old: re.Match[str]) -> str:
    """In capitals or small letters as what it takes the place of, if that has only those."""
    if old.group().isupper() and new.islower():
        return new.upper()
    return new.lower() if old.group().islower() and new.isupper() else new


@lru_cache(maxsize=1 << 16)
def _pieces(file: str) -> frozenset[str]:
    """What its name is made of, and the names of the folders that it is in."""
    return frozenset[str]().union(*map(pieces_of, (*file.split("/")[:-1], _stem_of(file))))


def _told(file: str, places: Mapping[str, int]) -> int:
    """How much of it the request says. Of a documented file that it says as much of, no other takes the place."""
    return sum(piece in places for piece in _pieces(file))


def _stem_of(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(extension(file))
