"""How strongly a request points at a candidate by name: the features of ranking that programs and snippets share."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.vocabulary import LIBRARY_WORDS, PLAIN_NAMES, PROGRAM_WORDS, VERBS
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

_PLAIN = frozenset(stem(w) for w in PLAIN_NAMES)
_VERB_STEMS = {verb: frozenset(map(stem, said)) for verb, said in VERBS.items()}


_PART = 0.6
"""What a part of a folder's or a file's name counts beside a whole one."""


@dataclass(frozen=True, slots=True)
class Named:
    """What in the request names a candidate: the strength, and the token positions that did."""

    score: float
    positions: frozenset[int]


class NameIndex:
    """How rare each name is among the candidates, so that a rare one counts more."""

    def __init__(self, names: Sequence[Iterable[str]], parts: Sequence[Iterable[str]] = ()) -> None:
        """`names` of each candidate, and `parts` of names, which count less."""
        whole = [frozenset(n for n in map(squeeze, each) if len(n) > 1) for each in names]
        self._parts = [frozenset(map(squeeze, each)) - whole[k] for k, each in enumerate(parts)] or [frozenset()] * len(whole)
        self._sets = [whole[k] | self._parts[k] for k in range(len(whole))]
        self._count = Counter(name for each in self._sets for name in each)

    def match(self, position: int, request: Request) -> Named:
        """How candidate `position` is named in the request. Overlapping names count once, the longest first."""
        hits = [
            (name, span)
            for name in self._sets[position]
            if (span := request.grams.get(name) or request.bases.get(name) or self._other_form(position, name, request))
        ]
        hits.sort(key=lambda h: (h[1][0] - h[1][1], -len(h[0])))
        covered: set[int] = set()
        score = 0.0
        for name, (first, last) in hits:
            stretch = range(first, last + 1)
            if covered.intersection(stretch) or _everyday(name, request, first, last):
                continue
            if name in self._parts[position] and all(request.tokens[at].kind == "path" for at in stretch):
                continue  # `inputs/owl_faces` is what is given to a program, and no part of its name
            covered.update(stretch)
            rarity = math.log(1 + len(self._sets) / self._count[name]) / math.log(1 + len(self._sets))
            share = _PART if name in self._parts[position] else 1.0
            score += share * (0.5 + rarity) * (1 + 0.35 * (last - first))
        return Named(score, frozenset(covered))

    def _other_form(self, position: int, name: str, request: Request) -> tuple[int, int] | None:
        """A part of a name said in another form of the word: `caption` where it is `captioning`."""
        at = request.places.get(stem(name)) if name in self._parts[position] and name.isalpha() else None
        return None if at is None else (at, at)


def _everyday(name: str, request: Request, first: int, last: int) -> bool:
    return name in STOPWORDS or all(request.tokens[i].filler or request.tokens[i].stem in _PLAIN for i in range(first, last + 1))


def verbs_in(words: Iterable[str]) -> frozenset[str]:
    """What is to be done, by the words (stems or plain) that say it."""
    stems = {stem(w) for w in words}
    return frozenset(verb for verb, said in _VERB_STEMS.items() if not stems.isdisjoint(said))


def request_verbs(request: Request) -> frozenset[str]:
    """`pre-train` and `fine-tune` are squeezed; they outrank the `train` inside them. What was done before counts only alone."""
    aside = [m.span() for m in _DATA_PART.finditer(request.text) if not _BEGINS.search(request.text[: m.start()])]
    aside += [m.span() for m in _CALLED_BENCHMARK.finditer(request.text)]
    words = [t.text for t in request.tokens if t.kind == "word" and not any(a <= t.start < b for a, b in aside)]
    found = set(_verbs_of(words))
    if fresh := _verbs_of([w for w in words if not _DONE.fullmatch(w)]):
        found = set(fresh)
    if _HOW_GOOD.search(request.text) and "train" not in found:
        found.add("evaluate")
    text = " ".join(map(squeeze, words))
    if "pretrain" in found and "train" in found and "pretrained" not in text:
        found.discard("train")
    return frozenset(found)


def _verbs_of(words: Sequence[str]) -> frozenset[str]:
    return verbs_in({squeeze(w) for w in words} | {w.lower() for w in words})


_DONE = re.compile(
    r"(?:pre-?|fine-?)?(?:train|tun|generat|convert|sampl|learn|prepar|preprocess|process|creat)\w{0,3}ed|built|recordings?", re.IGNORECASE
)
"""`the tuned model`, `what I trained`, `my recordings`: it is there already."""
_DATA_PART = re.compile(
    r"\b(?:train(?:ing)?|val(?:idation)?|eval(?:uation)?|test(?:ing)?|dev)(?:(?:\s*,\s*|\s*/\s*|\s+(?:and|or)\s+)(?:the\s+)?"
    r"(?:train(?:ing)?|val(?:idation)?|eval(?:uation)?|test(?:ing)?|dev))*[ -]+(?:(?:data)?sets?|data|splits?|lists?|files?|corp(?:us|ora)|"
    r"folders?|images?|samples?|examples?|sentences|texts?|labels?|portion|part|fold)\b",
    re.IGNORECASE,
)
"""`the train and validation lists`: a part of the data, and nothing to do."""


_CALLED_BENCHMARK = re.compile(r"(?<=[A-Z\d][A-Z\d] )benchmarks?\b|\b(?:this|that) benchmark\b")
"""`the SuperNEST benchmark`: data, and nothing to do."""
_PLAIN_STEMS = frozenset("run main runscript script cli app start launch __main__".split())
"""Names of files that say nothing; what is done there is said by the folder."""
_OF_DATA = re.compile(r"(?:train|training|test|testing|eval|validation|val)_?(?:data|dataset|set|split)s?(?![a-z])", re.IGNORECASE)
"""`generate_training_data.py` trains nothing."""
_BEGINS = re.compile(r"(?:^|[.!?:;]\s|\bplease\s)\s*$", re.IGNORECASE)
"""In front of what is to be done: `Train fold 0` is no training fold."""
_HOW_GOOD = re.compile(r"\bhow (?:well|good|accurate|close)\b|\bwhat (?:accuracy|score|perplexity|error)\b", re.IGNORECASE)
_ASIDE = frozenset({"download", "prepare", "export", "visualize", "serve", "compile"})
"""What is done beside the main thing: it has to be asked for."""


def verb_match(wanted: frozenset[str], path: str, request: Request | None = None) -> float:
    """+1 if the file is named after what is wanted, -1 if after something else, 0 if its name says nothing.

    +2 if its very word stands in the request, where one is given.
    """
    stem_of_file = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if stem_of_file in _PLAIN_STEMS and "/" in path:
        stem_of_file = path.rsplit("/", 2)[-2]
    stem_of_file = _OF_DATA.sub("data", stem_of_file)
    offered = verbs_in([*split_identifier(stem_of_file), squeeze(stem_of_file)]) | ({"compile"} if path.endswith("setup.py") else set())
    if not offered and re.search(r"[-_]pt$", stem_of_file):
        offered = frozenset({"pretrain"})  # beside `_ft`
    if not offered or not wanted:
        return -1.0 if offered and offered <= _ASIDE else 0.0
    if request and offered & wanted and stem(stem_of_file.lower()) in request.stems:
        return 2.0
    if offered & wanted:
        return 1.0 if offered <= wanted else 0.8
    return 0.5 if "train" in offered and wanted & {"finetune", "pretrain"} else -1.0


def path_names(path: str) -> list[str]:
    """The names that a path gives a program: its folders, its file's stem, both together."""
    parts = path.rsplit(".", 1)[0].split("/")
    return [*parts, "".join(parts[-2:])] if len(parts) > 1 else parts


def path_pieces(path: str) -> list[str]:
    """The long pieces of each part of a path: `speech`, `enhance` of `speech_enhance/run.py`."""
    parts = path.rsplit(".", 1)[0].split("/")
    return [piece for part in parts for piece in re.split(r"[-_.]", part) if len(piece) > 3 and piece != part]


_STARTS = frozenset("run train test main demo eval evaluate infer inference predict sample generate finetune pretrain launch".split())
"""Words in the names of files that are programs, and of little else."""


def names_file(request: Request, path: str) -> frozenset[int] | None:
    """The positions of the words that name the file: `run.sh`, `scripts/run.sh`, `the run script`, `train_gan`; None if none do."""
    base = path.rsplit("/", 1)[-1]
    stem_ = base.rsplit(".", 1)[0]
    said = frozenset(m.position for m in request.mentions if m.kind in ("path", "quoted") and m.value.removeprefix("./") in (base, path))
    if "_" in stem_ and not _STARTS.isdisjoint(stem_.split("_")):
        said |= {m.position for m in request.mentions if m.kind == "identifier" and m.value == stem_}
    spans = (request.grams.get(squeeze(name) + "script") for name in (stem_, re.sub(r"^(?:run|do|launch|start)[-_]", "", stem_)))
    span = next(filter(None, spans), None)
    return said or (frozenset(range(span[0], span[1] + 1)) if span else None)


_LIBRARY_WORDS = frozenset(stem(w) for w in LIBRARY_WORDS)
_PROGRAM_WORDS = frozenset(stem(w) for w in PROGRAM_WORDS)
_RANDOM = (
    r"\brandom (?:\w+ ){0,2}(?:(?:input|tensor|image|picture|graph|signal|wave|slice|sample|vector|embedding)s?"
    r"|(?:feature|map|point|node|video|sequence|volume|ray)s?|batch(?:es)?|matri(?:x|ces)|data|logits)\b"
)
_SIGNS = (
    (r"\bprint(?:s|ed|ing)?\b|\bcount (?:its|the|all) param", 0.5),
    (r"\b(?:push|run|feed|pass|send|put)(?:es|s|ing)?\b[^.;]{0,60}\b(?:through|into) (?:it|the|this|a)\b", 0.4),
    (_RANDOM, 0.3),
    (r"\b(?:snippet|(?:few|some|couple of) lines|short script|notebook|class(?:es)? from|as an? (?:numpy )?(?:array|tensor))\b", 0.4),
    (r"(?:^|[.!?]\s+)(?:some |the )?code,? please\b", 0.5),
    (r"\bwrite (?:me |us )?(?:the|some|a bit of|a piece of) code\b", 0.5),
    (r"(?:^|[.:;,!?]\s+|\bto |\bme |\byou |\bplease )(?:build|instantiate|construct|set up|make|create|load|give me|get me)\b", 0.3),
)
"""What is said of code that one writes, with what it counts."""
_USE = frozenset(map(stem, "image picture photo sentence text".split()))
_JOBS = frozenset({"train", "finetune", "pretrain", "evaluate", "prepare", "serve", "download", "visualize"})
"""What programs are there for."""
_PRETRAINED = re.compile(
    r"\bpre-?train(?:ed|ing)(?:\s+(?:model|weights?|checkpoint|module|network|tag|version)|\s*[-:]?\s*[`'\"])", re.IGNORECASE
)
"""A model that was trained by others: nothing is to be trained."""
ASKED = 4.0
"""What the language that the request names counts for a Python answer."""
NUMBERS = -0.5
"""What numbers count at most: settings are many on a command line, and some in code."""


def leans_to_python(request: Request) -> float:
    """-1..1: does the request read like a use of the library (a given input, a tensor, a class) or like a program run with settings?

    What the request asks for in so many words counts alone.
    """
    if asked := language_asked(request):
        return asked
    score = numbers = media = 0.0
    for mention in request.mentions:
        if mention.kind == "shape":
            score += 0.6
        elif mention.kind in ("quoted", "path") and re.search(r"\.(jpe?g|png|gif|bmp|tiff?|wav|mp3|mp4|flac)$", mention.value):
            media = 0.6  # a program takes two as well as one
        elif mention.kind == "quoted" and " " in mention.value:
            score += 0.2
        elif mention.kind == "number":
            numbers -= 0.25
    score += max(NUMBERS, numbers) + media
    made = _PRETRAINED.search(request.text) is not None
    programs = (_PROGRAM_WORDS - ({stem("pretrain"), stem("pretraining")} if made else set())) & request.stems
    score += 0.25 * len(_LIBRARY_WORDS & request.stems) - 0.25 * len(programs)
    score += sum(worth for pattern, worth in _SIGNS if re.search(pattern, request.text, re.IGNORECASE))
    if _USE & request.stems and not _JOBS & (request_verbs(request) - ({"pretrain"} if made else set())):
        score += 0.4
    return max(-1.0, min(1.0, score))


_PYTHON = re.compile(
    r"(?<!\bthe )\bpython\b(?!\s*-|\s*\d|\s+\S+\.py\b|['\u2019]s\b)"
    r"|\bthe python\b(?=\W*$|[.,;:?!]| (?:code|program|script|snippet|lines?|calls?|way|api|interface|library|package|for|to|that)\b)"
    r"|\bfrom a script\b|\bin (?:a|my|the) notebook\b|\bimport (?:it|the class|statement)\b"
    r"|\b(?:not|no|without)(?: the| a)? (?:shell|terminal|command[ -]line)\b"
    r"|\bwrit(?:e|ing)(?: me| us)? (?:an?(?: short| small| little| brief)? (?:script|snippet|program)|the program)\b"
    r"|\bas a script\b|\bcode only\b"
)
_COMMAND = re.compile(
    r"\b(?:command|commands|command[ -]line|shell|bash|terminal|cli)\b"
    r"|\b(?:run|start|launch|execute|call|invoke)(?:s|ning|ing)? (?:the|its|their|your|this|that) (?:[\w+-]+ ){0,3}script\b"
)


def leaning_to_python(request: Request) -> float:
    """What the language counts for a Python answer: where the request names one, an answer in the other comes last."""
    return 0.8 * leans_to_python(request) + ASKED * language_asked(request)


def language_asked(request: Request) -> float:
    """1 if the request names Python as the language of the answer, -1 if it asks for a command, 0 if it leaves it open."""
    text = request.text.lower()
    if _PYTHON.search(text):
        return 1.0
    return -1.0 if _COMMAND.search(text) else 0.0
