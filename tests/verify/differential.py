"""What the real library makes of command lines, beside what verification says of them."""

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ml_agent.repo.entrypoints import EntryPoint
from tests.verify.support import bash, errors, repository

_RUNNER = """
import contextlib, io, json, os, runpy, sys
path, lines = sys.argv[1], json.load(sys.stdin)
sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
taken, shown = [], []
for words in lines:
    sys.argv = [path, *words]
    text = io.StringIO()
    before = set(sys.modules)
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            runpy.run_path(path, run_name="__main__")
            code = 0
        except SystemExit as end:
            code = end.code
        except Exception as error:
            code, _ = repr(error), print(repr(error))
    for name in set(sys.modules) - before:
        own = (getattr(sys.modules[name], "__file__", None) or "").startswith(os.getcwd())
        if own or name.partition(".")[0] in ("absl", "ml_collections"):  # which keep what a program defined
            del sys.modules[name]
    taken.append(code in (0, None))
    shown.append(text.getvalue())
json.dump([taken, shown], sys.__stdout__)
"""


def real(folder: Path, program: str, lines: Sequence[str]) -> list[tuple[bool, str]]:
    """For each command line whether the program took it, and what it printed. One process runs the program over and over."""
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER, program],
        input=json.dumps([shlex.split(line) for line in lines]),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    taken, shown = json.loads(done.stdout.splitlines()[-1])
    return list(zip(taken, shown, strict=True))


def compare(folder: Path, files: Mapping[str, str], lines: Sequence[str], program: str = "train.py") -> EntryPoint:
    """Assert that verification finds an error in exactly those command lines that the program refuses. Its entry point."""
    index = repository(folder, files)
    entry = index.entry_point(program)
    assert entry is not None
    differences = []
    for line, (taken, shown) in zip(lines, real(folder, program, lines), strict=True):
        check = bash(index, f"python {program} {line}")
        if (not errors(check)) != taken:
            said = [f.message for f in check.findings]
            differences.append(f"{line!r}: {'taken' if taken else 'refused'}; we say {said}; it says {shown[-300:]!r}")
    assert not differences, "\n".join(differences)
    return entry
