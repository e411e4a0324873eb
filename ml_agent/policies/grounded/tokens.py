"""The tokens of a request: words, numbers, shapes, quotes, paths and stops, each with its place in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ml_agent.policies.grounded.number_words import NUMBER_WORDS, UNIT
from ml_agent.repo.lexical import STOPWORDS, stem

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d{1,3}(?:_\d{3})+(?![\d_])|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+]?\.\d+(?:[eE][-+]?\d+)?"
_FILES = (
    "jpe?g|png|gif|bmp|tiff?|webp|csv|tsv|txt|jsonl?|parquet|xlsx|ya?ml|toml|ini|cfg|xml|md|npy|npz|pth|pt|ckpt|bin|safetensors|onnx|h5|hdf5|"
    "pkl|pickle|t7|wav|mp3|flac|ogg|m4a|midi?|mp4|avi|mov|mkv|webm|pdb|sdf|mol2|smi|cif|fasta|nii|dcm|obj|ply|stl|glb|gltf|fbx|pcd|mat|svg|pdf|"
    "zip|tar|tgz|gz|bz2|7z|py|sh|ipynb|html|tflite|gguf|caffemodel|prototxt|weights|joblib|tfrecords?|lmdb|feather|srt|vtt"
)
_NAME = r"[\w.@+\-*]+(?:![\w.@+\-*]+)?"
_PLACE = rf"{_NAME}(?:={_NAME})?(?:/{_NAME}(?:={_NAME})?)*/?"
_ATOMS = r"[\w@+=#\[\]\-]"
"""What chains of atoms are written with, `CC(=O)Oc1ccccc1`: no space, and letters right behind a bracket."""
_SIDE = r"[1-9]\d{0,5}"
_PART = rf"(?:\d{{1,6}}\.\d{{1,6}}|{_SIDE})"
_TOKEN = re.compile(
    rf"""(?P<shape>[\[(]\s*+(?>{_NUMBER})(?:\s*+,\s*+(?>{_NUMBER}))*+\s*+,?\s*+[\])]
        |(?<![\w.\-]){_SIDE}(?:(?:[ \t]?[x\u00d7][ \t]?|[ \t]by[ \t]|-by-){_SIDE}){{1,5}}+(?!\w|\.\d)
        |(?<![\w./]){_PART}(?:/{_PART}){{1,15}}+(?![\w/]|\.\w))
    |(?P<quoted>`[^`\n]{{1,200}}`|"[^"\n]{{1,200}}"|(?<!\w)'[^'\n]{{1,200}}'(?!\w)|\u201c[^\u201d\n]{{1,200}}\u201d|\u2018[^\u2019\n]{{1,200}}\u2019)
    |(?P<path>(?<!\w)[A-Za-z][A-Za-z0-9+.\-]{{0,15}}://[^\s'"`<>()]+
        |(?:~|\.{{1,2}})?/{_PLACE}
        |(?<![\w@+\-.])[\w@+\-][\w@+\-.]*(?:/{_PLACE}|(?<=\w\w)/(?=[\s,.;:!?)]|$))
        |(?<![\w\-.%])[\w\-%]+(?:\.[\w\-]+)*?\.(?:{_FILES})(?![\w\-]|\.\w)
        |(?<![\w\-.)\]])\.(?:{_FILES})(?![\w\-]|\.\w))
    |(?P<number>(?<![\w.])(?:\d{{1,5}}(?:\^|\*\*)-?\d{{1,2}}(?![\w.^*])|(?:{_NUMBER})(?:{UNIT})?(?!\w|\.\d|\.x\b|\.(?!and\b|the\b|for\b|but\b|use\b|set\b|run\b)[a-z]{{3}}\b)))
    |(?P<word>(?<!{_ATOMS})[A-Za-z]{_ATOMS}*+(?:\({_ATOMS}{{1,40}}\){_ATOMS}++)+|(?<!\w)(?:cuda|xpu|npu|mps):\d{{1,3}}(?!\w)|\w(?:[\w.+\-]*\w)?|[-=]>|\u2192)
    |(?P<stop>[.!?;:](?=\s|$)|\n\n)
    |(?P<comma>[,/|()&])""",
    re.VERBOSE,
)
"""Linear in the text: what has no end in sight is not looked for again from each of its characters."""

HYPHENED = re.compile(r"[A-Za-z][\w.]*(?:-[\w.]+)+")
"""A word of several parts: `owls-barn`."""
_ONE_NUMBER = re.compile(rf"\(\s*({_NUMBER})\s*\)")
"""`batch size (64)`: no list."""
_OF = re.compile(r"\b(?:of|shaped?)\s*\Z")
"""`a signal of (80)`, `the shape (5)`: one side."""
_OF_REACH = 16
_NTH = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")
_EVERY = re.compile(r"\b[Ee]very\s+\Z")
"""`every 500th image`: 500."""
_EXTENSION = re.compile(rf".*\w\.(?:{_FILES})", re.DOTALL)
_ALONE = frozenset({"one", "zero", "dozen"})
"""Number words that begin names: `one-hot`, `zero-shot`."""


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
    value: str = ""
    """Of a number: its digits, as they would stand in a command."""
    fraction: str = ""
    """Of a percentage or a part of a whole: what it is of one."""

    @property
    def says_something(self) -> bool:
        """A word that carries a meaning."""
        return self.kind == "word" and not self.filler


def make_token(text: str, start: int, kind: str, value: str = "", fraction: str = "") -> Token:
    lowered = text.lower()
    return Token(text, stem(lowered), start, start + len(text), kind, kind == "word" and lowered in STOPWORDS, value, fraction)


def tokenize(text: str) -> Iterator[Token]:
    """In the order of the text, none over another."""
    for match in _TOKEN.finditer(text):
        word, kind = match.group(), match.lastgroup or "word"
        if kind == "path":
            kept = (word.rstrip(".,;:!?") if "://" in word else word.rstrip(".")).removesuffix("**")
            yield make_token(kept, match.start(), kind)
            ends = match.end() == len(text) or text[match.end()].isspace()
            if len(kept) < len(word) and ends and word[-1] in ".;:!?":
                yield make_token(word[-1], match.end() - 1, "stop")  # the sentence's end, not the path's
        elif kind == "quoted" and (inner := _TOKEN.fullmatch(word[1:-1])) and inner.lastgroup in ("number", "shape"):
            yield make_token(word[1:-1], match.start() + 1, inner.lastgroup)  # the quotes say only that it is a value
        elif (
            kind == "shape"
            and (one := _ONE_NUMBER.fullmatch(word))
            and not _OF.search(text[max(0, match.start() - _OF_REACH) : match.start()])
        ):
            yield make_token("(", match.start(), "comma")
            yield make_token(one[1], match.start() + word.index(one[1]), "number")
            yield make_token(")", match.end() - 1, "comma")
        elif kind == "word" and (nth := _NTH.fullmatch(word)) and _EVERY.search(text, max(0, match.start() - _OF_REACH), match.start()):
            yield make_token(nth[1], match.start(), "number")
        elif kind == "word":
            yield from _words(word.rstrip("."), match.start())
        else:
            yield make_token(word, match.start(), kind)


def _words(word: str, start: int) -> Iterator[Token]:
    """`four-bit`, `twenty-five`: the number apart from what it counts."""
    while (cut := word.find("-")) > 0:
        head, rest = word[:cut].lower(), word[cut + 1 :]
        if head not in NUMBER_WORDS or (head in _ALONE and rest.split("-", 1)[0].lower() not in NUMBER_WORDS):
            break
        yield make_token(word[:cut], start, "word")
        word, start = rest, start + cut + 1
    if word:
        yield make_token(word, start, "word")


def is_ending(name: str) -> bool:
    """`.png`: what names of files end in, alone."""
    return name[:1] == "." and "/" not in name and is_file("a" + name)


def is_file(name: str) -> bool:
    """Does it end as files of a known kind do?"""
    return _EXTENSION.fullmatch(name.lower()) is not None
