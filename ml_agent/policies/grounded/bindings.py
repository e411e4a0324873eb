"""What the request binds to a name by itself: `--lr 0.3`, `lr=0.3`, and whole commands."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.passed_over import changes
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.policies.grounded.vocabulary import MODEL_WORDS, WEAK
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS, stem
from ml_agent.repo.shell import parse, run_target

_VALUE = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s,;)`]+)"""
_FLAG = re.compile(rf"(?<![\w-])(?P<name>--?[A-Za-z][\w-]*)(?:\s*=\s*|[ \t]+)?(?P<value>(?<=[=\s])(?!--?[A-Za-z]){_VALUE})?")
_EQUALS = re.compile(rf"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?P<value>{_VALUE})")
_CHAIN = re.compile(rf"(?<![\w.-])(?P<names>(?:[A-Za-z_][\w.-]*[ \t]*=[ \t]*){{2,8}}+)(?P<value>{_VALUE})")
"""`a = b = 3`: both have the last value."""
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)(?:[eE]-?\d+)?"
_COLON = re.compile(rf"(?<![\w/:.@-])(?P<name>(?!(?:cuda|mps|xpu|npu|localhost|https?):)[A-Za-z]\w*):(?P<value>{_NUMBER})(?![\w:/])")
"""`lr:0.1`, without a space: numbers only."""
_SET = re.compile(
    r"(?<![\w/.-])(?P<name>(?=\w*[_\d])[A-Za-z]\w*)[ \t]+(?:(?:is[ \t]+|be[ \t]+)?(?:set[ \t]+)?to|is)[ \t]+"
    rf"(?P<value>[Tt]rue|[Ff]alse|None|{_NUMBER}|(?:~|\.{{1,2}})?/[\w./-]*\w|[`'\"][^`'\"\s]+[`'\"])(?![\w/])"
)
"""`fp16 set to False`, `n_heads is 8`, `data_dir is /data`: what is written as a name in code, and no word."""
_WITH_NUMBER = re.compile(r"(?P<name>[A-Za-z]{2,})[-_]?(?P<number>\d{1,4})")
_MEASURE = re.compile(r"(?<![a-z0-9])\d+[-_]?[a-z]{2,}(?![a-z])")
_SWITCHING = WEAK | {"load", "enable", "with", "quantize", "quantized", "precision", "mode"}
_DENIALS = frozenset("without no not don't never instead".split())
_DEPTHS = frozenset({"depth", "layers"})
_COMMAND = re.compile(
    r"(?:^|(?<=[\s`\"'(:]))(?:[A-Z_]+=\S+[ \t]+)*"
    r"(?:python3?|bash|sh|torchrun|accelerate|deepspeed)[ \t]+[^\n`]+",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Binding:
    """A name with the value that the request gives it in so many signs."""

    name: str
    """As written: `--lr`, `lr`."""
    value: str
    """Without quotes; empty for a flag that stands alone."""
    words: str
    positions: tuple[int, ...]
    """Tokens of name and value."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command that stands in the request itself."""

    command: Command
    positions: frozenset[int]


def glued_bindings(program: EntryPoint, request: Request) -> Iterator[Binding]:
    """Numbers in one word with the name of their option: `conv5` for --conv, `top-3` for --topk, `YOLOv5` for --yolo-version."""
    options = [(o, told[0]) for o in program.options if o.takes_value and len(told := _telling(o.name)) == 1]
    for position, token in enumerate(request.tokens):
        parts = _WITH_NUMBER.fullmatch(token.text) if token.kind == "word" else None
        if parts is None:
            continue
        name = parts["name"].lower()
        for option, word in options:
            if any((stem(n),) in phrases_for(word) for n in (name, name.removesuffix("v"))):
                number = next((n for n in ("v" + parts["number"], parts["number"]) if n in (option.choices or ())), "")
                if number or (not option.choices and (option.type == "int" or re.fullmatch(r"\d+", option.default or ""))):
                    yield Binding(option.name, number or parts["number"], token.text, (position,))


def depth_bindings(program: EntryPoint, request: Request) -> Iterator[Binding]:
    """A name and a number for two options: `ResNet-34` for `--model resnet --model_depth 34`, where a model is called without its depth."""
    depths = [o for o in program.options if o.takes_value and o.type == "int" and not _DEPTHS.isdisjoint(name_words(o.name))]
    for position, token in enumerate(request.tokens):
        parts = _WITH_NUMBER.fullmatch(token.text) if token.kind == "word" and len(depths) == 1 else None
        if parts is None:
            continue
        name = parts["name"].lower()
        for option in (o for o in program.options if o.takes_value and not MODEL_WORDS.isdisjoint(name_words(o.name))):
            whole = squeeze(token.text) in map(squeeze, option.choices or ())
            if not whole and name in (*(option.choices or ()), (option.default or "").strip("'\"")):
                yield Binding(option.name, name, token.text, (position,))
                yield Binding(depths[0].name, parts["number"], token.text, (position,))


def measured_flags(program: EntryPoint, request: Request) -> Iterator[Binding]:
    """Switches that are called by a number and its unit: `8-bit` for --load-8bit. The number is no value of another option."""
    found: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for option in (o for o in program.options if o.action == "flag"):
        measure = _MEASURE.search(option.name.lower())
        span = request.grams.get(squeeze(measure.group())) if measure is not None else None
        if (
            measure is None
            or span is None
            or not _DENIALS.isdisjoint(t.text.lower() for t in request.tokens[max(0, span[0] - 5) : span[0]])
        ):
            continue
        rest = [w for w in name_words(option.name[: measure.start()] + option.name[measure.end() :]) if w not in _SWITCHING]
        if all(stem(w) in request.stems for w in rest):
            found.setdefault(span, []).append((len(rest), option.name))
    for span, names in found.items():
        yield Binding(max(names)[1], "", request.span(*span), tuple(range(span[0], span[1] + 1)))


def _is_of_another(positions: Sequence[int], request: Request) -> bool:
    """`a_b and c_d set to 1 and 2, respectively`: 1 is not what c_d is set to."""
    start, end = request.respective.get(positions[-1], (0, len(request.tokens)))
    return not start <= positions[0] < end


def _telling(name: str) -> list[str]:
    return [w for w in name_words(name) if w not in WEAK and w != "version"]


def read_bindings(request: Request) -> list[Binding]:
    """In the order of the text; a name that is bound twice has its last value last."""
    found: dict[int, Binding] = {}
    for pattern in (_SET, _COLON, _EQUALS, _FLAG):
        for match in pattern.finditer(request.text):
            value = (match["value"] or "").rstrip(".:!?").strip("\"'")
            at = request.between(match.start("name"), match.end())
            if at and not _is_of_another(at, request):
                found[match.start("name")] = Binding(match["name"], value, match.group().strip(), at)
    for match in _CHAIN.finditer(request.text):
        value = match["value"].rstrip(".:").strip("\"'")
        last = request.between(match.start("value"), match.end())
        for name in re.finditer(r"[A-Za-z_][\w.-]*", match["names"]):
            start, end = match.start() + name.start(), match.start() + name.end()
            at = (*request.between(start, end), *last)
            found[start] = Binding(name.group(), value, match.group().strip(), at)
    return [found[start] for start in sorted(found)]


def given_commands(request: Request, programs: Sequence[EntryPoint]) -> list[Given]:
    """Commands in the request that run one of the programs; the prose behind a command is left off."""
    found = []
    for match in _COMMAND.finditer(request.text):
        script = parse(match.group().strip("\"' "))
        for shell in script.commands[:1]:
            target = run_target(shell.words)
            if target is None:
                continue
            value = target.value.replace(".", "/") + ".py" if target.kind == "module" else target.value.removeprefix("./")
            program = next((p for p in programs if p.path == value), None) or next(
                (p for p in programs if p.path.endswith("/" + value)), None
            )
            if program is None:
                continue
            words = [w.text for w in shell.words[: target.index + 1]]
            rest = [w.text for w in shell.words[target.index + 1 :]]
            words += _arguments(rest)
            folder = "." if target.kind == "module" else program.path[: len(program.path) - len(value)].rstrip("/") or "."
            end = match.start() + _end_of(match.group(), words[-1])
            positions = frozenset(request.between(match.start(), end))
            found.append(Given(Command(tuple(words), program.path, target.index, folder, "", environment=shell.assignments), positions))
    return found


def _arguments(words: Sequence[str]) -> list[str]:
    """The words up to where prose goes on: a plain word of English that no option waits for."""
    kept: list[str] = []
    waiting = False
    for word in words:
        option = re.match(r"--?[A-Za-z]", word)
        if not option and not waiting and word.lower() in STOPWORDS:
            break
        kept.append(word)
        waiting = bool(option) and "=" not in word
    if kept:
        kept[-1] = re.sub(r"[.,;:!?]+$", "", kept[-1]) or kept[-1]
    return kept


def _end_of(text: str, last: str) -> int:
    at = text.rfind(last)
    return at + len(last) if at >= 0 else len(text)


def changed_bindings(options: Sequence[Option], documented: Mapping[str, Sequence[str]], request: Request) -> Iterator[Binding]:
    """What takes the place of a value that one option alone is documented with, or has: `move from ptb to text8`. By option name."""
    values = {m.position: m.value for m in request.mentions if m.kind not in ("number", "shape")}
    options = [o for o in options if not o.choices]  # those are known however they are spelled
    for first, last in changes(request.tokens):
        old = squeeze(request.tokens[first].text)
        have = [o for o in options if old in {squeeze(v) for v in (*documented.get(o.name, ()), (o.default or "").strip("'\""))}]
        if len(have) == 1 and last in values:
            yield Binding(have[0].name, values[last], request.span(first, last), (first, last))
