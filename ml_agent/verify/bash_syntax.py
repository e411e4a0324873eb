"""Syntax errors of a command line. The grammar that reads commands is stricter than bash here and there, so bash decides."""

import os
import re
import subprocess
from collections.abc import Sequence

from ml_agent.executables import find_program
from ml_agent.verify.findings import Finding

_SECONDS = 2.0
_LINE = re.compile(r"line (\d+): (.*)")


def syntax_findings(text: str, errors: Sequence[tuple[int, str]]) -> tuple[list[Finding], bool]:
    """Findings, and whether the text is sound. `errors` are those of the grammar (line, message)."""
    if "\0" in text:
        return [_finding(text, text.count("\n", 0, text.index("\0")) + 1, "a NUL byte", "error")], False
    refused = _ask_bash(text)
    if refused:
        return [_finding(text, line, message, "error") for line, message in refused[:1]], False
    return [_finding(text, line, f"could not be read in full: {message}", "warning") for line, message in errors[:1]], True


def _ask_bash(text: str) -> list[tuple[int, str]] | None:
    """What bash says to the text without running it (`-n`): lines and messages. None if it cannot be asked."""
    bash = find_program("bash")
    if bash is None:
        return None
    try:
        run = subprocess.run(
            [bash, "--noprofile", "--norc", "-n"],
            input=text.encode("utf-8", "surrogateescape" if _decoded(text) else "replace"),
            capture_output=True,
            timeout=_SECONDS,
            env={"LC_ALL": "C", "PATH": os.defpath},
            cwd="/",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if run.returncode < 0:
        return [(1, "nested too deeply for bash")]
    if run.returncode == 0:
        return []
    found = [(int(m[1]), m[2]) for m in _LINE.finditer(run.stderr[:10_000].decode("utf-8", "replace"))]
    return found or [(1, "syntax error")]


def _decoded(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _finding(text: str, line: int, message: str, severity: str) -> Finding:
    lines = text.split("\n")
    place = (lines[line - 1] if 0 < line <= len(lines) else "").strip() or text.strip()  # bash also blames the line after the last
    return Finding("syntax", f"line {line}: {message}", place[:80], severity="error" if severity == "error" else "warning")
