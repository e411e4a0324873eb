"""Which files declare something, and whether using the repository needs it or only a part, a variant or its development."""

import re
from dataclasses import dataclass

_REQUIREMENTS = re.compile(r"([\w.-]*?)[-_.]?requirements?[-_.]?([\w.-]*?)\.(?:txt|in|pip)", re.IGNORECASE)
_CONDA = re.compile(r"([\w.-]*?)[-_.]?(?:conda|environment|env)[-_.]?([\w.-]*?)\.ya?ml", re.IGNORECASE)
_PLAIN = frozenset("base main core common default prod production runtime requirements install pip conda env environment".split())
"""Words in a file's name that do not make it one for some purpose."""
_BESIDE = frozenset(
    "doc docs documentation test tests testing ci dev development docker lint style build "
    "example examples tutorial tutorials demo demos notebook notebooks benchmark benchmarks".split()
)
"""Words that say: beside the thing itself."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that by its name declares something."""

    path: str
    kind: str
    """`requirements`, `conda`, or the file's name in lower case."""
    qualifier: str = ""
    """`dev` of requirements-dev.txt; empty if the file is the plain one."""

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def depth(self) -> int:
        return self.path.count("/")

    @property
    def beside(self) -> bool:
        """By its words for documents, tests, examples and the like."""
        words = {word.lower() for part in (*self.folder.split("/"), self.qualifier) for word in re.split(r"[-_.]", part)}
        return not words.isdisjoint(_BESIDE)


def candidate(path: str) -> Candidate | None:
    """What a file is by its name; None for all others."""
    folder, _, name = path.rpartition("/")
    lower = name.lower()
    inside = folder.rpartition("/")[2].lower()
    if lower in ("pyproject.toml", "setup.py", "setup.cfg", "pipfile"):
        return Candidate(path, lower)
    if found := _REQUIREMENTS.fullmatch(name):
        return Candidate(path, "requirements", _qualifier(found[1], found[2]))
    if inside == "requirements" and lower.endswith((".txt", ".in")):
        return Candidate(path, "requirements", _qualifier(name.rpartition(".")[0]))
    if found := _CONDA.fullmatch(name):
        return Candidate(path, "conda", _qualifier(found[1], found[2]))
    if "conda" in inside and lower.endswith((".yml", ".yaml")):
        return Candidate(path, "conda", _qualifier(name.rpartition(".")[0]))
    return None


def nested(group: str, name: str) -> str:
    """The name of a group that a file declares, which is itself of a group perhaps: `docs/setup.py [extra]`."""
    return f"{group} {name}" if group else name


def _qualifier(*parts: str) -> str:
    words = [word for part in parts for word in re.split(r"[-_.]", part) if word]
    return "-".join(word for word in words if word.lower() not in _PLAIN)
