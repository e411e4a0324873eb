"""What documentation writes into a command that no shell takes as it stands: placeholders of several words, parts that may be left out."""

import re

_PLACEHOLDER = re.compile(r"(?<![<\w&>])<(?=[A-Za-z_.$/])([^<>\n=;|&]{0,80}[\w)\]./])>(?!>)|(?<==)<(?=[A-Za-z_])([^<>\n;|&]{0,80})>")
_BRACKETED = re.compile(r"""(?<![^\s=/])(?:\[["']?\{|[\[{])(?=[A-Za-z])([^\n\[\]{}<>;&$`"]{3,300})(?:\}["']?\]|[\]}])""")
"""What a reader is to put in, said in words: `[comma separated names]`, `{path to the checkpoint}`, `["{pattern of the files}"]`."""
_HIDDEN = {
    "<": "\ue000",
    ">": "\ue001",
    " ": "\ue002",
    "'": "\ue003",
    '"': "\ue004",
    "|": "\ue005",
    "(": "\ue006",
    ")": "\ue007",
    "$": "\ue008",
}
_SHOWN = str.maketrans({hidden: shown for shown, hidden in _HIDDEN.items()})
_HIDE = str.maketrans(_HIDDEN)
_ELLIPSIS = frozenset(("...", "…", "[...]", "[options]", "[OPTIONS]", "[args]", "[ARGS]", "[flags]", "<options>", "<args>", "<arguments>"))
_HANDED_ON = re.compile(r"\$\{?[@*](?::\d+)?\}?")
_PLACEHOLDER_WORDS = 12


def hidden(code: str) -> str:
    """The text with its placeholders written so that a shell takes each for one word."""
    code = _PLACEHOLDER.sub(lambda m: m[0].translate(_HIDE), code)
    return _BRACKETED.sub(lambda m: m[0].translate(_HIDE) if re.search(r"[ |]", m[1]) and not re.search(r"(?:^|\s)-", m[1]) else m[0], code)


def shown(text: str) -> str:
    """A word of the text that `hidden` gave, as it stood there."""
    return text.translate(_SHOWN)


def without_optional(words: list[str]) -> list[str]:
    """Without what a synopsis marks as optional (`[--gpu GPU]`) or left out (`...`), and what a script hands on (`"$@"`)."""
    kept: list[str] = []
    depth = 0
    for word in words:
        if depth == 0 and (word in _ELLIPSIS or _HANDED_ON.fullmatch(word)):
            continue
        if depth or word.startswith("[-"):
            depth = max(0, depth + word.count("[") - word.count("]"))
            continue
        kept.append(word)
    return kept


def one_word_each(words: list[str]) -> list[str]:
    """A placeholder in brackets is one word, however many it is written in: `[your data folder]/train`."""
    joined: list[str] = []
    at = 0
    while at < len(words):
        end = at
        if re.match(r"\[[A-Za-z]", words[at]) and "]" not in words[at]:
            end = next((n for n in range(at + 1, min(len(words), at + _PLACEHOLDER_WORDS)) if "]" in words[n]), at)
            if any(word.startswith("-") for word in words[at : end + 1]):
                end = at
        joined.append(" ".join(words[at : end + 1]))
        at = end + 1
    return joined
