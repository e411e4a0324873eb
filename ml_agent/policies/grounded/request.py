"""Reading the request: its words, and the values that it mentions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from ml_agent.policies.grounded.vocabulary import ABBREVIATIONS, GENERIC, NUMBER_WORDS, WEAK
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

MENTIONS = 200
"""Values of one request that are looked at, the first: no command line takes more, and a pasted table must not take minutes."""

MentionKind = Literal["number", "shape", "quoted", "path", "identifier", "name", "word"]
"""`word`: a plain word behind `on`, which may name a data set or a device."""

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+"
_TOKEN = re.compile(
    rf"""(?P<shape>[\[(]\s*+(?>{_NUMBER})(?:\s*+,\s*+(?>{_NUMBER}))*+\s*+,?\s*+[\])])
    |(?P<quoted>`[^`\n]{{1,200}}`|"[^"\n]{{1,200}}"|(?<!\w)'[^'\n]{{1,200}}'(?!\w)|\u201c[^\u201d\n]{{1,200}}\u201d|\u2018[^\u2019\n]{{1,200}}\u2019)
    |(?P<path>(?:~|\.{{1,2}})?/(?:[\w.@+\-]+/?)+|(?<![\w@+\-])[\w@+\-]+(?:/[\w.@+\-]+)+/?|(?<![\w\-])[\w\-]+\.(?:jpe?g|png|gif|bmp|tiff?|csv|tsv|txt|jsonl?|ya?ml|npy|npz|pth|pt|ckpt|bin|wav|mp3|mp4|avi|h5|pkl|toml|pdb|fasta|nii|zip|py|sh)\b)
    |(?P<number>(?<![\w.])(?:{_NUMBER})(?![\w]|\.\d))
    |(?P<word>\w(?:[\w.+\-]*\w)?)
    |(?P<stop>[.!?;:](?=\s|$)|\n\n)
    |(?P<comma>[,/|()&])""",
    re.VERBOSE,
)
"""Linear in the text: what has no end in sight is not looked for again from each of its characters."""


_ORDINARY = (
    frozenset(word for key, phrases in ABBREVIATIONS.items() for word in (key, *(w for p in phrases for w in p)))
    | WEAK
    | GENERIC
    | {"usage", "task", "project", "code", "script", "python", "bash"}
)
"""Words that name kinds of things: capitalised, they are still no value."""


_FOLDERS = frozenset({"directory", "folder", "dir"})
_INSIDE = frozenset({"in", "inside", "within", "under", "at", "from", "of"})


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    stem: str
    start: int
    end: int
    kind: str
    """The name of the pattern group: shape, quoted, path, number, word, stop, comma."""
    filler: bool
    """A word that carries no meaning here (article, pronoun, courtesy)."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that the request names."""

    value: str
    """As it would stand in a command: quotes removed, thousands separators removed."""
    kind: MentionKind
    position: int
    """Of its token."""
    words: str
    """As it stands in the request."""


@dataclass(frozen=True)
class Request:
    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words that carry meaning, also the words inside quotes and compounds."""
        found = {t.stem for t in self.tokens if t.kind == "word" and not t.filler}
        for token in self.tokens:
            if token.kind != "stop":
                found.update(stem(w) for w in re.findall(r"[a-z]+|\d+", token.text.lower()) if w not in STOPWORDS)
        return frozenset(found)

    @cached_property
    def words(self) -> tuple[tuple[str, int], ...]:
        """(stem, token position) of every word in order; a compound gives its parts and itself squeezed."""
        found: list[tuple[str, int]] = []
        for position, token in enumerate(self.tokens):
            if token.kind in ("stop", "comma", "number", "shape"):
                continue
            parts = split_identifier(token.text)
            found.extend((stem(p), position) for p in parts)
            if len(parts) > 1 and token.kind == "word":
                found.append((stem(squeeze(token.text)), position))
        return tuple(found)

    @cached_property
    def grams(self) -> dict[str, tuple[int, int]]:
        """Runs of 1 to 5 neighbouring words, squeezed to letters and digits -> (first token, last token)."""
        found: dict[str, tuple[int, int]] = {}
        words = [i for i, t in enumerate(self.tokens) if t.kind not in ("stop", "comma")]
        for size in range(1, 6):
            for k in range(len(words) - size + 1):
                span = words[k : k + size]
                if span[-1] - span[0] != size - 1:
                    continue
                squeezed = squeeze("".join(self.tokens[i].text for i in span))
                if squeezed:
                    found.setdefault(squeezed, (span[0], span[-1]))
        return found

    @cached_property
    def bases(self) -> dict[str, tuple[int, int]]:
        """Names without their version, squeezed: `SQuAD2.0` is a `squad`, `ResNet50` a `resnet`."""
        found: dict[str, tuple[int, int]] = {}
        for i, token in enumerate(self.tokens):
            base = squeeze(re.sub(r"[-_]?v?(?<![\d.])\d[\d.]*[a-z]?$", "", token.text, flags=re.IGNORECASE))
            if len(base) > 3 and token.kind not in ("stop", "comma"):
                found.setdefault(base, (i, i))
        return found

    def span(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last].end]


def unused_words(request: Request, left: Sequence[Mention]) -> tuple[str, ...]:
    """What the request asks for with these mentions, in its own words: a number with the word that says what it is."""
    found = []
    for mention in left:
        if mention.kind in ("name", "word"):
            continue
        first = last = mention.position
        if mention.kind == "number":
            before = next((i for i in range(first - 1, max(-1, first - 3), -1) if _says_something(request.tokens[i])), first)
            behind = first + 1 if first + 1 < len(request.tokens) and _says_something(request.tokens[first + 1]) else first
            first, last = (first, behind) if behind > first else (before, first)
        found.append(request.span(first, last))
    return tuple(dict.fromkeys(found))


def _says_something(token: Token) -> bool:
    return token.kind == "word" and not token.filler


def squeeze(text: str) -> str:
    """Letters and digits only, lower case: `Care-GNN` and `caregnn` become equal."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def read_request(text: str) -> Request:
    tokens = tuple(_tokens(text))
    return Request(text, tokens, tuple(_in_folders(list(islice(_mentions(tokens), MENTIONS)), tokens)))


def _tokens(text: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(text):
        word, kind = match.group(), match.lastgroup or "word"
        if kind == "word" and word.endswith("."):
            word = word.rstrip(".")
        lowered = word.lower()
        found.append(Token(word, stem(lowered), match.start(), match.start() + len(word), kind, kind == "word" and lowered in STOPWORDS))
    return found


def _mentions(tokens: tuple[Token, ...]) -> Iterator[Mention]:
    for position, token in enumerate(tokens):
        mention = _mention(token, position, tokens)
        if mention:
            yield mention


def _in_folders(mentions: list[Mention], tokens: tuple[Token, ...]) -> list[Mention]:
    """`base_v2 in the ./models/ directory` is one value, `./models/base_v2`: the folder alone is none."""
    joined = list(mentions)
    for folder in mentions:
        behind = tokens[folder.position + 1].text.lower() if folder.position + 1 < len(tokens) else ""
        before = [t.text.lower() for t in tokens[max(0, folder.position - 8) : folder.position]]
        said = folder.value.endswith("/") or behind in _FOLDERS or bool(_FOLDERS.intersection(before[-3:]))
        if folder.kind != "path" or not said or not _INSIDE.intersection(before):
            continue
        names = [m for m in joined if m.kind in ("identifier", "quoted") and 0 < folder.position - m.position <= 16 and " " not in m.value]
        same = [m for m in names if not any(t.kind == "stop" for t in tokens[m.position : folder.position])]
        if same:
            name = same[-1]
            joined[joined.index(name)] = Mention(f"{folder.value.rstrip('/')}/{name.value}", "path", name.position, name.words)
            joined.remove(folder)
    return joined


def _mention(token: Token, position: int, tokens: tuple[Token, ...]) -> Mention | None:
    text = token.text
    if token.kind == "number":
        return Mention(text.replace(",", "").lstrip("+"), "number", position, text)
    if token.kind == "shape":
        return Mention(re.sub(r"\s+", "", text), "shape", position, text)
    if token.kind == "quoted":
        value = re.sub(r"^\.\s+/", "./", text[1:-1].strip()).rstrip(",")
        if not value:
            return None
        if re.search(r"\w\.$", value) and " " not in value:
            value = value[:-1]  # the sentence's end, which is written inside the quotes
        kind: MentionKind = "path" if re.search(r"[/\\]", value) and " " not in value else "quoted"
        return Mention(value, kind, position, text)
    if token.kind == "path":
        return Mention(text.rstrip("."), "path", position, text)
    if token.kind != "word":
        return None
    if text.lower() in NUMBER_WORDS:
        return Mention(str(NUMBER_WORDS[text.lower()]), "number", position, text)
    if text.lower().rstrip("s") in _ORDINARY:
        return None
    if re.search(r"\d", text) or "_" in text or re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", text):
        return Mention(text, "identifier", position, text)
    if stem(text.lower()) in _ORDINARY or text.lower().rstrip("s") in _ORDINARY:
        return None
    behind = position and tokens[position - 1].text.lower() == "on"
    if behind and text.islower() and not token.filler and len(text) > 2:
        return Mention(text, "word", position, text)  # `train on cifar`
    starts = position == 0 or tokens[position - 1].kind == "stop"
    if text[0].isupper() and (not starts or text.isupper()) and text != "I" and not token.filler:
        return Mention(text, "name", position, text)
    return None
