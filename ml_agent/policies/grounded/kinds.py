"""Kinds of files, by their extension, and what options that take them are called."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ml_agent.repo.entrypoints import Option

_KINDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    # kind -> (extensions, words of option names)
    "image": (frozenset(".jpg .jpeg .png .gif .bmp .tif .tiff .webp".split()), frozenset("image images img imgs picture photo".split())),
    "table": (frozenset(".csv .tsv .txt .json .jsonl .parquet .xlsx".split()), frozenset("data dataset csv table file text".split())),
    "audio": (frozenset(".wav .mp3 .flac .ogg .m4a".split()), frozenset("audio wav speech sound song".split())),
    "video": (frozenset(".mp4 .avi .mov .mkv .webm".split()), frozenset("video clip movie".split())),
    "weights": (
        frozenset(".pt .pth .ckpt .bin .h5 .pkl .safetensors .onnx .tar .npz".split()),
        frozenset("weights weight checkpoint ckpt model pretrained resume network snapshot load".split()),
    ),
    "url": (frozenset(), frozenset("url uri link address endpoint".split())),
    "config": (frozenset(".yaml .yml .toml .ini .cfg".split()), frozenset("config cfg conf yaml settings".split())),
}


@lru_cache(10_000)
def extension(value: str) -> str:
    """`.pth` of `runs/best.pth`, lower case, `.ckpt` of `model.ckpt-800`; empty if there is none."""
    match = re.search(r"\.(?:[A-Za-z]{1,12}|mp[34]|m4a|h5|7z|bz2)(?:(?<=ckpt)(?=-\d+$)|$)", value)  # `net.in12k` is a name
    return match.group().lower() if match else ""


def is_url(value: str) -> bool:
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", value) is not None


def file_kind(value: str) -> str | None:
    """What kind of file a value names, by its extension; an address without one that is known is a `url`."""
    ending = extension(value)
    return next((kind for kind, (endings, _) in _KINDS.items() if ending in endings), "url" if is_url(value) else None)


def takes_kind(words: tuple[str, ...], kind: str) -> bool:
    """Does an option with these words in its name sound as if it takes that kind of file?"""
    return not _KINDS[kind][1].isdisjoint(words)


_MEDIA = frozenset({"image", "audio", "video"})
_ONE_PICTURE = frozenset({"img", "image", "picture", "photo"})
_FOLDER, FOLDERS_ALIKE = 4, 78
"""Letters of a folder's name that can be told from another, and how alike (of 100) another has to be to take its place."""
_ADDRESSES = 0.8
"""How much any two are alike."""


_FORMATS = (
    "csv tsv",
    "json jsonl",
    "yaml yml",
    "pkl pickle",
    "npy npz",
    "h5 hdf5",
    "png jpg jpeg",
    "wav mp3 flac",
    "mp4 avi",
    "mid midi",
    *"pdb sdf mol2 cif fasta nii obj ply stl glb fbx pcd xml html pdf parquet onnx gguf tflite".split(),
)
"""Endings that names of options hold, and that are no words: `--ligands-sdf`. Those of one group take one another's place."""
_FORMAT = {ending: set(group.split()) for group in _FORMATS for ending in group.split()}


def is_of_format(value: str, chunks: Sequence[str]) -> bool | None:
    """Whether a file has the ending that the chunks of an option's name hold; None if either has none."""
    held = [_FORMAT[chunk] for chunk in chunks if chunk in _FORMAT]
    ending = extension(value)[1:]
    return any(ending in group for group in held) if held and ending else None


def is_no_settings(value: str) -> bool:
    """A file of data, by its ending: settings stand in none such."""
    return extension(value)[1:] in _FORMAT.keys() - {"json", "yaml", "yml", "xml"}


def other_media(words: tuple[str, ...], value: str) -> bool:
    """Is it weights for an option that sounds like pictures, sounds or films, or one of those for one that takes weights or settings?

    Also a text for one that takes a picture.
    """
    kind = file_kind(value)
    taken = {k for k in (*_MEDIA, "weights", "config") if takes_kind(words, k)}
    if extension(value) == ".txt" and words[-1:] and words[-1] in _ONE_PICTURE:
        return True
    return (kind in _MEDIA and bool(taken) and taken <= {"weights", "config"}) or (kind == "weights" and bool(taken) and taken <= _MEDIA)


def folder_likeness(folder: str, name: str) -> float:
    """Of 100: how alike a folder in a path and a name are, if the name may be another of its kind; else 0."""
    from rapidfuzz import fuzz

    telling = len(folder) > _FOLDER and re.search(r"[\d_-]", folder)
    alike = float(fuzz.ratio(folder, name)) if telling else 0.0
    return alike if alike >= FOLDERS_ALIKE else 0.0


def likeness(value: str, examples: tuple[str, ...], least: float = 0.75) -> float:
    """How much a value looks like those that are documented for an option, 0 to 1: the same extension, similar spelling.

    `least`: how alike two names without an extension must be.
    """
    from rapidfuzz import fuzz

    best = 0.0
    for example in examples:
        mine, other = value.rstrip("/").rsplit("/", 1)[-1], example.rstrip("/").rsplit("/", 1)[-1]
        alike = fuzz.ratio(mine.lower(), other.lower()) / 100
        if is_url(value) and is_url(example):
            best = max(best, _ADDRESSES)
        if extension(value) and extension(value) == extension(example):
            best = max(best, 0.6 + 0.4 * alike)
        elif file_kind(value) in _MEDIA and file_kind(value) == file_kind(example):
            best = max(best, 0.55 + 0.4 * alike)  # `a.png` and `b.jpg`
        elif ("/" in value) != ("/" in example) and not same_scheme(mine, other):
            continue  # a path is not like a name
        elif same_scheme(mine, other):
            best = max(best, 0.6 + 0.2 * alike)
        elif alike >= least and bool(extension(value)) == bool(extension(example)):
            best = max(best, alike)
    return best


def same_scheme(one: str, other: str) -> bool:
    """Two names made alike, with a part in common: `roberta-base` and `distilbert-base-uncased`."""
    parts, others = one.lower().split("-"), other.lower().split("-")
    if min(len(parts), len(others)) < 2 or extension(one) or extension(other):
        return False
    if parts[0] == others[0] and re.search(r"\d", parts[0]):
        return True  # `t5-base` and `t5-3b`
    if parts[-1] == others[-1] and re.fullmatch(r"v\d+", parts[-1]):
        return True  # `Maze-v2` and `Tower-v2`
    return any(len(part) > 3 and any(part in each or each in part for each in others if len(each) > 3) for part in parts)


_VERSIONED = re.compile(r"(?:[\w.-]+/)?[A-Za-z][\w.]*(?:-\w+)*-v\d+")
"""A name that ends in its version, as those of environments do."""


def same_family(one: str, other: str) -> bool:
    """`net-b16` and `net-l/14`: the same word in front, then a size or a version; or names of one scheme, `Maze-v0` and `Pond-v3`."""
    if all(_VERSIONED.fullmatch(name) for name in (one, other)):
        return True
    first, second = (re.match(r"([A-Za-z]{2,}?)(?=[^A-Za-z])", text) for text in (one, other))
    return first is not None and second is not None and first.group().lower() == second.group().lower() and max(len(one), len(other)) < 40


def alike_named(one: str, other: str) -> bool:
    """Two names, no paths, that begin with the same word: `ResNet-50` and `resnet18`."""
    first, second = (re.match(r"[a-z]{3,}(?![a-z])", name.lower()) for name in (one, other))
    return first is not None and second is not None and first[0] == second[0] and not extension(other) and "/" not in other


_NEARLY = 0.85
"""How alike names of one family are that differ in a letter."""
_OWNED = re.compile(r"[\w-]+/[A-Za-z]\w*-[\w-]+(?:\.\d[\w-]*)*")
"""A name on the hub, as most are: of several parts, and nothing that ends as files do."""


def in_style_of(value: str, examples: Sequence[str]) -> str:
    """A name as those are written that begin with the same word: `ResNet-50` as `resnet50`, where `resnet18` is documented, and
    `Owl-2B` as `me/owl-2b`, where `me/owl-1b` is.
    """
    owned = next((e for e in examples if _OWNED.fullmatch(e) and alike_named(value, e.partition("/")[2])), "")
    if owned and "/" not in value and re.search(r"\d", value) and value not in examples:
        owner, _, name = owned.partition("/")
        return f"{owner}/{in_style_of(value, [name])}"
    example = next((e for e in examples if alike_named(value, e)), None)
    if example is None:
        bare = re.fullmatch(r"[vV](\d+(?:\.\d+)*)", value)
        numbers = bool(examples) and all(re.fullmatch(r"\d+(?:\.\d+)*", e) for e in examples)
        if examples and all(e.islower() for e in examples) and likeness(value, tuple(examples)) > _NEARLY:
            return value.lower()
        return bare[1] if bare and numbers else value
    signs = set(re.findall(r"[-_]", example))
    between = re.match(r"[A-Za-z]+([-_]?)[\d.]", example)
    written = value.lower() if example.islower() else value
    if between and not between[1]:
        written = re.sub(r"^([A-Za-z]+)[-_ ](?=\d)", r"\1", written)
    return re.sub(r"[-_ ]", signs.pop(), written) if len(signs) == 1 else written


def is_boolean(option: Option) -> bool:
    """Whether an option with a value takes yes or no: it is declared so, or by a function that says so by its name, or its default is."""
    if option.choices:
        return False
    kind = (option.type or "").rpartition(".")[2].lower().strip("_")
    return (
        kind in ("bool", "boolean")
        or bool(re.fullmatch(r"(?:str|string|parse)_?(?:2|to)?_?bool\w*", kind))
        or (option.type is None and option.default in ("True", "False"))
    )


_WHETHER = re.compile(r"(?i)^\W*(?:whether|if|enable|use|do|compute)\b|\b(?:1|0) (?:or|/) (?:1|0)\b|\b1\b.*\b0\b|\b0\b.*\b1\b")


def truth_in_digits(option: Option) -> bool:
    """Whether it takes 1 or 0 for yes or no: `--load 1`, with the help `whether to load ...`."""
    return option.type == "int" and option.default in ("0", "1") and not option.choices and bool(_WHETHER.search(option.help))
