"""Command lines taken out of what people paste: console sessions with prompts and output, notebook cells."""

import re
from collections.abc import Sequence

from ml_agent.repo.shell.launchers import run_target

_PROMPT = re.compile(
    r"\s*(?:\([\w.\-/ ]{1,40}\)\s*)?"  # an environment's name
    r"(?:[\w.\-]{1,40}@[\w.\-]{1,60}[: ][^\s$#%>]{0,80}\s?[$#%]"  # me@host:~/folder$
    r"|(?:[\w.\-]{1,40}/){1,6}[\w.\-]{0,40}\s?\$>?"  # repository/folder $>
    r"|[A-Za-z]:\\[^>\n]{0,80}>|PS [^>\n]{0,80}>"  # C:\folder>
    r"|\[(?!-)[^\]\n]{1,80}\]\s?[$#%]|[$%❯➜]|(?<=\))\s?[>#])\s+(?=\S)"
)
_ARROW = re.compile(r"\s*>\s+(?=\S)")
_ROOT = re.compile(r"\s*#\s+(?=\S)")
_ARGUMENT = re.compile(r"--?[A-Za-z]|\.{0,2}/\w|[\w-]+(?:/[\w.-]+)*\.[A-Za-z]\w{1,5}$")
"""An option, a folder or a file."""
_VERSION = re.compile(r"[(<>=~^v]*\d[\w.*]*\)?")
_MAGIC = re.compile(r"\s*(?:!(?!\s|=)|!\s+(?=\S)|%(?=cd\b|env\b|set_env\b|run\b|sx\b|system\b|pip\b|bash\b))")


def strip_prompts(code: str) -> tuple[str, tuple[int, ...]]:
    """The commands of a console session or a notebook cell, and the line that each line of them came from (from 1).

    With a prompt in any line (`$ `, `% `, `> `, `(env) me@host:~$ `) the lines without one are output and left out,
    unless they continue a command or plainly run a program. With `!cmd`, `%cd` or `%run` in any line the others are
    Python and left out. `%%bash` makes the rest of the cell a script. Text with none of these comes back as it is.
    """
    lines = code.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is not None and re.match(r"\s*%%(?:bash|sh|script\s+(?:bash|sh))\b", lines[first]):
        kept = [(line, n) for n, line in enumerate(lines, 1) if n > first + 1]
    elif any(_MAGIC.match(line) for line in lines):
        kept = _notebook(lines)
    elif any(_PROMPT.match(line) for line in lines):
        kept = _console(lines, _PROMPT)
    elif first is not None and _ARROW.match(lines[first]):
        kept = _console(lines, _ARROW)
    elif (
        first is not None
        and (root := _ROOT.match(lines[first]))
        and runs(lines[first][root.end() :])
        and not any(runs(line) for line in lines)
    ):
        kept = _console(lines, _ROOT)
    else:
        kept = [(line, n) for n, line in enumerate(lines, 1)]
    return "\n".join(line for line, _ in kept), tuple(n for _, n in kept)


def _console(lines: list[str], prompt: re.Pattern[str]) -> list[tuple[str, int]]:
    kept: list[tuple[str, int]] = []
    continued = False
    for number, line in enumerate(lines, 1):
        match = prompt.match(line)
        if match and not (continued and prompt is not _ARROW):
            line = line[match.end() :]
        elif continued:
            line = _ARROW.sub("  ", line, count=1) if _ARROW.match(line) else line
        elif not runs(line):
            continue
        kept.append((line, number))
        continued = line.rstrip().endswith("\\")
    return kept


def _notebook(lines: list[str]) -> list[tuple[str, int]]:
    kept: list[tuple[str, int]] = []
    continued = False
    for number, line in enumerate(lines, 1):
        if continued:
            kept.append((line, number))
        elif match := _MAGIC.match(line):
            kept.append((_magic(line[match.end() :], shell=line.lstrip().startswith("!")), number))
        else:
            continue
        continued = line.rstrip().endswith("\\")
    return kept


def _magic(command: str, *, shell: bool) -> str:
    """A notebook's magic as the shell would say it. `!cd x` does not last there, `%cd x` does."""
    if shell:
        command = re.sub(r"^\{\s*sys\.executable\s*\}", "python", command)
        return f"({command})" if re.match(r"cd\s", command) and not command.rstrip().endswith("\\") else command
    name, _, rest = command.partition(" ")
    if name == "run":
        return f"python {rest}"
    if name in ("env", "set_env"):
        key, _, value = rest.strip().partition("=" if "=" in rest else " ")
        return f"export {key}={value}"
    return rest if name in ("sx", "system", "bash") else command


def runs(line: str) -> bool:
    """Whether a line plainly runs a program: an interpreter or a script in front, then a file or a module."""
    words = line.split()
    if not words or not re.match(r"(?:\./|python|bash\b|sh\b|torchrun\b|accelerate\b|deepspeed\b|[A-Z_]+=\S+$)", words[0]):
        return False
    target = run_target(words)
    return target is not None and (target.kind == "module" or bool(re.search(r"\.\w{1,5}$", target.value)))


def gives_arguments(words: Sequence[str], *, shell: bool) -> bool:
    """Whether words behind a program's name are what it is given. With an option they are, and with a file or a folder; else lists of
    packages (`name 1.0`) look the same, but that nobody calls them `shell`.
    """
    told = shell and len(words) > 1 and not any(_VERSION.fullmatch(word) for word in words[1:])
    return told or any(_ARGUMENT.match(word) for word in words[1:])
