"""How well one value of the request suits one option: by name, help, type, choices, known values and custom."""

import re
from dataclasses import dataclass, field

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.customs import MEASURES, by_custom, is_kept, is_learnt_from, is_written
from ml_agent.policies.grounded.gathered import is_located, wants_path
from ml_agent.policies.grounded.kinds import (
    alike_named,
    extension,
    file_kind,
    is_boolean,
    is_no_settings,
    is_of_format,
    is_url,
    likeness,
    other_media,
    takes_kind,
)
from ml_agent.policies.grounded.knowledge import is_distinctive
from ml_agent.policies.grounded.letters import words_of
from ml_agent.policies.grounded.lists import list_style, one_side
from ml_agent.policies.grounded.naming import agrees, named
from ml_agent.policies.grounded.numeric import is_choice, is_numeric, number_fits
from ml_agent.policies.grounded.option_names import phrases_for
from ml_agent.policies.grounded.request import Mention, chunks_of
from ml_agent.policies.grounded.tokens import is_ending
from ml_agent.policies.grounded.vocabulary import DATA_WORDS, MODEL_WORDS, OUTPUT_WORDS, PARTS, PATH_WORDS, WEAK
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import split_identifier, stem

_READS = frozenset("resume load restore pretrained init initial finetune from".split())
"""Words in the names of options that take what is read."""
_TO_READ = re.compile(r"(?i)\b(?:re)?load(?:ed|s|ing)?\b|\bresum\w+|\brestor\w+")
"""In the help of such an option."""
_SIDED = frozenset("shape size resolution dims dimensions crop".split())
"""Words in the names of options that take the sides of something, whatever word stands for them."""
_VALIDATION = frozenset(stem(word) for word, part in PARTS.items() if part == "val")
"""`dev.json` is for --validation-file."""
_WORDS_OF_A_PATH = 2
_PLACES = frozenset("dir directory path file folder root outdir out output log".split())
_OF_FILES = frozenset("img image file path dir folder ckpt checkpoint weights".split())
"""Last words of the names of options that take one file or folder, and no sides of it."""
_NO_TEXTS = _PLACES | _OF_FILES
TEXTS = frozenset("prompt text sentence question caption query".split())
"""Last words of the names of options that take a text as it is."""
_LANGUAGES = frozenset({"lang", "language", "languages"})
_SECRETS = frozenset((word,) for word in ("token", "secret", "password"))
INTERVALS = frozenset("every interval freq frequency period".split())
_INTERVALS = INTERVALS | {"rate"}
"""Words in the names of options that say how often something is done."""
_VERB, _DOING, _HOW_MANY, _HOW_OFTEN = 8, 4, 0.6, 0.85
"""Tokens in which the verb of `save ... every 500` stands, and those of them that mean something; what is left for options that say how
many; what one has that says how often."""
_OTHER_WAY = 0.4
"""What is left for such an option of a value that is said to be written."""
_LITTLE = frozenset("path file dir directory folder root out output data dataset input image images model base large size name".split())
"""Words in the names of options that are in too many file names to tell them apart."""
SETTINGS_FILE = "settings_file"
_PRESENT, _PRESENT_FROM = 0.08, 0.3
_TAKE_SHAPES = frozenset({None, "str", "list", "eval", "literal_eval", "ast.literal_eval", "json.loads"})
_OPEN = {"path": 0.6, "quoted": 0.5, "identifier": 0.5}
"""For an option that needs a value, though nothing names it."""
_VERSION = re.compile(r"v\d+(?:\.\d+)*", re.IGNORECASE)
_DEVICE = re.compile(r"(?:cuda|xpu|npu|mps):\d+")
_DEVICES = frozenset("device devices gpu gpus cuda accelerator".split())
_SETTINGS = frozenset("config cfg conf yaml".split())
_ENDINGS = frozenset("ext exts extension extensions suffix postfix ending format formats filetype".split())
"""Words in the names of options that take `.png`."""
_FOLDERS = frozenset("dir directory folder root".split())
_PLACES_OF_FILES = frozenset("file files dirs folders resume".split())
_WHOLES = frozenset("batch epoch epochs step steps iteration iterations iter iters worker workers layer layers head heads seed".split())
"""Words in the names of options that take no percentage."""
_COUNTED = frozenset({("n",), ("num",), ("nb",)})
_FOLDER_ENDS = frozenset((word,) for word in _FOLDERS)


@dataclass(frozen=True, slots=True)
class Places:
    """Options by what the command that is filled in does with them."""

    open: frozenset[str] = frozenset()
    """It cannot do without a value for them, and has none yet."""
    present: frozenset[str] = frozenset()
    """It gives them a value, which another may replace."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of the request that may be a value, with the options that know it."""

    mention: Mention
    known: dict[str, str]
    """Option name -> the value as that option spells it."""
    spoken: dict[str, str] = field(default_factory=dict)
    """The same, where the request only speaks of that value: no other option may take it."""

    @property
    def elsewhere(self) -> bool:
        return bool(self.known)


def score(
    option: Option, candidate: Candidate, around: Surroundings, examples: tuple[str, ...], places: Places | None = None
) -> tuple[float, int]:
    """(0..about 1.2, position of the farthest word of the request that names the option, or -1). `examples`: documented values."""
    places = places or Places()
    found, first = _score(option, candidate, around, examples, open_place=option.name in places.open)
    known = option.name in places.present or option.name in places.open
    return (found + _PRESENT if found > _PRESENT_FROM and known else found), first


def _score(option: Option, candidate: Candidate, around: Surroundings, examples: tuple[str, ...], *, open_place: bool) -> tuple[float, int]:
    mention = candidate.mention
    if candidate.spoken:
        return _spoken(option, candidate, around)
    fit = fits(option, mention, examples)
    spelled = candidate.known.get(option.name)
    if spelled is None and mention.kind in ("name", "identifier", "word") and fit and is_located(mention, around.request):
        fit = 0.0 if wants_path(option, examples) else fit  # the path behind it is meant
    if mention.kind == "name" and words_of(option)[-1:] in _FOLDER_ENDS and any(m.kind == "path" for m in around.request.mentions):
        fit *= 0.3  # who names paths does not name a folder by a name
    if fit == 0.0 and spelled is None:
        return 0.0, -1
    affinity, first = named(option, mention.position, around)
    if option.help:
        said = around.help_score(option.help, mention.position)
        affinity = min(1.0, max(affinity + 0.1 * said, said))
    if mention.kind == "number" and first >= 0:
        affinity *= 1.0 if agrees(option, around.request.tokens[first].text) else 0.95
    if spelled is not None:
        chance = mention.kind == "name" and spelled in examples and mention.words.isalpha() and mention.words.islower()
        said = 0.5 if chance and not option.choices else 0.7  # a documented everyday word may be said without being meant
        meant = is_distinctive(spelled) or mention.kind in ("quoted", "path")
        return (said + 0.4 * affinity, first) if meant else (affinity, first)
    if option.choices:
        return (affinity, first) if is_choice(option, mention.value) else (0.0, -1)
    affinity *= _by_direction(option, mention, around)
    affinity = _by_interval(option, mention, around, affinity)
    affinity = max(affinity, by_custom(option, mention, around), _OPEN.get(mention.kind, 0.0) if open_place else 0.0)
    if mention.kind in ("name", "identifier") and any(alike_named(mention.value, e) for e in examples):
        affinity = max(affinity, 0.65)
    if mention.kind in ("name", "word") and affinity < 0.5:
        return 0.0, -1
    if mention.kind == "name" and examples and not likeness(mention.value, examples, least=0.5):
        fit *= 0.6
    if mention.kind in ("name", "identifier", "word") and candidate.elsewhere:
        fit *= 0.75  # another option is known to take this value
    if mention.kind == "path" or (mention.kind in ("quoted", "identifier") and " " not in mention.value):
        kind = file_kind(mention.value)
        if kind and takes_kind(words_of(option), kind):
            affinity = max(affinity, 0.6)
        chunks = chunks_of(option.name)
        if extension(mention.value)[1:] in chunks:
            affinity = max(affinity, 0.7)  # `notes.txt` for --notes-txt
        if is_of_format(mention.value, chunks):
            affinity = max(affinity, 0.9)  # `scene.json` for --scene-json
        if named_after(option, mention):
            affinity = max(affinity, 0.65)
        return max(affinity * fit, 0.75 * likeness(mention.value, examples) if fit else 0.0), first
    return affinity * fit, first


def _by_direction(option: Option, mention: Mention, around: Surroundings) -> float:
    """What is read is not for an option that is written to, and the other way round."""
    words = set(words_of(option))
    if words & MODEL_WORDS and is_learnt_from(mention, around) and file_kind(mention.value) != "weights":
        return _OTHER_WAY
    if (words & _READS or _TO_READ.search(option.help)) and is_written(mention, around):
        return _OTHER_WAY
    return _OTHER_WAY if words & OUTPUT_WORDS and not words & _READS and is_kept(mention, around) else 1.0


def _by_interval(option: Option, mention: Mention, around: Surroundings, affinity: float) -> float:
    """`save it every 500 episodes` is how often, and not how many of them."""
    before = [t for t in around.request.tokens[max(0, mention.position - _VERB) : mention.position] if not t.filler]
    if mention.kind != "number" or not before or before[-1].text.lower() != "every":
        return affinity
    words = words_of(option)
    done = {stem(w) for w in words if w not in _INTERVALS and w not in WEAK}
    said = bool({t.stem for t in before[-_DOING:]} & done)
    often = not _INTERVALS.isdisjoint(words) or (said and words[-1] in ("step", "steps"))  # --save-steps, and not --num-steps
    if not often:
        return affinity * _HOW_MANY
    return max(affinity, _HOW_OFTEN) if said else affinity


def _spoken(option: Option, candidate: Candidate, around: Surroundings) -> tuple[float, int]:
    """A value that is only spoken of needs its option named, or said to be a model or data, beside it."""
    if option.name not in candidate.spoken:
        return 0.0, -1
    affinity, first = around.score(words_of(option), candidate.mention.position)
    if option.help:
        affinity = max(affinity, around.help_score(option.help, candidate.mention.position))
    usual = bool((MODEL_WORDS | DATA_WORDS).intersection(words_of(option))) or " " in candidate.mention.value
    return (0.45 + 0.3 * affinity if usual else 0.2 + 0.5 * affinity), first


def named_after(option: Option, mention: Mention) -> bool:
    """Whether the file that a value names is called as the option is: `runs/checkpoint_42` for --checkpoint-path."""
    if is_url(mention.value):
        return False
    last = mention.value.rstrip("/").rsplit("/", 1)[-1]
    pieces = {stem(w) for w in split_identifier(last.rsplit(".", 1)[0]) if len(w) > 2}
    if not _VALIDATION.isdisjoint(pieces):
        pieces |= _VALIDATION
    told = [w for w in words_of(option) if len(w) > 2 and w not in _LITTLE and w not in WEAK]
    return bool(told) and any(phrase[0] in pieces for word in told for phrase in phrases_for(word) if len(phrase) == 1)


def fits(option: Option, mention: Mention, examples: tuple[str, ...] = ()) -> float:
    """How well the kind of value suits the option's type, 0 to 1. `examples`: values that are documented for it."""
    if is_boolean(option):
        return 0.0  # that is a wish, not a value
    if mention.kind == "number" and mention.words.endswith("%") and not _WHOLES.isdisjoint(words_of(option)):
        return 0.0
    if mention.kind == "number":
        wordy = option.type in (None, "str") and bool(examples) and not any(re.search(r"\d", e) for e in examples)
        return min(number_fits(option, mention.value), 0.3) if wordy else number_fits(option, mention.value)
    if mention.kind == "shape":
        worded = examples and not option.nargs and not any(re.search(r"\d", e) for e in examples)
        if worded and _SIDED.isdisjoint(words_of(option)):
            return 0.0
        if not _OF_FILES.isdisjoint(words_of(option)[-1:]):
            return 0.0
        taken = option.nargs or option.type in _TAKE_SHAPES or list_style(option, examples) or one_side(option, mention.parts)
        return 0.9 if taken else 0.0
    if option.type in ("int", "float", "bool") or is_numeric(option.default):
        return 0.0
    words = words_of(option)
    if words[:1] in _COUNTED and not examples:
        return 0.0  # `num_layers`, whose type is not said
    if _VERSION.fullmatch(mention.value) and wants_path(option, examples):
        return 0.0  # `Owl v2`
    if mention.kind == "path" and examples and all(map(is_numeric, examples)):
        return 0.0  # what is documented with numbers takes no file
    if mention.kind == "quoted" and len(mention.value.split()) > _WORDS_OF_A_PATH and not _NO_TEXTS.isdisjoint(words[-1:]):
        return 0.1
    if mention.kind == "quoted" and " " in mention.value and not MODEL_WORDS.isdisjoint(words):
        return 0.1  # no model is called so
    if (
        mention.kind == "path"
        and words
        and words[-1] in TEXTS
        and extension(mention.value)
        and not re.search(r"\b(?:file|path)", option.help)
    ):
        return 0.0  # a file of texts is no text
    if is_ending(mention.value):
        return 1.0 if _ENDINGS.intersection(words) else 0.0
    if _DEVICE.fullmatch(mention.value):
        return 0.0 if _DEVICES.isdisjoint(words) else 1.0
    if words and words[-1] in _FOLDERS and extension(mention.value):
        return 0.1  # a file is no folder
    if not _SETTINGS.isdisjoint(words[-2:]) and is_no_settings(mention.value):
        return 0.0  # `owl.pdb` for --config
    if is_of_format(mention.value, chunks_of(option.name)) is False:
        return 0.1  # `owl.pdb` for --nests-sdf
    if mention.kind == "name" and words and _takes_places(words, examples) and not any(alike_named(mention.value, e) for e in examples):
        return 0.2  # a name with nothing that is a path's
    if words and words[-1] in _SETTINGS and mention.kind != "path" and not examples:
        return 0.6  # settings stand in a file, most often
    pathlike = (bool(PATH_WORDS.intersection(words)) and words[-1] != "name") or (mention.kind == "path" and wants_path(option, ()))
    if mention.kind == "path" and (not _LANGUAGES.isdisjoint(words) or words[-1:] in _SECRETS):
        return 0.0
    if mention.kind == "path" and (other_media(words, mention.value) or _takes_words(option)):
        return 0.0 if file_kind(mention.value) == "image" else 0.3
    if mention.kind == "path" and (
        not MEASURES.isdisjoint(words) or (option.name == SETTINGS_FILE and file_kind(mention.value) != "config")
    ):
        return 0.0
    if examples and bool(extension(mention.value)) != any(extension(e) for e in examples):
        kind = file_kind(mention.value)
        if not extension(mention.value):
            numbered = re.search(r"\d{3,}$", mention.value)  # checkpoints are often called by their step
            return 0.7 if numbered and any(file_kind(e) == "weights" for e in examples) else 0.2
        return 0.9 if mention.kind == "path" and kind and takes_kind(words, kind) else 0.5
    if mention.kind == "path":
        kinds = {file_kind(e) for e in examples} - {None}
        mine = file_kind(mention.value)
        other = bool(kinds) and mine not in {None, *kinds} and "weights" in (mine, *kinds)  # of pictures and films, one program takes both
        return 0.5 if other else 1.0 if pathlike else 0.75
    return 0.85 if pathlike and mention.kind != "quoted" else 1.0


def _takes_places(words: tuple[str, ...], examples: tuple[str, ...]) -> bool:
    """By its name, or for all that is documented is a path that can be nothing else: `me/owl` is a name on the hub."""
    sure = [re.match(r"\.{0,2}/|~", e) is not None or ("/" in e and bool(extension(e))) for e in examples]
    return words[-1] in _PLACES_OF_FILES or (bool(sure) and all(sure))


def _takes_words(option: Option) -> bool:
    """Whether the program asks for one of a few words."""
    return len(option.compared) > 1 and not any("/" in value or extension(value) for value in option.compared)
