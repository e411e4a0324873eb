"""Settings written inside one value: `{"lr": 0.1}` (JSON or Python) and lists of `name=value`."""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ml_agent.repo.pysource import parse_python

MAX_CHARACTERS = 4_000
MAX_SETTINGS = 200

_NAME = r"[A-Za-z_]\w*(?:[.-]\w+)*"
_PAIR = re.compile(rf"\s*({_NAME})(\s*=\s*)(\S(?:.*\S)?)\s*", re.DOTALL)
_SEPARATORS = (",,", ";", ",", " ")
_QUOTED = re.compile(r"""(['"])([^'"]*)\1""")
_BARE = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|true|false|null|none|[\[{(].*", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_JSON_WORDS = {"true": "true", "false": "false", "none": "null", "null": "null"}
_PYTHON_WORDS = {"true": "True", "false": "False", "none": "None", "null": "None"}


@dataclass(frozen=True, slots=True)
class Style:
    """How settings are written."""

    kind: Literal["json", "python", "pairs", "words"] = "pairs"
    """`words`: each `name=value` is a word of its own."""
    separator: str = ","
    """Between the pairs."""
    sign: str = "="
    """Between a name and its value."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of one setting."""

    parts: tuple[str, ...]
    """Without quotes; several if it is a list of plain values."""
    quoted: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    style: Style
    values: Mapping[str, Value]
    """In the order in which they are written; of a name that is given again the last value counts."""


def read_settings(text: str) -> Settings | None:
    """The settings that a value consists of; None if it is something else."""
    if len(text) > MAX_CHARACTERS or not re.search(r"[={]", text):
        return None
    found = _read_dict(text.strip()) if text.lstrip().startswith("{") else _read_pairs(text)
    return found if found is not None and 0 < len(found.values) <= MAX_SETTINGS else None


def read_words(words: Sequence[str], sign: str = "=") -> Settings | None:
    """Settings of which each is a word of its own: `a=1 b.c=2`; with another sign `a:1 b:2`."""
    values: dict[str, Value] = {}
    for word in words:
        match = re.fullmatch(rf"({_NAME}){re.escape(sign)}(.+)", word, re.DOTALL)
        if match is None:
            return None
        values[match[1]] = _value(match[2])
    return Settings(Style("words", " ", sign), values) if 0 < len(values) <= MAX_SETTINGS else None


def read_couples(words: Sequence[str]) -> Settings | None:
    """Settings of which each is two words, a name with dots or in capitals and its value: `SOLVER.BASE_LR 0.1`."""
    names = words[::2]
    if not names or len(words) % 2 or not all(re.fullmatch(_NAME, n) and ("." in n or n.isupper()) for n in names):
        return None
    return Settings(Style("words", " ", " "), {n: _value(v) for n, v in zip(names, words[1::2], strict=True)})


def write_words(settings: Settings) -> list[str]:
    """The words that say them: one, or of the style `words` one or two for each."""
    if settings.style.kind != "words":
        return [write_settings(settings)]
    sign = settings.style.sign
    pairs = [(name, _plain(value)) for name, value in settings.values.items()]
    return [w for pair in pairs for w in pair] if sign == " " else [f"{name}{sign}{value}" for name, value in pairs]


def write_settings(settings: Settings) -> str:
    """One value that says them; of the style `words`, all words joined with spaces."""
    style = settings.style
    if style.kind in ("json", "python"):
        quote = _json_text if style.kind == "json" else repr
        inner = ", ".join(f"{quote(name)}: {_literal(value, style)}" for name, value in settings.values.items())
        return f"{{{inner}}}"
    return style.separator.join(f"{name}{style.sign}{_plain(value)}" for name, value in settings.values.items())


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _literal(value: Value, style: Style) -> str:
    quote, bare = (_json_text, _bare_json) if style.kind == "json" else (repr, _bare_python)
    texts = [quote(p) if value.quoted else bare(p) or quote(p) for p in value.parts]
    return f"[{', '.join(texts)}]" if value.many else texts[0]


def _bare_json(text: str) -> str | None:
    """A number, a truth value, nothing or something nested, as JSON writes it; None if it is a text."""
    if not _BARE.fullmatch(text):
        return None
    word = _JSON_WORDS.get(text.lower(), text)
    if _is_json(word):
        return word
    return repr(float(text)) if _NUMBER.fullmatch(text) and abs(float(text)) < 1e300 else None


def _bare_python(text: str) -> str | None:
    if not _BARE.fullmatch(text):
        return None
    word = _PYTHON_WORDS.get(text.lower(), text)
    try:
        ast.literal_eval(word)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return word


def _plain(value: Value) -> str:
    text = f"[{','.join(value.parts)}]" if value.many else value.parts[0]
    return f"'{text}'" if value.quoted and "'" not in text else text


def _read_dict(text: str) -> Settings | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a wrong escape in a text that is only read
            body = parse_python(text).body
    except SyntaxError:
        return None
    node = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    if not isinstance(node, ast.Dict):
        return None
    values: dict[str, Value] = {}
    for key, inner in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and re.fullmatch(_NAME, key.value)):
            return None
        values[key.value] = _inner(inner, text)
    return Settings(Style("json" if _is_json(text) else "python"), values)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _inner(node: ast.expr, text: str) -> Value:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Value((node.value,), quoted=True)
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts and all(isinstance(e, (ast.Constant, ast.UnaryOp)) for e in node.elts):
        parts = [_inner(e, text) for e in node.elts]
        if len({p.quoted for p in parts}) == 1:
            return Value(tuple(p.parts[0] for p in parts), quoted=parts[0].quoted, many=True)
    return Value((ast.get_source_segment(text, node) or ast.unparse(node),))


def _read_pairs(text: str) -> Settings | None:
    separator, parts = ",", [text]
    for tried in _SEPARATORS:
        split = re.split(rf"{re.escape(tried)}(?=\s*{_NAME}\s*=)", text)
        if len(split) > 1:
            separator, parts = tried, split
            break
    values: dict[str, Value] = {}
    sign = "="
    for part in parts:
        match = _PAIR.fullmatch(part)
        if match is None:
            return None
        sign = match[2]
        values[match[1]] = _value(match[3])
    return Settings(Style("pairs", separator, sign), values)


def _value(text: str) -> Value:
    """Of a pair; quotes that are inside the word belong to it."""
    quoted = _QUOTED.fullmatch(text)
    return Value((quoted[2],), quoted=True) if quoted else Value((text,))
