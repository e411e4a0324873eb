"""What of the request may be a value: its mentions, and the words that some option is known to take, however they are said."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ml_agent.policies.grounded.enumerated import as_list
from ml_agent.policies.grounded.fitting import Candidate, Places
from ml_agent.policies.grounded.hyphened import written_alike
from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.knowledge import default_strings, is_distinctive, spoken_of
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.passed_over import is_passed_over
from ml_agent.policies.grounded.request import Mention, Request, chunks_of
from ml_agent.policies.grounded.shortened import in_full
from ml_agent.policies.grounded.vocabulary import DATA_WORDS, MODEL_WORDS, PARTS
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import split_identifier, squeeze, stem

_LITTLE_WORDS = frozenset("am an as at be by do go he hi in is it me my of or so to up we".split())
"""Codes of languages and countries that are everyday words: seldom meant, where they stand in a sentence."""
_DEPTH = 2
"""Levels of a folder that is one program's."""
_VARIABLE = re.compile(r"\$\{?\w+\}?/")
_SETTINGS = frozenset({".json", ".yaml", ".yml", ".toml", ".cfg", ".ini"})
_SHORTEST = 4
"""Letters of a name that another begins with."""
_NEAR = 8
"""Words around a name in which more of it may be said."""
_CAMEL = re.compile(r"[a-z][A-Z]")
_KIND_OF_MODEL = frozenset({"net", "network", "model"})
"""Ends of models' names that options leave out: `AlexNet` is `alex`."""


def find_candidates(values: Mapping[str, Mapping[str, str]], request: Request) -> list[Candidate]:
    """The request's mentions, and its words that some option is known to take. `values`: option name -> squeezed -> as spelled."""
    known: dict[tuple[int, int], dict[str, str]] = {}
    for name, spellings in values.items():
        for squeezed, spelled in spellings.items():
            listed = as_list(spelled, request)
            span, spelled = listed or (
                request.grams.get(squeezed) or _in_stems(spelled, request) or _of_name(spelled, name, request),
                spelled,
            )
            if not span or (len(squeezed) < 2 and not _is_named_before(request, span[0], name)) or request.span(*span) in _LITTLE_WORDS:
                continue
            if is_passed_over(request.tokens, span[0]) or _is_denied(request, span[0]) or _is_own_place(request, span, spelled):
                continue
            if _is_of_its_name(request, span, name):
                continue
            if squeezed.startswith(squeeze(known.setdefault(span, {}).get(name, ""))):  # `Eval+` is no `Eval`
                known[span][name] = spelled
    for span, names in in_full(values, request).items():
        for name, spelled in names.items():
            known.setdefault(span, {}).setdefault(name, spelled)
    _widen(known, values, request)
    for at, names in _alike(values, request).items():
        if (at, at) not in known and not any(m.position == at for m in request.mentions):
            known[at, at] = names
    for (first, last), names in known.items():  # `owl mini` is no `owl`, where both are known
        inner = [span for span in known if span != (first, last) and first <= span[0] and span[1] <= last]
        apart = any(len(split_identifier(spelled)) > 1 for spelled in names.values())  # its words are of no other option, either
        for span in inner:
            for name in list(known[span]) if apart else names:
                known[span].pop(name, None)
    wholes = [span for span, names in known.items() if span[0] < span[1] and any(map(_is_whole, names.values()))]
    found = [Candidate(m, known.pop((m.position, m.position), {})) for m in request.mentions if not _is_part(m, wholes)]
    for (first, last), names in known.items():
        words = request.span(first, last)
        found.append(Candidate(Mention(words, "name", last, words), names))
    return found


def _widen(known: Mapping[tuple[int, int], dict[str, str]], values: Mapping[str, Mapping[str, str]], request: Request) -> None:
    """A name of which more is said close by is the longer one that the option takes as well: `owl-night` for `an owl of the night`."""
    starts: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}
    for name, spellings in values.items():
        for spelled in spellings.values():
            words = split_identifier(spelled)
            if len(words) > 1 and "/" not in spelled:
                starts.setdefault((name, words[0]), []).append((spelled, words))
    for (_, last), names in known.items() if starts else ():
        around = range(max(0, last - _NEAR), min(len(request.tokens), last + 1 + _NEAR))
        near = {request.tokens[at].stem for at in around if not _is_denied(request, at)}
        for name, spelled in names.items():
            own = split_identifier(spelled)
            same = starts.get((name, own[0]), ()) if own else ()
            longer = [(v, words[len(own) :]) for v, words in same if words[: len(own)] == own and words != own]
            said = [v for v, more in longer if all(len(w) > _SHORTEST and stem(w) in near for w in more)]
            if len(said) == 1:
                names[name] = said[0]


def _alike(values: Mapping[str, Mapping[str, str]], request: Request) -> dict[int, dict[str, str]]:
    """Names that the request writes as an option's known ones are written, by position: option name -> the name."""
    found: dict[int, dict[str, str]] = {}
    for name, spellings in values.items() if request.hyphened else ():
        for spelled in spellings.values():
            at = written_alike(spelled, request) if "-" in spelled else None
            if at is not None and not is_passed_over(request.tokens, at) and not _is_denied(request, at):
                found.setdefault(at, {})[name] = request.tokens[at].text
    return found


def _is_whole(name: str) -> bool:
    """A name of its own, and no everyday words."""
    return re.search(r"\d", name) is not None or (len(split_identifier(name)) > 1 and is_distinctive(name))


def _is_own_place(request: Request, span: tuple[int, int], spelled: str) -> bool:
    """A place in so many signs, `/data/owls`, is not the one that is documented, `../data/owls`."""
    text = request.span(*span)
    return text.startswith(("/", "~", "./", "../")) and text.rstrip("/") != spelled.rstrip("/")


def _is_named_before(request: Request, position: int, name: str) -> bool:
    """Whether the option's whole name stands in front: a letter alone says nothing, but `features S` does."""
    words = [stem(word) for word in name_words(name)]
    return bool(words) and _stand_at(words, position - len(words), request)


def _is_of_its_name(request: Request, span: tuple[int, int], name: str) -> bool:
    """Words that are part of the option's own name, `exp` of `the exp name`, are not what it takes."""
    words = [stem(word) for word in name_words(name)]
    first, last = span
    return last - first + 1 < len(words) and any(_stand_at(words, start, request) for start in range(last + 1 - len(words), first + 1))


def _stand_at(stems: list[str], start: int, request: Request) -> bool:
    return start >= 0 and [t.stem for t in request.tokens[start : start + len(stems)]] == stems


def _in_stems(spelled: str, request: Request) -> tuple[int, int] | None:
    """Where the words of a name are said in other forms: `the balanced training set` for balanced_train."""
    stems = [stem(word) for word in split_identifier(spelled)]
    if len(stems) < 2 or not request.stems.issuperset(stems) or "/" in spelled:
        return None
    said = [t.stem for t in request.tokens]
    return next(((at, at + len(stems) - 1) for at in range(len(said) - len(stems) + 1) if said[at : at + len(stems)] == stems), None)


def _of_name(spelled: str, name: str, request: Request) -> tuple[int, int] | None:
    """Where one word is said in another form in front of the option's own name: `the training split` for `train` of --split."""
    words = name_words(name)
    if not spelled.isalpha() or not spelled.islower() or not words or stem(words[-1]) not in request.stems:
        return None
    tokens = request.tokens
    said = (at for at in range(len(tokens) - 1) if tokens[at].stem == stem(spelled) and tokens[at + 1].stem == stem(words[-1]))
    return next(((at, at) for at in said), None)


def _is_part(mention: Mention, wholes: Collection[tuple[int, int]]) -> bool:
    """`ResNet` and `50` of `ResNet 50`, where `resnet50` is known."""
    return mention.kind in ("name", "identifier", "number") and any(first <= mention.position <= last for first, last in wholes)


def _is_denied(request: Request, position: int) -> bool:
    """`without cuda`, `no cuda`: no value, whatever takes it."""
    return position > 0 and request.tokens[position - 1].text.lower() in ("without", "no")


def spoken_candidates(
    values: Mapping[str, Mapping[str, str]], candidates: Sequence[Candidate], request: Request, settled: Collection[int]
) -> list[Candidate]:
    """Known values that the request speaks of in other words, for options of which it names none in so many words."""
    named = {name for c in candidates for name, spelled in c.known.items() if is_distinctive(spelled)}
    positions = {c.mention.position for c in candidates} | set(settled)
    found: dict[int, Candidate] = {}
    for name, spellings in values.items():
        loose = (MODEL_WORDS | DATA_WORDS).isdisjoint(name_words(name))
        spoken = spoken_of(spellings, request, loose=loose) if name not in named else None
        if spoken is None:
            continue
        if over := [c for c in candidates if c.mention.position in spoken[1]]:
            _say_in_full(over, name, spoken[0])
            continue
        if any(p in positions or _is_denied(request, p) for p in spoken[1]):
            continue
        first, last = spoken[1][0], spoken[1][-1]
        if _is_of_its_name(request, (first, last), name):
            continue
        mention = Mention(request.span(first, last), "name", last, request.span(first, last))
        found.setdefault(last, Candidate(mention, {}, {})).spoken[name] = spoken[0]
    return list(found.values())


def _say_in_full(candidates: Sequence[Candidate], name: str, spelled: str) -> None:
    """`the OwlNet` is `owlnet_base_v2` where an option is known to take that, and nothing else of the name; a folder is no name."""
    if spelled.startswith(("/", "~")) and not extension(spelled):
        return
    whole = {*chunks_of(spelled), *split_identifier(spelled)}
    for candidate in candidates:
        mention = candidate.mention
        sized = mention.kind == "number" and mention.words[-1].isalpha() and mention.words.lower() in whole  # `the 350M model`
        if (mention.kind not in ("identifier", "name", "word") and not sized) or "_" in mention.value:
            continue  # who writes `owl_d1` writes the whole name
        if _is_end(mention.value, spelled):
            continue
        words = {w for w in split_identifier(mention.value) if w not in _KIND_OF_MODEL}
        if sized or whole.issuperset(chunks_of(mention.value)) or (words and words <= whole):
            candidate.known[name] = spelled
            return


def _is_end(name: str, other: str) -> bool:
    """`owl-large` is a name of its own beside `snow-owl-large`."""
    return "-" in name and other.lower().endswith(name.lower()) and other[-len(name) - 1 : -len(name)] in ("-", "_")


def say_documented(candidates: Sequence[Candidate], documented: Mapping[str, Sequence[str]]) -> None:
    """A name that the one documented value begins with is that value: `OwlViT` of `owl_vit_large_patch16`."""
    names = [squeeze(c.mention.value) for c in candidates if c.mention.kind in ("name", "identifier")]
    for name, values in documented.items():
        value = squeeze(values[0]) if len(set(values)) == 1 and "/" not in values[0] else ""
        for candidate in candidates:
            said = squeeze(candidate.mention.value)
            spoken = candidate.mention.kind in ("name", "identifier") and not re.search(r"[_-]", candidate.mention.value)
            short = spoken and len(said) >= _SHORTEST and value.startswith(said) and value != said
            if short and not any(other.startswith(said) and other != said for other in names):
                candidate.known.setdefault(name, values[0])


def ruled_out(
    options: Sequence[Option], candidates: Sequence[Candidate], documented: Mapping[str, Sequence[str]], request: Request
) -> dict[tuple[str, int], float]:
    """Options that a file or folder is not for, each with its position: where what others are documented with is plainly of its kind.

    A file of settings (`.yaml`) is for an option with one, and not for those that have something else; a place beside the documented one
    of a single option (`runs/owl` and `runs/bat`) is for that option.
    """
    given = {o.name: [*documented.get(o.name, ()), *default_strings(o)] for o in options}
    found: dict[tuple[str, int], float] = {}
    names = [c.mention for c in candidates if c.mention.kind != "path"]
    for name, values in given.items():  # `$NESTS/owl` stays as it is where `owl` is said
        own = {squeeze(_VARIABLE.sub("", v)) for v in values if _VARIABLE.match(v)}
        found |= {(name, m.position): -math.inf for m in names if own and squeeze(m.value) in own}
    for option in options:  # what every document gives as it is stays so, unless its name is said
        usual = set(default_strings(option)) if option.positional else set()
        if usual and set(documented.get(option.name, ())) == usual and stem(name_words(option.name)[-1]) not in request.stems:
            found |= {(option.name, m.position): -math.inf for m in names if m.kind in ("name", "identifier")}
    for mention in (c.mention for c in candidates if c.mention.kind in ("path", "quoted")):
        within = mention.value.rstrip("/") + "/"  # `nests/` says where `nests/owl` is
        inside = [
            name
            for name, values in given.items()
            if within != "/" and any(v.startswith(within) and v.rstrip("/") + "/" != within for v in values)
        ]
        found |= {(name, mention.position): -math.inf for name in inside}
        ending, folder = extension(mention.value), mention.value.rstrip("/").rpartition("/")[0]
        if ending in _SETTINGS and any(ending in map(extension, documented.get(o.name, ())) for o in options):
            others = [o for o in options if documented.get(o.name) and ending not in map(extension, documented[o.name])]
            found |= {(o.name, mention.position): -math.inf for o in others}
        found |= {(name, mention.position): -math.inf for name in _of_another_part(mention.value, options, request)}
        shared = not folder.strip("./~") or (folder.startswith("/") and folder.count("/") < _DEPTH)  # `/tmp` is everybody's
        beside = [] if shared else [o for o in options if any(v.rstrip("/").rpartition("/")[0] == folder for v in given[o.name])]
        if len(beside) == 1:
            found |= {(o.name, mention.position): -math.inf for o in options if o is not beside[0]}
    return found


def _of_another_part(value: str, options: Sequence[Option], request: Request) -> list[str]:
    """Options for another part of the data than the file's name says, where one for that is called alike, and the request says nothing of
    the other: `owls_train.csv` is for --train-file, and not for --val-file."""
    mine = _parts_in(split_identifier(value.rstrip("/").rpartition("/")[2]))
    if len(mine) != 1:
        return []
    names = {o.name: name_words(o.name) for o in options}
    rests = {name: tuple(w for w in words if w not in PARTS) for name, words in names.items()}
    alike = {rests[name] for name, words in names.items() if _parts_in(words) == mine}
    said = {part for word, part in PARTS.items() if stem(word) in request.stems}
    parts = {name: _parts_in(words) for name, words in names.items() if rests[name] in alike}
    return [name for name, of in parts.items() if of and of != mine and said.isdisjoint(of)]


def _parts_in(words: Iterable[str]) -> set[str]:
    return {PARTS[word] for word in words if word in PARTS}


def confirmed_by(places: Places | None, documented: Mapping[str, Sequence[str]], candidates: Sequence[Candidate]) -> frozenset[int]:
    """The positions of names that are a part of a documented path already: WMT16 where `/tmp/wmt16/vocab` is documented."""
    given = [v for name, values in documented.items() if places and name in places.present for v in values if "/" in v]
    parts = {squeeze(part) for value in given for part in re.split(r"[/.:=]", value)}
    parts |= {squeeze(part) for value in given for part in re.split(r"[/.:=_]", value) if _CAMEL.search(part)}
    names = (c.mention for c in candidates if c.mention.kind in ("name", "identifier"))
    return frozenset(m.position for m in names if len(m.value) >= _SHORTEST and squeeze(m.value) in parts - {""})


def without_confirmed(candidates: Sequence[Candidate]) -> list[Candidate]:
    """A word that several documented places end in (`runs/owl`, `eval/owl`) says that they stay as they are."""
    found: list[Candidate] = []
    for candidate in candidates:
        places = [name for name, spelled in candidate.known.items() if "/" in spelled and candidate.mention.kind != "path"]
        if len(places) > 1:
            for name in places:
                del candidate.known[name]
            if not candidate.known:
                continue
        found.append(candidate)
    return found
