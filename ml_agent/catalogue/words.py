"""The words of a task that tell which repository it is about: without its values, their names, and what every such task says."""

import re

from ml_agent.repo.lexical import STOPWORDS, stem

KEYWORDS = 6
"""As many as GitHub lets be joined: five operators."""
_NUMBER = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?(?:%|[A-Za-z]{1,2})?")
_DIMENSION = re.compile(r"[1-4][dD]")
_NO_WORD = re.compile(r"--?[A-Za-z].*|.*[=\\].*|\w+://.*|[~.]{0,2}/.*|.*/.*/.*|.+\.[A-Za-z]\w{0,4}")
"""An option, a setting, an address, a path, the name of a file."""
_WORD = re.compile(r"[^\W_](?:[\w.+#-]*[\w+#])?")
_NAME = re.compile(r".+[A-Z].*|.*[\d_].*")
"""Written as names are: with a capital or a figure inside."""
_EXACT = re.compile(r".*[.e%].*", re.IGNORECASE)
"""A number that belongs to no name, as `50` of `ResNet 50` does."""
_CONNECTORS = {"of", "to", "at", "is", "as", "by", "=", ":"}
"""Between the name of a setting and its value."""
_ENDS = frozenset(".!?:;")
_BREAKS = _ENDS | {","}
_SAYS_LITTLE = frozenset(
    stem(word)
    for word in (
        "train training run running execute evaluate evaluation test testing launch start perform reproduce experiment example "
        "command script program code python bash repository repo model dataset data default parameter option setting value task "
        "method result epoch batch size learning rate seed step iteration layer hidden dropout worker gpu cpu device set specify "
        "named called first second new following provided given based fine-tune fine-tuning fine-tuned finetune pretrain pre-trained "
        "save store load output lr dim dimension length number"
    ).split()
)
"""What tasks of machine learning say whatever they are about."""


def content_words(text: str) -> list[str]:
    """Those words in the order of what they tell: names first, each once."""
    chunks = [_bare(chunk) for chunk in text.split()]
    last = [chunk.rstrip("\"')")[-1:] for chunk in text.split()]
    values = _values(chunks, [sign in _BREAKS for sign in last])
    names: dict[str, str] = {}
    others: dict[str, str] = {}
    for i, chunk in enumerate(chunks):
        if i in values or _NO_WORD.fullmatch(chunk):
            continue
        begins = i == 0 or last[i - 1] in _ENDS
        for word in _WORD.findall(chunk):
            small = word.lower()
            if len(word) < 2 or small in STOPWORDS or stem(small) in _SAYS_LITTLE:
                continue
            named = _NAME.fullmatch(word) or (word[0].isupper() and not begins)
            (names if named else others).setdefault(stem(small), word)
    return [*names.values(), *(word for key, word in others.items() if key not in names)]


def keywords_of(text: str) -> list[str]:
    """For a search: the words that tell most, at most `KEYWORDS`."""
    return content_words(text)[:KEYWORDS]


def search_words(text: str) -> list[str]:
    """The words of a keyword as a search takes them: in lower case, so no operator, and without what would be a qualifier."""
    return [word for word in _WORD.findall(text.lower()) if len(word) <= 50]


def _bare(chunk: str) -> str:
    return chunk.strip("\"'`()[]{}<>,;:!?*").rstrip(".")


def _values(chunks: list[str], breaks: list[bool]) -> set[int]:
    """Where numbers stand, and what they are numbers of: `300 runs`, `patience of 12`, `momentum 0.9`."""
    found: set[int] = set()
    for i, chunk in enumerate(chunks):
        if not _NUMBER.fullmatch(chunk) or _DIMENSION.fullmatch(chunk):
            continue
        found.add(i)
        if i + 1 < len(chunks) and not breaks[i] and _is_plain(chunks[i + 1]):
            found.add(i + 1)
            continue
        connected = i > 0 and chunks[i - 1].lower() in _CONNECTORS
        if not connected and not _EXACT.fullmatch(chunk):
            continue
        before = i - 2 if connected else i - 1
        for at in (before, before - 1):
            if at < 0 or breaks[at] or not _is_plain(chunks[at]):
                break
            found.add(at)
    return found


def _is_plain(chunk: str) -> bool:
    """A word that can name a setting or a unit: no name of a thing, none that says nothing."""
    return chunk.isalpha() and chunk.islower() and chunk not in STOPWORDS and chunk not in _CONNECTORS
