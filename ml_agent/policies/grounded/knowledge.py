"""Words that options are known to take: choices, documented values, defaults, what the code asks for, and how a request speaks of them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from ml_agent.policies.grounded.languages import codes_of_languages
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.tokens import Token
from ml_agent.policies.grounded.unfilled import alternatives, stands_for_something
from ml_agent.policies.grounded.vocabulary import EVERYDAY_VALUES, GENERIC, OUTPUT_WORDS, PARTS, PATH_WORDS, PLAIN_NAMES, SPOKEN, WEAK
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

Families = Sequence[frozenset[str]]
"""The choices that options of the repository have: words that stand for the same kind of thing."""
_USUAL: Sequence[tuple[frozenset[str], tuple[str, ...]]] = (
    (frozenset({"device", "accelerator"}), ("cpu", "cuda", "mps")),
    (frozenset({"scheduler", "schedule", "sched"}), ("cosine", "linear", "constant", "polynomial", "exponential", "plateau")),
    (frozenset({"optimizer", "optim", "opt"}), ("adam", "adamw", "sgd", "rmsprop", "adagrad", "adafactor", "lamb", "lion")),
    (frozenset({"split", "subset"}), ("train", "val", "valid", "validation", "test", "dev")),
    (frozenset({"activation", "act"}), ("relu", "gelu", "tanh", "sigmoid", "elu", "selu", "silu", "leaky_relu")),
)
"""What options with such a word in their name take in most programs."""
_ALSO = {
    "bf16": ("bfloat16",),
    "bfloat16": ("bf16",),
    "fp16": ("float16", "halfprecision", "16bit"),
    "float16": ("fp16", "halfprecision", "16bit"),
    "fp32": ("float32", "fullprecision"),
    "float32": ("fp32", "fullprecision"),
}
"""Values that have a second name, squeezed."""
_PLACE_WORDS = frozenset("name type path dir id".split())
_ADJECTIVES = frozenset(
    "own new same custom given whole full entire other different large small big tiny good best better next following public private "
    "random fixed single multiple several specific particular current latest pretrained trained existing training validation testing "
    "original official standard usual default initial final maximum minimum total average target source input output correct right "
    "above below local global main loading loader loaders processing and with for from using used set called named well known".split()
)
_ITEM = r"[A-Za-z][\w.+-]{0,24}"
_LISTED = re.compile(
    r"(?:^|[:(\[]|\boptions|\bone of|\bchoose from|\beither)\s*[\[(]?\s*"
    rf"({_ITEM}(?:\s*[,|/]\s*(?:or\s+|and\s+)?{_ITEM})+(?:\s+(?:or|and)\s+{_ITEM})?)(?=\s*(?:[\])|.;]|$))"
)
_HELPS = re.compile(r"^(?:\.|__)|(?:^|_)(?:utils?|helpers?|eval|factory|common|tests?)$")
"""A module that serves those beside it, and is none of them."""
_VALIDATION = tuple(word for word, part in PARTS.items() if part == "val")
"""What the part of the data is called that is validated on: each program has one word for it."""
_SHORTEST = 3
_PLAIN = frozenset(stem(w) for w in (*PLAIN_NAMES, *GENERIC, "image", "default", "batch", "step", "epoch"))
_MOST = 400
"""Values of one option that are taken apart."""


def choice_families(programs: Iterable[EntryPoint]) -> Families:
    """Every set of choices, once, of at least two words."""
    return sorted({frozenset(o.choices) for p in programs for o in p.options if o.choices and len(o.choices) > 1}, key=sorted)


def file_stems(files: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The name of a module or of a configuration, without its ending, squeezed -> those of its folder.

    A program that is given the name of one of them (`--model owlnet_base`, where `models/owlnet_base.py` is) is given the others, too.
    Behind a `/` the stem of a folder's name -> those of the folder: an option that is called so takes one of them (`--template owl`,
    where `templates/owl.json` is).
    """
    folders: dict[tuple[str, str], list[str]] = {}
    for file in files:
        folder, _, name = file.rpartition("/")
        stem_, dot, ending = name.rpartition(".")
        if dot and ending in ("py", "yaml", "yml", "json", "toml") and stem_ not in PLAIN_NAMES and not _HELPS.search(stem_):
            folders.setdefault((folder, ending), []).append(stem_)
    found: dict[str, tuple[str, ...]] = {}
    for (folder, _), names in folders.items():
        if 1 < len(names) < _MOST:
            found.setdefault("/" + stem(folder.rpartition("/")[2].lower()), tuple(names))
            found.update({squeeze(name): tuple(names) for name in names if len(name) > _SHORTEST and is_distinctive(name)})
    return found


def known_values(
    option: Option, documented: Iterable[str], families: Families = (), stems: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> dict[str, str]:
    """Words that the option is known to take, squeezed -> as spelled.

    They are its choices, its documented values, what the program compares it with, its default, and, if a documented value is one of
    another option's choices, those choices; of names of files (`stems`) those beside them; and those that documents show for the option
    itself (its name in `stems`).
    """
    stated = [*(option.choices or ()), *documented]
    usual: list[str] = []
    if not option.choices and option.type not in ("int", "float"):
        usual = [value for words, common in _USUAL for value in common if words.intersection(name_words(option.name))]
    values = [*stated, *option.compared, *usual]
    if not option.choices:
        seen = frozenset((*stated, *usual, *(v for v in default_strings(option) if is_distinctive(v))))
        values.extend(sorted({v for family in families if family & seen for v in family}))
        named = [*stated, *default_strings(option)]
        values.extend(_in_its_signs(other, v) for v in named for other in stems.get(squeeze(v), ()) if "/" not in v)
        values.extend(v for v in default_strings(option) if not _just_said(option, v))
        values.extend(v for alias in option.aliases for v in stems.get(alias, ()) if option.type not in ("int", "float"))
        values.extend(listed(option.help) if option.type in (None, "str") else ())
        if not any(values) and option.type in (None, "str") and option.default in (None, "None", "''", '""'):
            words = name_words(option.name.rpartition(".")[2] if option.assigned else option.name)
            values.extend(v for w in words if w not in _PLACE_WORDS for v in stems.get("/" + stem(w), ()))
    values = [v for each in values for v in alternatives(each) or (each,)]
    part = next((v for v in (*stated, *option.compared, *default_strings(option)) if v in _VALIDATION), "")
    values = [v for v in values if not part or v not in _VALIDATION or v in stated]
    codes = dict.fromkeys(_VALIDATION, part) if part else {}
    codes |= codes_of_languages(option, [*stated, *option.compared, *default_strings(option)])
    codes |= {said: v for v in reversed(values) for said in _ALSO.get(v.lower(), ())}
    return codes | {
        squeeze(v): v
        for v in reversed(values)
        if squeeze(v)
        and ((v.lower() == "none" and v in (option.choices or ())) or not re.fullmatch(r"[-+\d.,e]+|true|false|none", v, re.IGNORECASE))
        and "$" not in v
        and len(v) < 80
        and not stands_for_something(v)
    }


def _first_of(words: Sequence[str], request: Request) -> int | None:
    return next((request.places[stem(word)] for word in words if stem(word) in request.places), None)


def listed(text: str) -> list[str]:
    """The words that a help text lists: `optimizer: adam, sgd or rmsprop`, `(a | b)`, `options: [a, b]`."""
    found = max((m[1] for m in _LISTED.finditer(text)), key=len, default="")
    words = [w for w in re.split(r"\s*[,|/]\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+", found) if w]
    return words if len(words) > 2 or (len(words) == 2 and "|" in found) else []


def _in_its_signs(name: str, value: str) -> str:
    """`owl_big` as `owl-big`, if the value is written `owl-base`."""
    return name.replace("_", "-") if "-" in value and "_" not in value else name


def _just_said(option: Option, default: str) -> bool:
    """Whether a place's usual name is a plain word, which a request may well say (`save the checkpoints` for `checkpoints`), or a folder,
    which it need not give.
    """
    folder = "/" in default and not re.search(r"\.\w+$", default)
    word = default.isalpha() and default.islower() and not (PATH_WORDS | OUTPUT_WORDS).isdisjoint(name_words(option.name))
    return folder or word


def default_strings(option: Option) -> list[str]:
    """The strings of a default: itself, or the members of a list."""
    return re.findall(r"""['"]([^'"]+)['"]""", option.default or "") if re.match(r"""['"\[(]""", option.default or "") else []


def spoken_of(known: Mapping[str, str], request: Request, *, loose: bool = False) -> tuple[str, tuple[int, ...]] | None:
    """The one known value that the request speaks of in other words -> (as spelled, token positions): `the tiny variant` of
    `net_tiny`, `net_large`; `an rbf kernel` for `svc-rbf`.

    A value is spoken of by pieces of its name that not all the others have. None if two values are spoken of as much.
    `loose`: a value of one piece is also spoken of by the one word that begins with it: `cosine` for `cos`.
    """
    pieces = {spelled: pieces_of(spelled) for spelled in list(known.values())[:_MOST]}
    if len(pieces) < 2:
        return None
    shared = Counter(piece for of in pieces.values() for piece in of)
    places = {**{short: at for short, words in SPOKEN.items() if (at := _first_of(words, request)) is not None}, **request.places}
    best: list[tuple[float, str, tuple[int, ...]]] = []
    for spelled, of in pieces.items():
        said = [piece for piece in of if piece in places]
        telling = [piece for piece in said if shared[piece] < len(pieces)]
        if telling:
            value = sum(1.0 / shared[piece] for piece in telling) - 0.1 * (len(of) - len(said))
            best.append((value, spelled, tuple(sorted(places[piece] for piece in said))))
    if not best and loose:
        begun = {
            v: at for v, of in pieces.items() if len(of) == 1 and v.isalpha() and (at := request.beginnings.get(v.lower())) is not None
        }
        best = [(1.0, spelled, (at,)) for spelled, at in begun.items()]
    best.sort(key=lambda one: -one[0])
    if not best or (len(best) > 1 and best[0][0] - best[1][0] < 0.05):
        return None
    return best[0][1], best[0][2]


def is_distinctive(spelled: str) -> bool:
    """No everyday word of a request."""
    return squeeze(spelled) not in EVERYDAY_VALUES and spelled.lower() not in STOPWORDS and len(spelled) > 1


_SHORT_PIECES = re.compile(r"(?<![A-Za-z0-9])\d[_-][A-Za-z]{4,}(?![A-Za-z0-9])|(?<![A-Za-z0-9])[A-Z][a-z]{2,}[A-Z](?![A-Za-z0-9])")
"""A letter or a digit that tells only together with its word: `8_layer`, `OwlB`."""


@lru_cache(maxsize=1 << 14)
def pieces_of(value: str) -> frozenset[str]:
    """Stems of what a name is made of, without what many names have: `net_v2_tiny` -> net, v2, tini."""
    base = value.rstrip("/").rsplit("/", 1)[-1]
    chunks = [c.lower() for c in re.split(r"[^A-Za-z0-9.]+", base) if re.search(r"\d", c) and len(c) < 12]
    words = [w for w in (*split_identifier(base), *chunks) if (len(w) >= _SHORTEST or any(c.isdigit() for c in w)) and w not in STOPWORDS]
    plain = (stem(w) for w in words if (not w.isdigit() or len(w) >= _SHORTEST) and stem(w) not in _PLAIN)
    return frozenset((*plain, *(squeeze(short) for short in _SHORT_PIECES.findall(base))))


_NO_NAME = re.compile("bool|int|float|list|tuple|dict|json|eval|file|path", re.IGNORECASE)
"""In what an option's values are read by: it takes something else than a name."""
_LINKS = _PLACE_WORDS | {":", "set"}
"""What stands between a name and its value: `the mask type is hard`, `pooling set to max`."""
_KIND = frozenset("function functions type kind method dimension dimensions size length rate number".split())
"""Words behind a name that say what it is the name of: `the loss function`."""
_ELSEWHERE = frozenset(
    "the a an with for on in by from and using at without where when while then but or that which who can could will would may must".split()
)
_KINDS_OF = frozenset("pooling masking weighting scaling sampling padding encoding embedding scheduling smoothing averaging".split())
"""Words of doing that are spoken of in kinds: `mean pooling`."""
_SIZES = frozenset("nano micro tiny mini small base medium large xlarge huge giant".split())
"""What models are called by their size: words of their own, where one of them is documented."""


def word_beside(option: Option, examples: Sequence[str], request: Request) -> tuple[str, int] | None:
    """A plain word right beside the option's name, where its known values are such words -> (the word, its token):
    `the maps dataset`, `the scheduler should be cosine`.
    """
    plain = [e for e in examples if re.fullmatch(r"[a-z][a-z0-9]+", e)]
    if not plain or len(plain) < len(examples) or option.choices or _NO_NAME.search(option.type or ""):
        return None
    name = [w for w in name_words(option.name) if w not in WEAK and w not in _PLACE_WORDS]
    own = _KIND.union(name_words(option.name))
    sized = _SIZES.__contains__ if not _SIZES.isdisjoint(plain) else lambda word: False
    for first, last in _spans(name, request):
        said = request.tokens[last].text.lower()
        if said.endswith(("ing", "ed")) and said != name[-1] and said not in _KINDS_OF:
            continue  # it is done, not named
        behind, linked = last + 1, False
        while behind < len(request.tokens) and (request.tokens[behind].filler or request.tokens[behind].text.lower() in _LINKS | _KIND):
            if request.tokens[behind].text.lower() in _ELSEWHERE:
                break  # what it is done to, or with
            linked = linked or request.tokens[behind].text.lower() in _LINKS
            behind += 1
        for position in (_in_front(request, first), behind):
            token = request.tokens[position] if 0 <= position < len(request.tokens) else None
            if token is None or not token.says_something or token.text.lower() in own:
                continue
            kind = said in _KINDS_OF and (position < first or linked) and _says_kind(token.text)
            if kind or _may_be_value(token.text) or sized(token.text):
                return token.text, position
    return None


def _in_front(request: Request, first: int) -> int:
    """The token before a name: `cosine` of `the cosine schedule`, and of `cosine as the schedule`."""
    words = [t.text.lower() for t in request.tokens[max(0, first - 2) : first]]
    return first - 3 if words == ["as", "the"] else first - 2 if words[-1:] == ["as"] else first - 1


def _spans(words: Sequence[str], request: Request) -> list[tuple[int, int]]:
    """Where a name is said: each place of one word, the first one of several."""
    if len(words) == 1:
        longer = (phrase[0] for phrase in phrases_for(words[0]) if len(phrase) == 1)
        ways = {stem(words[0]), *(w for w in longer if w.startswith(words[0]) or (words[0], w) == ("data", "dataset"))}
        return [(position, position) for word, position in request.words if word in ways]
    span = request.grams.get("".join(words)) if words else None
    return [span] if span else []


def _says_kind(word: str) -> bool:
    return re.fullmatch(r"[a-z]{3,}", word) is not None and word not in _ADJECTIVES and not word.endswith(("e", "ing"))


def may_name(token: Token) -> bool:
    """Whether a plain word says something of its own: no word of every day, no form of a verb."""
    word = token.text.lower()
    return token.kind == "word" and token.says_something and not word.endswith(("ing", "ed")) and _is_of_its_own(word)


def _may_be_value(word: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9]{2,}", word) is not None and _is_of_its_own(word)


def _is_of_its_own(word: str) -> bool:
    return stem(word) not in _PLAIN and word not in _ADJECTIVES and is_distinctive(word)
