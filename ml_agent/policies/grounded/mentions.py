"""The values that a request mentions: which of its tokens may stand in a command or in code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ml_agent.policies.grounded.abbreviations import ABBREVIATIONS
from ml_agent.policies.grounded.tokens import Token, is_ending, is_file
from ml_agent.policies.grounded.vocabulary import GENERIC, WEAK
from ml_agent.repo.lexical import stem

MentionKind = Literal["number", "shape", "quoted", "path", "identifier", "name", "word"]
"""`word`: a plain word whose place says that it is a value: behind `on`, or what something is to be called."""

_ORDINARY = (
    frozenset(word for key, phrases in ABBREVIATIONS.items() for word in (key, *(w for p in phrases for w in p)))
    | WEAK
    | GENERIC
    | {"usage", "task", "project", "code", "script", "python", "bash"}
)
"""Words that name kinds of things: capitalised, they are still no value."""

_NO_NAMES = frozenset(
    "i ok okay pls tl dr eg ie vs mp3 mp4 1d 2d 3d hz khz mhz kb mb gb tb kib mib gib ms am pm january february march april may june july "
    "august september october november december monday tuesday wednesday thursday friday saturday sunday readme biases".split()
)
"""Capitals, or letters with digits, that are no value: units, days and months, courtesies, formats, dimensions."""

_SWITCHES = frozenset("turn turned turning switch switched switching".split())
"""`turn on caching`: what stands behind is not what it is done on."""
_NO_PLACES = frozenset("top disk port average purpose hand board demand startup screen behalf time course schedule paper both all".split())
"""What stands behind `on` in everyday phrases."""

_HARDWARE = re.compile(r"(?:[VAHPLTKB]\d{1,3}[GX]?|RTX\w*|GTX\w*)s?", re.IGNORECASE)
_RANK = re.compile(r"(?:top|best|pass)-\d+|(?:pre|non|re|un|co|sub|post|anti|multi|self|semi|x)-[a-z]+s?", re.IGNORECASE)
_LIKE = re.compile(r"-(?:sized?|styled?|like|based|trained|pretrained|shaped|type|format|compatible)$")
_SIZED = re.compile(
    r"[a-z][a-z\d]*(?:-[a-z\d]+)*-(?:tiny|mini|micro|small|base|medium|large|xlarge|huge|giant|xl|xxl|uncased|cased)(?:-[a-z]+)*"
)
"""Names of models in lower case: they end in a size, or in what their vocabulary is."""
_DOTTED = re.compile(r"[a-z][a-z-]+(?:\.[a-z-]{2,8})*\.[a-z]{2,8}")
"""A file with an ending of its own: `owl.test`, `train.en`, `test.en-it.dict`."""
_NOT_SIZED = frozenset("code data knowledge user extra very too model customer fan installed".split())
_SEVERAL = frozenset("columns fields metrics measures tasks languages classes datasets labels".split())
"""Names of things in front of a list of them: `the columns Temp and wind`."""
_NAMING = frozenset("call name label dub title".split())
_NAMED = frozenset("called named labelled labeled titled dubbed".split())
_PUTS = frozenset("go goes going saved save written write stored store put placed kept keep land lands dump dumped export exported".split())
_INTO = frozenset({"to", "into", "in", "under", "->"})
_WRITTEN = frozenset("logs checkpoints results outputs output predictions events figures plots summaries snapshots".split())
_NO_FOLDERS = frozenset(
    "disk console stdout screen terminal parallel total colour color advance general detail full place turn order batches chunks memory "
    "shards pieces streams grayscale scratch there here".split()
)
"""What stands behind `logs to` or `results in` and is no place of a name."""
_OF_FOLDERS = _WRITTEN | set("the my data save log cache image input model checkpoint in from to into under and between with is".split())
"""Words before `folder` that say which one it is, or that it is named behind."""
_READ = frozenset("data dataset images pictures photos files corpus texts documents recordings videos audio scans".split())
_BE = frozenset("is are be lie lies sit sits live lives stored located found kept".split())
_INSIDE_OF = frozenset({"in", "under", "from", "inside"})
_CLAUSE = frozenset("and or with for on in at to from into then but please using as so of by under".split())
"""Words before which a clause's last word may stand."""
_FOLDERS = frozenset({"directory", "folder", "dir"})
_INSIDE = frozenset({"in", "inside", "within", "under", "at", "from", "of"})
_COLUMN = re.compile(r"\b(?:column|field)(?: (?:to be \w+|to \w+|with the \w+))?(?: (?:is|are|:|=))?$")
"""In front of the name of a column: `the item column sku`, `the column to be predicted is price`."""
_ELSE = frozenset({"on", "with", "for", "to", "into", "using", "by", "over", "onto"})
_TAKEN = re.compile(r"taken|busy|occupied|broken|reserved", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that the request names."""

    value: str
    """As it would stand in a command: quotes removed, numbers in digits."""
    kind: MentionKind
    position: int
    """Of its token; a value of several words is one token."""
    words: str
    """As it stands in the request."""
    fraction: str = ""
    """Of a percentage (`15 %` -> 0.15) or a part (`a fifth of` -> 0.2): what it is of one. The value of a part is the same."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The sides of a shape (`(1, 3, 64)`, `64x64`, `1/2/4`); of another kind, the value alone."""
        if self.kind != "shape":
            return (self.value,)
        return tuple(p for p in re.split(r"[\s,()\[\]x/]+", self.value) if p)

    @property
    def may_be_hub_name(self) -> bool:
        """`owner/model`: two parts, and no file's extension. A folder of the repository may be written alike."""
        return self.kind == "path" and re.fullmatch(r"\w[\w.\-]*/\w[\w.\-]*", self.value) is not None and not is_file(self.value)


def find_mentions(tokens: Sequence[Token]) -> Iterator[Mention]:
    """In the order of the tokens, at most one of each."""
    word = -1  # the last token that was a plain word's value: a list of them may go on
    for position in range(len(tokens)):
        mention = _mention(tokens, position, position - word == 2)
        if mention:
            word = position if mention.kind in ("word", "name", "identifier") and _follows_on(tokens, position, word) else -1
            yield mention


def _follows_on(tokens: Sequence[Token], position: int, word: int) -> bool:
    return position - word == 2 or _before(tokens, position) == "on" or _before(tokens, position) in _SEVERAL


def in_folders(mentions: list[Mention], tokens: Sequence[Token]) -> list[Mention]:
    """`base_v2 in the ./models/ directory` is one value, `./models/base_v2`: the folder alone is none."""
    joined = list(mentions)
    for folder in mentions:
        behind = tokens[folder.position + 1].text.lower() if folder.position + 1 < len(tokens) else ""
        before = [t.text.lower() for t in tokens[max(0, folder.position - 8) : folder.position]]
        said = folder.value.endswith("/") or behind in _FOLDERS or bool(_FOLDERS.intersection(before[-3:]))
        if folder.kind != "path" or not said:
            continue
        near = [m for m in joined if m.kind in ("identifier", "quoted") and 0 < folder.position - m.position <= 16 and " " not in m.value]
        names = [m for m in near if _before(tokens, m.position) != "on"]  # `on OwlNet under nests/`: the data, and where they are
        between = [(m, tokens[m.position + 1 : folder.position]) for m in names]
        same = [m for m, words in between if _last_place(words) in _INSIDE and not any(map(_parts_them, words))]
        if same:
            name = same[-1]
            joined[joined.index(name)] = Mention(f"{folder.value.rstrip('/')}/{name.value}", "path", name.position, name.words)
            joined.remove(folder)
    return joined


def _last_place(words: Sequence[Token]) -> str:
    """The last word that says where, or whereby: `rank 8 on my` is not inside of anything."""
    return next((t.text.lower() for t in reversed(words) if t.text.lower() in _INSIDE | _ELSE), "")


def _parts_them(token: Token) -> bool:
    """Another clause begins, and the place is of what is said there."""
    return token.kind == "stop" or token.text in (",", "(") or token.text.lower() in ("it", "that", "which", "they")


def _before(tokens: Sequence[Token], position: int) -> str:
    return tokens[position - 1].text.lower() if position else ""


def _mention(tokens: Sequence[Token], position: int, in_list: bool) -> Mention | None:
    token = tokens[position]
    text = token.text
    if token.kind == "number":
        if (
            token.value == "1"
            and tokens[position + 1 : position + 2]
            and _is_each_its_own([t.text.lower() for t in tokens[position + 1 : position + 5]])
        ):
            return None
        return None if _is_taken(tokens, position) else Mention(token.value, "number", position, text, token.fraction)
    if token.kind == "shape":
        value = re.sub(r"\s+", "", text)
        return Mention(value if value[0] in "[(" else re.sub(r"-?by-?|\u00d7", "x", value), "shape", position, text)
    if token.kind == "quoted":
        return _quoted(text, position)
    if token.kind == "path":
        return Mention(text, "identifier", position, text) if is_ending(text) else _path(text, position)
    return _word(tokens, position, in_list) if token.kind == "word" else None


def _is_each_its_own(words: Sequence[str]) -> bool:
    """`one process per GPU` is how it is, and no setting."""
    return (
        words[:1] in (["process"], ["worker"], ["job"])
        and re.match(r"(?:per|(?:for|on) each) (?:gpu|card|device)", " ".join(words[1:])) is not None
    )


def _is_taken(tokens: Sequence[Token], position: int) -> bool:
    """`card 0 is taken`, `8887 is already in use`: what is said not to be free is not asked for."""
    following = [t.text for t in tokens[position + 1 : position + 4]]
    return bool(following) and following[0].lower() in ("is", "are", "being") and any(_TAKEN.fullmatch(w) for w in following)


def _quoted(text: str, position: int) -> Mention | None:
    value = re.sub(r"^\.\s+/", "./", text[1:-1].strip()).rstrip(",")
    if not value:
        return None
    if re.search(r"\w\.$", value) and " " not in value:
        value = value[:-1]  # the sentence's end, which is written inside the quotes
    located = bool(re.search(r"[/\\]", value)) if " " not in value else bool(re.match(r"(?:~|\.{1,2})?/\S", value))
    return Mention(value, "path" if located or is_file(value) else "quoted", position, text)


def _path(text: str, position: int) -> Mention | None:
    parts = text.lower().strip("/").split("/")
    if text.count("/") == 1 and (all(len(p) == 1 for p in parts) or parts[0] in ("and", "either", "he", "his")):
        return None  # `w/o`, `n/a`, `and/or`
    if re.fullmatch(r"[A-Za-z][\w\-]*/\d{1,3}(?:@\w+)?", text) and not text.islower():
        return Mention(text, "identifier", position, text)  # `ViT-B/32`
    return Mention(text, "path", position, text)


def _word(tokens: Sequence[Token], position: int, in_list: bool) -> Mention | None:
    token = tokens[position]
    text, lowered = token.text, token.text.lower()
    before = _before(tokens, position)
    if _is_called(tokens, position):
        special = re.search(r"\d|_|[a-z][A-Z]", text)
        of_folder = before in _FOLDERS or (before in _NAMED and position > 1 and tokens[position - 2].text.lower() in _FOLDERS)
        kind: MentionKind = "path" if of_folder else "identifier" if special else "word" if text.islower() else "name"
        return Mention(text, kind, position, text)
    if (
        lowered in _NO_NAMES
        or lowered.rstrip("s") in _ORDINARY
        or _RANK.fullmatch(text)
        or (text[0].isupper() and _HARDWARE.fullmatch(text))
    ):
        return None
    if (
        re.search(r"\d|_|[a-z][A-Z]|[A-Z]{2}[a-z]|:", text)
        or _DOTTED.fullmatch(text)
        or (_SIZED.fullmatch(text) and text.split("-")[0] not in _NOT_SIZED)
    ):
        return Mention(text, "identifier", position, text)
    if stem(lowered) in _ORDINARY or token.filler:
        return None
    goes_on = in_list and before in (",", "and", "or", "&") and _ends_clause(tokens, position)
    switched = before == "on" and position > 1 and tokens[position - 2].text.lower() in _SWITCHES
    if (
        (before == "on" or goes_on)
        and not switched
        and text.islower()
        and len(text) > 2
        and lowered not in _NO_PLACES
        and not text.endswith("ing")
    ):
        return Mention(text, "word", position, text)  # `train on cifar`, `on cifar and svhn`
    if text[0].isupper() and (text.isupper() or not _starts(tokens, position)):
        return Mention(_LIKE.sub("", text), "name", position, text)
    return None


def _lies(before: Sequence[str]) -> bool:
    """`the images are in`, `data from`: what is read, and that it is somewhere."""
    at = len(before)
    while at and before[at - 1] in _BE:
        at -= 1
    return at > 0 and before[at - 1] in _READ


def _starts(tokens: Sequence[Token], position: int) -> bool:
    """The first word of a sentence, also behind one that ends inside quotes or brackets."""
    if position == 0 or tokens[position - 1].kind == "stop":
        return True
    last = tokens[position - 1]
    return last.kind == "quoted" and last.text[-2] in ".!?"


def _ends_clause(tokens: Sequence[Token], position: int) -> bool:
    if position + 1 == len(tokens):
        return True
    following = tokens[position + 1]
    return following.kind in ("stop", "comma") or following.text.lower() in _CLAUSE


def _is_called(tokens: Sequence[Token], position: int) -> bool:
    """`call the experiment hop`, `named owl`, `the folder logs`: the last word of its clause, behind a word for giving names."""
    token = tokens[position]
    if (token.filler and token.text != "out") or not _ends_clause(tokens, position):
        return False
    before = [t.text.lower() for t in tokens[max(0, position - 4) : position]]
    if before and before[-1] in _INTO and (any(w in _PUTS for w in before[:-1]) or _WRITTEN.intersection(before[-2:-1])):
        return token.text.lower() not in _NO_FOLDERS
    if before and (before[-1] in _NAMED or (before[-1] in _FOLDERS and before[-2:-1] and before[-2] in _OF_FOLDERS)):
        return True
    if before and before[-1] in _INSIDE_OF and _lies(before[:-1]) and len(token.text) > 2:
        return token.text.islower() and token.text not in _NO_FOLDERS and stem(token.text) not in _ORDINARY
    if token.text.lower().rstrip("s") in _ORDINARY:
        return False
    if _COLUMN.search(" ".join(t.text.lower() for t in tokens[max(0, position - 6) : position])):
        return len(token.text) > 1 or token.text.islower()
    for back in range(2, len(before) + 1):
        if before[-back] in _NAMING and before[1 - back] in ("it", "the", "this", "my", "them"):
            named = tokens[position - back + 2 : position]
            return all(t.says_something for t in named) and (back > 2 or before[-1] in ("it", "this", "them"))
    return False
