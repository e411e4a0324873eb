"""Places of a documented snippet that take what is said in plain words: switches, one word of a few, several numbers, counted things."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.bindings import Binding, read_bindings
from ml_agent.policies.grounded.denials import denied_values
from ml_agent.policies.grounded.enumerated import enumerated
from ml_agent.policies.grounded.evidence import verbs_in
from ml_agent.policies.grounded.folders import Folders
from ml_agent.policies.grounded.kinds import extension, file_kind
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.passed_over import changes, is_passed_over
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.runs import place_runs
from ml_agent.policies.grounded.swaps import file_swaps
from ml_agent.policies.grounded.switches import ON_CPU, switched
from ml_agent.repo.callables import Taken
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import STOPWORDS, stem

CHOICES = frozenset(
    "mode split activation loss criterion optimizer optimiser scheduler norm normalization pooling pooler strategy metric objective kernel "
    "mask backend format reduction init initializer algorithm solver distance function act nonlinearity sampler".split()
)
"""What takes one word of a few: `the conservative mode`, `the dev split`."""
_PLAIN = frozenset(
    "the a an this that its my our your same other right first second third last full default given whole new own short small large big "
    "each every any single multiple different following next previous main final best certain usual standard documented custom score "
    "scoring appropriate specified chosen selected particular learning data dataset evaluation".split()
)
_PARTS = {"training": "train", "testing": "test", "evaluation": "eval"}
_WORD = re.compile(r"[a-z][a-z\d_-]*", re.IGNORECASE)
_CUDA = re.compile(r"cuda(?::\d+)?")
_ON_GPU = re.compile(r"\bon (?:(?:the|a|my) )?(?:gpu|cuda)\b(?! ?:?\d)", re.IGNORECASE)
_COUNT_WORDS = 3
"""Words on each side of a number that say what it counts."""

Placed = tuple[Mention, Literal, float]
"""A value, the literal that it replaces, and what speaks for it, 0 to 1."""


def place_switches(literals: Sequence[Literal], request: Request, used: frozenset[int]) -> list[tuple[Literal, str, str]]:
    """(literal, its other value, the words that ask for it) of those that the request turns on or off; so is a device, for the CPU, and a
    number of what is not wanted.
    """
    found = list(place_denied(literals, request))
    for literal in literals:
        if literal.kind == "string" and literal.text.split(":")[0] in ("cuda", "gpu") and (said_cpu := ON_CPU.search(request.text)):
            found.append((literal, repr("cpu"), said_cpu.group()))
            continue
        if literal.kind != "switch" or not literal.named or verbs_in([literal.named]):
            continue
        if said := switched(Taken(literal.named, "keyword_only", literal.text), request, used):
            wanted, spots = said
            found.append((literal, str(wanted), request.span(min(spots), max(spots))))
    return found


def place_devices(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """(literal, its new source text, what says it) of each `"cuda"`, `"cuda:0"` and `device="cpu"`, for `the second GPU`, `on a GPU`."""
    on_gpu = _ON_GPU.search(request.text)
    if on_gpu and (spots := request.between(*on_gpu.span())):
        beside = Mention("cuda", "word", spots[-1], on_gpu.group())
        yield from ((x, repr("cuda"), beside) for x in literals if x.kind == "string" and (x.text, x.named) == ("cpu", "device"))
    said = next((m for m in request.mentions if m.position in request.device_places), None)
    if said is not None and len(request.devices) == 1:
        takers = (x for x in literals if x.kind == "string" and (_CUDA.fullmatch(x.text) or (x.text, x.named) == ("cpu", "device")))
        yield from ((x, repr(f"cuda:{request.devices[0]}"), said) for x in takers)


def place_changed(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """(literal, its new source text, what says it) of each text that the request changes: `switch from owl-base to owl-mini`."""
    for first, last in changes(request.tokens):
        old, new = request.tokens[first].text.strip("'\"`"), request.tokens[last].text.strip("'\"`")
        said = Mention(new, "word", last, request.span(first, last))
        yield from ((x, repr(new), said) for x in literals if x.kind == "string" and squeeze(x.text) == squeeze(old))


def place_denied(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, str]]:
    """(literal, its new source text, the words that say it) of the numbers that are to be none: `without dropout`."""
    for literal in literals:
        if literal.kind != "number" or not literal.named or literal.bare:
            continue
        kind = "int" if literal.text.isdigit() else "float"
        for wish in denied_values([Option(f"--{literal.named}", (f"--{literal.named}",), "", type=kind)], request, ()):
            yield literal, literal.render(wish.values[0]), request.span(min(wish.positions), max(wish.positions))


def place_files(literals: Sequence[Literal], files: Folders, request: Request) -> list[Placed]:
    """The repository's other files in the place of those that a snippet names, as `file_swaps` tells them."""
    places = [x for x in literals if x.kind == "string" and extension(x.text)]
    shown = Command(("python", "-", *(x.text for x in places)), "-", 1, ".", "-:1")
    swaps = {swap.old: swap.mention for swap in file_swaps(shown, files.beside([shown]), request)} if places else {}
    return [(swaps[x.text], x, 1.0) for x in places if x.text in swaps]


def bound_literals(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Binding]]:
    """(literal, its new source text, what says it) of keywords that the request writes with their values: `beams=4`, `mode=fast`."""
    places: dict[str, list[Literal]] = {}
    for literal in literals:
        if literal.kind in ("string", "number", "switch") and literal.named:
            places.setdefault(literal.named, []).append(literal)
    bound: dict[str, list[Binding]] = {}
    for binding in read_bindings(request):
        bound.setdefault(binding.name, []).append(binding)
    for name, bindings in bound.items():
        own = places.get(name, [])
        each = bindings if len(bindings) == len(own) else bindings[:1] * len(own)  # in order, `p=0.5` here and `p=0.2` there
        for literal, binding in zip(own, each, strict=True):
            number = re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", binding.value)
            if literal.kind == "string" and binding.value and not number:
                yield literal, binding.value if binding.value == "None" else repr(binding.value), binding
            elif literal.kind == "number" and number:
                yield literal, literal.render(binding.value), binding
            elif literal.kind == "switch" and binding.value.lower() in ("true", "false"):
                yield literal, binding.value.title(), binding


_REDUCTIONS = {"mean": "averaged averaging average", "sum": "summed summing"}
"""What a reduction does -> how people say that it is done."""


def place_words(literals: Sequence[Literal], request: Request) -> list[Placed]:
    """Words in front of what they choose: `the conservative mode` for `mode="aggressive"`, also one in quotes; `summed` for a reduction."""
    found = []
    for literal in literals:
        if literal.kind != "string" or not literal.names or not _WORD.fullmatch(literal.text):
            continue
        if "reduction" in name_words(literal.names[0]) and (done := _reduced(request)):
            found.append((done, literal, 0.6))
            continue
        words = [w for w in name_words(literal.names[0]) if w not in ("type", "name", "fn", "method")]
        if not words or words[-1] not in CHOICES:
            continue
        if at := _chosen(words, request):
            token = request.tokens[at - 1]
            value = _PARTS.get(token.text.lower(), token.text if literal.text[0].isupper() else token.text.lower())
            found.append((Mention(value, "word", at - 1, token.text), literal, 0.9))
    return found


def _reduced(request: Request) -> Mention | None:
    for at, token in enumerate(request.tokens):
        for value, said in _REDUCTIONS.items():
            if token.text.lower() in said.split() and not is_passed_over(request.tokens, at):
                return Mention(value, "word", at, token.text)
    return None


def _chosen(words: Sequence[str], request: Request) -> int | None:
    """The position of the name's first word behind a word that can be its value."""
    stems = [stem(w) for w in words]
    for at in range(1, len(request.tokens)):
        said = [t.stem for t in request.tokens[at : at + len(stems)]]
        before = request.tokens[at - 1]
        if said != stems or not before.says_something or not _WORD.fullmatch(before.text):
            continue
        if before.text.lower() not in _PLAIN and before.text.lower() not in STOPWORDS:
            return at
    return None


def place_lists(literals: Sequence[Literal], request: Request, around: Surroundings) -> list[tuple[Literal, list[Mention]]]:
    """Lists of numbers take numbers that the request writes in one go, however many, by what the list is called."""
    places = [x for x in literals if x.kind == "shape" and x.names and not x.is_sample]
    tensors = [x for x in literals if x.is_sample]
    said = [r for r in request.runs if len(r) > 2 and r[0].kind == "number" and r[-1].position - r[0].position == len(r) - 1]
    lists = []
    for position, literal in enumerate(places):
        name = literal.names[0]
        taken = Taken(name, "keyword_only", f"({literal.text})", help=literal.comment)
        lists.append((position, taken, Option(f"--{name}", (f"--{name}",), "")))
    found = [(places[p], run) for p, taken, run in place_runs(lists, request, around) if _is_named(taken, run, around)]
    found += [(x, list(run)) for x, run in zip(tensors, said, strict=False) if x.text.count(",") + 1 == len(run)]  # `a 50 64 256 tensor`
    return found


def _is_named(taken: Taken, run: Sequence[Mention], around: Surroundings) -> bool:
    """Whether words around the numbers are those of the list: one of the same length may stand there by chance."""
    words = name_words(taken.name)
    return any(around.score(words, m.position)[0] > 0.0 or around.help_score(taken.help, m.position) > 0.0 for m in run)


def place_texts(literals: Sequence[Literal], request: Request, around: Surroundings) -> list[tuple[Literal, tuple[Mention, ...]]]:
    """Lists of texts, or of files, take those that the request writes in one go, however many: the list named so, else the first."""
    lists = {x.texts: x for x in literals if x.texts != (0, 0) and x.call not in ("add_argument",)}
    members = {span: [x for x in literals if x.texts == span] for span in lists}
    prose = {span: x for span, x in lists.items() if any(" " in each.text.strip() for each in members[span])}
    files = {span: x for span, x in lists.items() if all(file_kind(each.text) for each in members[span])}
    words = {span: x for span, x in lists.items() if span not in prose and all(_WORD.fullmatch(each.text) for each in members[span])}
    found: list[tuple[Literal, tuple[Mention, ...]]] = []
    listed = list(enumerated(request))
    for run in (*request.runs, *listed):
        kinds = {file_kind(m.value) for m in run}
        if len(kinds) == 1 and None not in kinds and run[0].kind in ("path", "quoted"):
            lists = {span: x for span, x in files.items() if file_kind(x.text) in kinds}
        else:
            spaced = {" " in m.value for m in run}
            if run[0].kind == "quoted" and len(prose) == len(run) and _are_compared(run, request):
                for (span, x), mention in zip(sorted(prose.items()), run, strict=True):
                    found.append((Literal("texts", "", *span, x.names), (mention,)))
                prose.clear()
                continue
            lists = prose if spaced == {True} else words if spaced == {False} else {}
            shown = {s for s in words if not {x.text for x in members[s]}.isdisjoint(m.value for m in run)}
            if run in listed and len(words) == 1:
                lists = words
            elif run[0].kind in ("name", "identifier", "word"):
                lists = {s: x for s, x in lists.items() if lists is words and (s in shown or _nearness(s, lists, run, around)[0] > 0.0)}
            elif run[0].kind == "quoted":
                lists = {s: x for s, x in lists.items() if lists is prose or _nearness(s, lists, run, around)[0] > 0.0}
            else:
                lists = {}
            if not lists and run[0].kind == "quoted" and len(prose) == 1 and not words:
                lists = prose
        if not lists:
            continue
        best = max(lists, key=partial(_nearness, lists=lists, run=run, around=around))
        literal = lists[best]
        prose.pop(best, None)
        words.pop(best, None)
        files.pop(best, None)
        found.append((Literal("texts", "", *best, literal.names), run))
    return found


def _are_compared(run: Sequence[Mention], request: Request) -> bool:
    """`"one text" to "another"`, `against`, `versus`: one for each side."""
    between = {t.text.lower() for one, other in pairwise(run) for t in request.tokens[one.position + 1 : other.position]}
    return bool(between) and between <= {"to", "against", "versus", "vs"}


def _nearness(
    span: tuple[int, int], lists: Mapping[tuple[int, int], Literal], run: Sequence[Mention], around: Surroundings
) -> tuple[float, int]:
    words = name_words(lists[span].names[0]) if lists[span].names else ()
    return (max(around.score(words, m.position)[0] for m in run) if words else 0.0, -span[0])


def offered(literal: Literal, literals: Sequence[Literal]) -> list[frozenset[str]]:
    """A word and those in quotes in the comment behind it, `mode = "slow"  # or "fast"`; what other calls give for the same keyword."""
    if literal.kind != "string" or not _WORD.fullmatch(literal.text):
        return []
    others = re.findall(r"""["'`]([A-Za-z][\w.+-]*)["'`]""", literal.comment)
    alike = [x.text for x in literals if (x.kind, x.call, x.names) == (literal.kind, literal.call, literal.names)]
    named = literal.call and literal.named and all(map(_WORD.fullmatch, alike))
    return [frozenset([literal.text, *each]) for each in (others, alike if named else []) if each]


_SAMPLES = frozenset({"batch_size", "num_samples", "n_samples", "num_images"})
_TRAINED = frozenset(map(stem, ("train", "training", "epochs", "batch", "batches")))
_MADE = re.compile(r"(?:samples?|latents?|images?|pictures?|variants?|variations?|outputs?|examples?)", re.IGNORECASE)


def counted_alike(literal: Literal, mention: Mention, request: Request) -> bool:
    """Whether a comment says of the number what the request says of the other: `the top 5 labels`, `print the top 3 labels`."""
    if literal.kind != "number" or mention.kind != "number":
        return False
    if literal.names[:1] and literal.names[0] in _SAMPLES and mention.value.isdigit() and not _TRAINED & request.stems:
        said = [t.text for t in request.tokens[mention.position + 1 : mention.position + 2]]
        return bool(said and _MADE.fullmatch(said[0]))
    for text in (literal.comment, literal.above):
        words = re.findall(r"[A-Za-z]+|[\d.]*\d", text)
        for at, word in enumerate(words):
            if word == literal.text:
                near = request.tokens[max(0, mention.position - _COUNT_WORDS) : mention.position]
                behind = request.tokens[mention.position + 1 : mention.position + 1 + _COUNT_WORDS]
                left = _content(words[max(0, at - _COUNT_WORDS) : at]) & _content(t.text for t in near)
                right = _content(words[at + 1 : at + 1 + _COUNT_WORDS]) & _content(t.text for t in behind)
                if right or (left and len(left) > 1):
                    return True
    return False


def _content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(w) for w in words if w.isalpha() and w.lower() not in STOPWORDS)
