"""Words that stand for something that the reader has to put in: `<path>`, `/path/to/data`, `YOUR_KEY`, `...`."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from ml_agent.repo.files import FileTable
from ml_agent.repo.modules.roots import join
from ml_agent.repo.shell import Word
from ml_agent.verify.findings import Finding

ELLIPSIS = frozenset(("...", "…", "[...]", "[…]"))

_NOUNS = (
    "path|dir|directory|folder|file|filename|name|number|num|count|your|my|url|id|value|size|type|key|token|here|data|dataset|model|"
    "checkpoint|command|args?|options?"
)
_SAYS_WHAT = rf"(?:.*[^A-Za-z])?(?:{_NOUNS})s?(?:[^A-Za-z].*)?"
_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:(?:.*/)?<(?:[/.].*|{_SAYS_WHAT})>(?:[/.].*)?)",  # <path>, </path/to/x>; but not <pad>
        r"(?:.*/)?paths?/to(?:/.*)?",
        r"(?:.*/)?(?i:path[_-]to)[_-][\w.-]+(?:/.*)?",
        r"(?:.*[^A-Za-z0-9])?(?:(?i:your)[_-]\w.*|YOUR[A-Z_]*|<your.*)",
        r"(?:.*[/_.-])?(?i:x{3,})(?:[/_.-].*)?",
        r"(?:.*/)?(?:\.\.\.|…)(?:/.*)?",
    )
)
_IN_A_SHELL = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\[(?:[A-Z][A-Z_-]+|(?i:{_SAYS_WHAT}))\]",
        r"\{[A-Za-z_][\w-]*\}",
        rf"(?i:.*(?<!\$)\{{(?:[\w -]*[ _-])?(?:{_NOUNS})s?(?:[ _-][\w -]*)?\}}.*)",
    )
)
"""Of which Python makes lists and format strings."""
_UNQUOTED = re.compile(
    r"(?<![<\w&>\d])<(?=[A-Za-z_./$])[\w ./:,$+*()\[\]{}@%#-]{0,100}?[\w)\]./+*}]>(?![>&(])|(?<==)<[A-Za-z_][\w ./:-]{0,80}>(?![>&(])"
)
_SETTABLE = re.compile(
    r"HOME|USER|LOGNAME|PWD|OLDPWD|PATH|SHELL|HOST|HOSTNAME|TMP|TEMP|TMPDIR|LANG|TERM|DISPLAY|RANDOM|UID|EUID|SECONDS|LINENO|PPID|IFS|"
    r"REPLY|OPTARG|OPTIND|OSTYPE|VIRTUAL_ENV|SCRATCH|WORK|RANK|WORLD_SIZE|LOCAL_RANK|NODE_RANK|MASTER_ADDR|MASTER_PORT|http_proxy|"
    r"https_proxy|(?:LC|BASH|PYTHON|LD|CONDA|CUDA|NVIDIA|NCCL|SLURM|SBATCH|PBS|LSB|SGE|JOB|OMP|OMPI|MKL|HF|TORCH|WANDB|AWS|GOOGLE|XDG)"
    r"\w*|\w+_(?:TOKEN|KEY)"
)
"""Variables that come from the machine, the scheduler or the user's own settings."""
_HOLD_SETTINGS = (".sh", ".bash", ".md", ".rst", ".txt", ".env", ".yml", ".yaml", ".ipynb", "Makefile", "Dockerfile")
_SETS = re.compile(r"(?<![\w$-])([A-Za-z_]\w*)=|\b(?:ENV|ARG)[ \t]+(\w+)|^[ \t]*([A-Za-z_]\w*):", re.MULTILINE)
_MAX_FILES = 2_000
_MAX_WORDS = 1_000
_MAX_LENGTH = 200
_HINT = re.compile(r"[<{\[…]|\.\.\.|path|your|xxx", re.IGNORECASE)


def is_placeholder(text: str, *, shell: bool = True) -> bool:
    """Whether a whole word, or the value behind its `=`, stands for something else."""
    value = text.partition("=")[2] if re.match(r"-{0,2}[A-Za-z_][\w.-]*=", text) else text
    if not _HINT.search(value) or len(value) > _MAX_LENGTH:
        return False
    return any(sign.fullmatch(value) for sign in (*_SIGNS, *(_IN_A_SHELL if shell else ()))) or (shell and value in ELLIPSIS)


def quote_unquoted(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each unquoted `<path>` in quotes, and those that were found. A shell would open files for them.

    A text with here-documents is left as it is: what stands in those is no command.
    """
    if "<" not in text or "<<" in text:
        return text, ()
    found: list[str] = []
    parts: list[str] = []
    position = 0
    quoted = _quoted(text)
    for match in _UNQUOTED.finditer(text):
        if not quoted[match.start()]:
            found.append(match[0])
            parts += [text[position : match.start()], f"'{match[0]}'"]
            position = match.end()
    return "".join((*parts, text[position:])), tuple(dict.fromkeys(found))


def _quoted(text: str) -> bytearray:
    """For each character whether it stands in quotes or in a comment."""
    marks = bytearray(len(text))
    quote = ""
    index = 0
    while index < len(text):
        char = text[index]
        marks[index] = bool(quote)
        if quote:
            if char == "\\" and quote == '"':
                index += 1
                marks[index : index + 1] = b"\1"
            elif char == quote or (quote == "#" and char == "\n"):
                quote = ""
        elif char == "\\":
            index += 1
        elif char in "'\"" or (char == "#" and (index == 0 or text[index - 1].isspace())):
            quote = char
        index += 1
    return marks


def refused(placeholder: str) -> Finding:
    """The finding about an unquoted one."""
    return Finding(
        "placeholder", f"`{placeholder}` is a placeholder: put the real value there (a shell takes `<` for a redirect)", placeholder
    )


class Placeholders:
    """Finds those of one answer. `text` is the answer."""

    def __init__(self, text: str, files: FileTable) -> None:
        self._text = text.replace("${", "$")
        self._files = files

    def findings(self, words: Sequence[Word], here: str) -> Iterator[Finding]:
        """Warnings about the words of one command that runs in `here`."""
        for word in words[:_MAX_WORDS]:
            if is_placeholder(word.text):
                path = join(here, word.text)
                if path is None or not (self._files.is_file(path) or self._files.is_folder(path)):
                    place = word.raw if len(word.raw) < 200 else word.text
                    yield Finding("placeholder", f"`{word.text}` is a placeholder: put the real value there", place, severity="warning")
                continue
            for name in word.variables:
                if re.search(rf"\$(?:{re.escape(name)}(?!\w)|\{{{re.escape(name)}\}})", word.raw) and not self._is_set(name):
                    message = f"`${name}` is a placeholder: nothing sets it, so put the real value there"
                    yield Finding("placeholder", message, word.raw, severity="warning")

    def _is_set(self, name: str) -> bool:
        return (
            not name.isidentifier() or _SETTABLE.fullmatch(name) is not None or name in self._named_here or name in self._set_in_repository
        )

    @cached_property
    def _named_here(self) -> frozenset[str]:
        """Names that the answer has without a `$` in front: it sets them, or reads them in."""
        return frozenset(re.findall(r"(?<![\w$])[A-Za-z_]\w*", self._text))

    @cached_property
    def _set_in_repository(self) -> frozenset[str]:
        found: set[str] = set()
        for file in [f for f in self._files.files if f.path.endswith(_HOLD_SETTINGS)][:_MAX_FILES]:
            try:
                found.update(name for groups in _SETS.findall(self._files.read(file.path).text) for name in groups)
            except OSError:
                continue
        return frozenset(found)
