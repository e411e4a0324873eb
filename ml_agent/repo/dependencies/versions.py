"""Versions in the words of poetry, Pipfile and conda, as PEP 440 specifiers."""

import re

_PLAIN = re.compile(r"v?\d+(?:\.\d+)*\S*")


def from_poetry(constraint: str) -> str:
    """`^1.2` is `>=1.2,<2`; `~1.2` is `>=1.2,<1.3`; `1.2` is `==1.2`; alternatives (`||`) are any version.

    What is no constraint comes back as it is: a reader of PEP 440 says what is wrong with it.
    """
    if "|" in constraint:
        return ""
    return ",".join(
        part for word in re.split(r"\s*,\s*|(?<=[\w*])\s+(?=[<>=!~^])", constraint.strip()) if (part := _poetry_word(word.strip()))
    )


def _poetry_word(word: str) -> str:
    if word in ("*", ""):
        return ""
    if word.startswith("~="):
        return word
    if word[0] in "^~":
        return _range(word[1:].strip(), caret=word[0] == "^")
    if word.startswith("=") and not word.startswith("=="):
        return f"={word}"
    return f"=={word}" if _PLAIN.fullmatch(word) else word


def _range(version: str, *, caret: bool) -> str:
    numbers = [int(n) for n in re.findall(r"\d+", re.split(r"[a-zA-Z+-]", version)[0])[:4]]
    if not numbers:
        return f"=={version}"
    kept = min(1, len(numbers) - 1)
    if caret:
        kept = next((i for i, n in enumerate(numbers) if n), len(numbers) - 1)
    upper = [*numbers[:kept], numbers[kept] + 1]
    return f">={version},<{'.'.join(map(str, upper))}"


def from_conda(constraint: str) -> str:
    """`1.19` and `=1.19` are `==1.19.*`; `==1.19` stays; a build string (`=1.19=py37_0`) is left out; alternatives are any version."""
    text = re.sub(r"\s+(?=[<>=!~,\d])|(?<=,)\s+", "", constraint.strip())
    if not text or text == "*" or "|" in text:
        return ""
    if exact := re.fullmatch(r"=?(\d[^=,<>!\s]*?)(?:\s|=)[^=,<>!]+", text):
        return f"=={exact[1]}" if not exact[1].endswith("*") else _starred(exact[1])
    return ",".join(_conda_word(word) for word in text.split(","))


def _conda_word(word: str) -> str:
    if found := re.fullmatch(r"=?(\d[\w.*+!]*)", word):
        return _starred(found[1])
    return (
        _starred(word[2:]) if word.startswith("==") and word.endswith("*") else word.rstrip("*").rstrip(".") if word[:1] in "<>" else word
    )


def _starred(version: str) -> str:
    """conda's `1.19*` and `1.19.*` and `1.19` are all versions that begin so."""
    return f"=={version.rstrip('*').rstrip('.')}.*"
