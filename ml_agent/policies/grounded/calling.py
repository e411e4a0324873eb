"""Arguments of calls in Python: the parameters of several calls are filled in at once, as the options of one program are."""

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.bindings import read_bindings
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.pairing import by_rules
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.runs import HINTS, LISTS, is_list, place_runs, takes_texts
from ml_agent.policies.grounded.switches import is_switch, switched
from ml_agent.policies.grounded.vocabulary import MODEL_WORDS, WEAK
from ml_agent.repo.callables import Callee, Taken
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem
from ml_agent.task import Evidence

_COUNTS = frozenset("dim size num count steps rate epochs width height channels heads layers depth length prob ratio".split())
"""What the names of parameters end in that take numbers."""
_PRECISIONS = frozenset("fp16 fp32 bf16 float16 float32 bfloat16 int8".split())
"""Of numbers."""
HOW_MANY = dict.fromkeys(
    ("n", "N", "k", "topk", "top_k", "topn", "top_n", "n_best", "nbest", "num_best"), ("best", "top", "closest", "nearest", "similar")
)
"""Parameters that say how many of the best are wanted, with what people say of those."""
_ALSO = {"lr": ("rate", "step-size"), "T_max": ("epochs", "steps"), **HOW_MANY}
"""Other words for parameters of optimisers and schedules, in code where no other rate is near, and of searches."""


@dataclass(frozen=True, slots=True)
class Called:
    """One call with the arguments that the request gives it, in the order of its parameters."""

    callee: Callee
    arguments: dict[str, str] = field(default_factory=dict)
    """Parameter -> Python source."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Required parameters without a value."""
        return tuple(t.name for t in self.callee.takes if t.required and t.name not in self.arguments)


@dataclass(frozen=True, slots=True)
class Calls:
    """Several calls, filled in together."""

    called: tuple[Called, ...]
    score: float
    left: tuple[Mention, ...]
    evidence: tuple[Evidence, ...]


def call_all(
    callees: Sequence[Callee],
    request: Request,
    around: Surroundings,
    used: frozenset[int] = frozenset(),
    families: Families = (),
    given: Sequence[Collection[str]] = (),
) -> Calls:
    """`used`: token positions that need no place; `given`: parameters of each call that have a value already."""
    options: dict[str, tuple[int, Taken, Option]] = {}
    for position, callee in enumerate(callees):
        have = given[position] if given else ()
        for taken in callee.takes:
            if taken.name not in have and taken.kind not in ("args", "kwargs") and not taken.name.endswith("_kwargs"):
                name = f"--{taken.name}{'-' * position}"
                options[name] = (position, taken, option_of(name, taken, callee.source))
    request, hints = _with_hints(request)
    around = Surroundings(request) if hints else around
    arguments: list[dict[str, str]] = [{} for _ in callees]
    evidence: list[Evidence] = []
    lists = [(position, taken, o) for position, taken, o in options.values() if is_list(taken)]
    lists += [(position, replace(taken, annotation="list"), o) for position, taken, o in options.values() if _may_be_list(taken)]
    runs = place_runs(lists, request, around)
    for position, taken, run in runs:
        arguments[position][taken.name] = render(taken, [m.value for m in run]) or "..."
        words = request.span(run[0].position, run[-1].position)
        evidence.append(Evidence(f"{taken.name}={arguments[position][taken.name]}", words, _source(callees[position])))
    request = without(request, {m.position for _, _, run in runs for m in run})
    around = Surroundings(request) if runs else around
    singles = [(taken, o) for position, taken, o in options.values() if not is_list(taken) and taken.name not in arguments[position]]
    valued = [o for taken, o in singles if takes_values(taken)]
    head = callees[0]
    program = EntryPoint(head.path, "plain", (), tuple(valued), line=head.line)
    filled = fill(program, (), request, around, used, families, read_bindings(request), weights=by_rules())
    for placed in filled.placed:
        position, taken, _ = options[placed.option.name]
        text = render(taken, placed.values)
        if text is not None and not (text[:1] in "'\"" and text == taken.default):  # a word that it takes anyhow may just be said
            arguments[position][taken.name] = text
            evidence.append(Evidence(f"{taken.name}={text}", placed.words, _source(callees[position])))
    busy = {p for placed in filled.placed for p in placed.positions}
    left = [m for m in filled.left if m.position not in busy]
    for position, taken, _ in options.values():
        if taken.name in arguments[position] or is_switch(taken) or is_list(taken):
            continue
        if found := _rest(taken, left, request):
            text, words, spots = found
            arguments[position][taken.name] = text
            evidence.append(Evidence(f"{taken.name}={text}", words, _source(callees[position])))
            left = [m for m in left if m.position not in spots]
            busy.update(spots)
    wished = 0
    for position, taken, _ in options.values():
        if is_switch(taken) and (said := switched(taken, request, used)):
            wanted, spots = said
            arguments[position][taken.name] = str(wanted)
            evidence.append(Evidence(f"{taken.name}={wanted}", request.span(min(spots), max(spots)), _source(callees[position])))
            busy.update(spots)
            wished += 1
    called = tuple(Called(c, {t.name: a[t.name] for t in c.takes if t.name in a}) for c, a in zip(callees, arguments, strict=True))
    rest = tuple(m for m in filled.left if m.position not in busy and m.position not in hints)
    late = len(filled.left) - len(rest)
    return Calls(called, filled.score + 0.5 * wished + 0.8 * len(runs) + 0.7 * late, rest, tuple(evidence))


def _with_hints(request: Request) -> tuple[Request, frozenset[int]]:
    """The request with those words as numbers too, and where they stand."""
    have = {m.position for m in request.mentions}
    words = {i: t for i, t in enumerate(request.tokens) if t.kind == "word" and t.text.lower() in HINTS and i not in have}
    more = [Mention(HINTS[t.text.lower()], "number", i, t.text) for i, t in words.items()]
    mentions = sorted((*request.mentions, *more), key=lambda m: m.position)
    return (replace(request, mentions=tuple(mentions)), frozenset(words)) if more else (request, frozenset())


def _rest(taken: Taken, left: Sequence[Mention], request: Request) -> tuple[str, str, tuple[int, ...]] | None:
    """A value that no name stands beside: the one choice, `64 in, 10 out`, `no dropout` -> (source, words, positions)."""
    numbers = [m for m in left if m.kind == "number"]
    if taken.choices and taken.required:
        for mention in numbers:
            if mention.value in taken.choices:
                return mention.value, mention.words, (mention.position,)
    words = name_words(taken.name)
    for mention in numbers:
        behind = [t.text.lower() for t in request.tokens[mention.position + 1 : mention.position + 3]]
        for side in ("in", "out"):
            if side in behind and words and words[0].startswith(side) and taken.required:
                last = mention.position + 1 + behind.index(side)
                return mention.value, request.span(mention.position, last), (mention.position,)
    named = MODEL_WORDS.intersection(words) and taken.name not in _OBJECTS and takes_values(taken)
    if named and not re.match(r"-?[.\d]", taken.default or ""):
        for mention in (m for m in left if m.may_be_hub_name and "/" in m.value):
            return repr(mention.value), mention.words, (mention.position,)
    if (taken.default or "").strip("'\"") in _PRECISIONS:
        for position, token in enumerate(request.tokens):
            if token.text in _PRECISIONS and repr(token.text) != taken.default:
                return repr(token.text), token.text, (position,)
    meant = [stem(w) for w in words if w not in WEAK]
    if meant and (re.fullmatch(r"0?\.\d+|0", taken.default or "") or taken.name in _ABSENT):
        for position, token in enumerate(request.tokens[1:], 1):
            if token.stem == meant[0] and request.tokens[position - 1].text.lower() in ("no", "without", "zero"):
                return "0.0", request.span(position - 1, position), (position - 1, position)
    return None


_SEVERAL = re.compile(r"[\[(].*[\])]|\d+(?:/\d+)+|\d+(?:x\d+)+")
"""Several numbers in one word."""
_ABSENT = frozenset({"dropout", "weight_decay", "momentum", "drop_rate", "drop_path_rate", "label_smoothing"})
"""Numbers that are nought where the request wants none of it."""


_OBJECTS = frozenset(
    "model net network module encoder decoder backbone optimizer optim criterion env environment tokenizer dataset loader dataloader"
    " config cfg args hparams diffusion_model diffusion teacher_model student_model callback scheduler logger x inputs".split()
)
"""What a parameter without a default and without a type is called that takes an object, and no number or text."""
_PLAIN_TYPES = re.compile(
    r"^(?:typing\.)?(?:Optional\[|Union\[)?(?:str|int|float|bool|complex|bytes|Path|Any|object|os\.PathLike|Literal|np\.ndarray)\b"
)
_VISION = re.compile(
    r"^(?:resnet\d+|wide_resnet\d+_2|resnext\d+_\w+|vgg\d+(?:_bn)?|densenet\d+|alexnet|mobilenet_v\w+|efficientnet_\w+|vit_[bl]_\d+)$"
)
"""Constructors of torchvision.models."""


def takes_values(taken: Taken) -> bool:
    """Whether text or a number can be given for it, as far as can be told; a switch takes neither."""
    if is_switch(taken):
        return False
    if taken.annotation is not None:
        return bool(_PLAIN_TYPES.match(taken.annotation)) or "str" in taken.annotation or taken.called
    if taken.default is None:
        return taken.name not in _OBJECTS
    return bool(re.match(r"['\"(\[{]|-?[.\d]|None$", taken.default)) or taken.default.startswith(("nn.", "torch.nn."))


def _by_help(taken: Taken) -> list[str]:
    """What a short name stands for: the first words of what is said of it, of each part."""
    parts = re.split(r"[;,.(]", taken.help)
    words = [[w for w in split_identifier(p) if w not in STOPWORDS and w not in WEAK and w.isalpha()][:2] for p in parts[:3]]
    return ["-".join(w) for w in words if w and "default" not in w]


def option_of(name: str, taken: Taken, source: str) -> Option:
    """A parameter as an option is: what it is called, takes and says. `source`: where it stands."""
    dashes = "-" * (len(name) - len(name.rstrip("-")))
    counted = re.match(r"n([bcdfghjklmprstvwz]\w{2,})$", taken.name)  # nhead, nclass
    also = [*_ALSO.get(taken.name, ()), *([counted.group(1)] if counted else []), *(_by_help(taken) if len(taken.name) <= 2 else ())]
    annotation = re.sub(r"^Optional\[(\w+)\]$|\s*\|\s*None$", r"\1", taken.annotation or "")
    kind = annotation if annotation in ("int", "float", "str") else None
    if taken.default in (None, "None") and not taken.annotation and _COUNTS.intersection(name_words(taken.name)[-1:]):
        kind = "float"
    return Option(
        name,
        (name, *(f"--{word}{dashes}" for word in also)),
        source,
        type=kind,
        default=taken.default if taken.default != "None" else None,
        choices=taken.choices or None,
        nargs="+" if takes_texts(taken) else None,
        help=taken.help,
    )


def _may_be_list(taken: Taken) -> bool:
    """Whether nothing but its plural says what it takes: several numbers, if the request says several."""
    open_ended = taken.default is None and taken.annotation is None and taken.kind not in ("args", "kwargs")
    return open_ended and taken.name.endswith("s") and len(name_words(taken.name)) > 1 and taken.name not in _OBJECTS


def render(taken: Taken, values: Sequence[str]) -> str | None:
    """The values as Python source for a parameter; None if they cannot be."""
    if not values:
        return None
    default, annotation = taken.default or "", taken.annotation or ""
    textual = annotation == "str" or re.match(r"['\"]", default) is not None
    if values[0] in ("None", "True", "False"):
        return values[0]
    if takes_texts(taken):
        if all(re.fullmatch(r"-?[\d.]+", v) for v in values):
            return None
        return f"[{', '.join(map(repr, values))}]"
    if LISTS.match(default) or LISTS.match(annotation):
        flat = [p for v in values for p in (re.findall(r"[^\s,()\[\]/x]+", v) if _SEVERAL.fullmatch(v) else [v])]
        items = [_literal(v, textual=False) for v in flat]
        if default.startswith("(") or "uple" in annotation[:12]:
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return f"[{', '.join(items)}]"
    if taken.called:
        return f"torchvision.models.{values[0]}" if _VISION.match(values[0]) else None
    if re.fullmatch(r"(?:torch\.)?nn\.\w+(?:\.\w+)*", default) and values[0].isidentifier():
        return f"torch.nn.{values[0]}"
    return _literal(values[0], textual=textual)


def _literal(value: str, *, textual: bool) -> str:
    if not textual:
        try:
            known = ast.literal_eval(value)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return repr(value)
        if isinstance(known, (int, float, tuple, list)) or known is None:
            return value.strip()
    return repr(value)


def _source(callee: Callee) -> str | None:
    """None for what is not the repository's."""
    return callee.source if callee.path else None


def without(request: Request, positions: Collection[int]) -> Request:
    """The request, with no value at these places."""
    return replace(request, mentions=tuple(m for m in request.mentions if m.position not in positions))
