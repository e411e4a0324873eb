"""What comments say of the lines of a program."""

import io
from contextlib import suppress


def comments_of(code: str) -> tuple[dict[int, str], dict[int, str]]:
    """By line, from 1: the comment behind its code, and those of the lines above it."""
    import tokenize

    behind: dict[int, str] = {}
    alone: dict[int, str] = {}
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                (behind if token.line[: token.start[1]].strip() else alone)[token.start[0]] = token.string.lstrip("#! ")
    above: dict[int, str] = {}
    said: list[str] = []
    for number, line in enumerate(code.split("\n"), 1):
        if not line.strip():
            said = []
        elif number in alone:
            said.append(alone[number])
        else:
            above[number] = " ".join(said)
    return behind, above
