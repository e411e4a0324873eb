"""Programs, documented commands and requests in few words, and repositories written into a folder."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ml_agent.agent import PlannerLoop
from ml_agent.limits import Limits
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.compose import Line, build
from ml_agent.policies.grounded.fill import Fill, fill
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.proposals import Proposal, propose
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.swaps import find_swaps
from ml_agent.repo.commands import Command
from ml_agent.repo.documents import CodeBlock
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer, Evidence, Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import Trajectory
from ml_agent.workspace import Workspace

HOSTILE = (
    "$(touch made)",
    "`touch made`",
    "a; touch made",
    "a && touch made",
    "a | tee made",
    "> made",
    "it's",
    'say "so"',
    "two words",
    "line\nbreak",
    "tab\there",
    "-rf",
    "--help",
    "*",
    "?",
    "[ab]",
    "{a,b}",
    "!!",
    "#3",
    "a\\b",
    "\\",
    "",
    " ",
    "$'x'",
    "$(HOME)",
    "${HOME:-a}",
    "$x{a,b}",
    "it's $HOME",
    "é",
    "模型",
    "a=b",
    "(x)",
    "<in",
    "&",
    "%s",
)
"""Values that a shell would take for more than a value."""


def option(name: str, **fields: Any) -> Option:
    """An option of `train.py`; `aliases` without the name itself."""
    aliases = (name, *fields.pop("aliases", ()))
    return Option(**{"name": name, "aliases": aliases, "source": f"train.py:{10 + len(name)}", **fields})


def flag(name: str, **fields: Any) -> Option:
    return option(name, action="flag", **fields)


def program(*options: Option, path: str = "train.py", **fields: Any) -> EntryPoint:
    return EntryPoint(**{"path": path, "kind": "argparse", "run": ("python", path), "options": options, **fields})


def command(text: str, *, workdir: str = ".", source: str = "README.md:7", **fields: Any) -> Command:
    """`python train.py --lr 0.1`, split at spaces. Its target is the first word that names a file."""
    words = tuple(text.split(" "))
    index = next(i for i, w in enumerate(words) if w.endswith((".py", ".sh")))
    target = words[index] if workdir == "." else f"{workdir}/{words[index]}"
    return Command(
        **{"words": words, "target": target, "target_index": index, "workdir": workdir, "source": source, "text": text, **fields}
    )


def filled(text: str, made: EntryPoint, *commands: Command) -> Fill:
    request = read_request(text)
    return fill(made, commands, request, Surroundings(request))


def given(text: str, *options: Option, commands: Sequence[Command] = ()) -> dict[str, str]:
    """Option -> its values joined by spaces, as the request gives them."""
    return {p.option.name: " ".join(p.values) for p in filled(text, program(*options), *commands).placed}


def line(text: str, made: EntryPoint, documented: Command | None = None, others: Sequence[Command] = ()) -> Line:
    """The command line for a request."""
    request = read_request(text)
    every = [*([documented] if documented else []), *others]
    found = fill(made, every, request, Surroundings(request))
    swaps = find_swaps(documented, request) if documented else []
    return build(made, documented, every, found, swaps, request)


def code(text: str, made: EntryPoint, documented: Command | None = None, others: Sequence[Command] = ()) -> str:
    return line(text, made, documented, others).answer().code


def block(code: str, *, language: str = "python", path: str = "README.md", line: int = 1, headings: tuple[str, ...] = ()) -> CodeBlock:
    return CodeBlock(language, code, path, line, headings)


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def material(index: RepoIndex, text: str, limit: int = 50) -> Material:
    """What the tool `entry_points` would bring back, scores scaled to 0..1."""
    programs, commands = index.search_entry_points(text, limit), index.search_commands(text, 2 * limit)
    top, best = max((s for s, _ in programs), default=1.0), max((s for s, _ in commands), default=1.0)
    return Material([(s / top, index.with_settings_files(p)) for s, p in programs], [(s / best, c) for s, c in commands])


def proposals(root: Path, text: str, own: frozenset[str] = frozenset()) -> list[Proposal]:
    index = RepoIndex(root)
    sections = index.search_sections(text, 40)
    top = max((s for s, _ in sections), default=1.0)
    return propose(material(index, text), [(s / top, x) for s, x in sections], own, read_request(text))


def first(root: Path, text: str) -> str:
    """The best answer, from the root."""
    return proposals(root, text)[0].answer.as_text()


def solve(
    root: Path, text: str, *, sandbox: str = "none", attempt: int = 0, limits: Limits | None = None, policy: Grounded | None = None
) -> Trajectory:
    """A run of the loop over the repository with all tools."""
    with Workspace(root, Options(sandbox=sandbox)) as workspace:
        loop = PlannerLoop(policy or Grounded(), attempt=attempt)
        return loop.run(Task(text, workspace.repository), workspace, default_tools(), limits or Limits())


def answered(trajectory: Trajectory) -> Answer:
    assert trajectory.end is not None
    assert trajectory.end.answer is not None, trajectory.end
    return trajectory.end.answer


def justified(answer: Answer, text: str, root: Path | None = None) -> list[Evidence]:
    """The evidence of an answer, after a look at each: its words stand in the request, its source in the repository."""
    assert answer.evidence
    for evidence in answer.evidence:
        assert evidence.words is None or evidence.words in text, evidence
        assert evidence.words or evidence.source, evidence
        if evidence.source and root:
            path, _, number = evidence.source.rpartition(":")
            assert 1 <= int(number) <= len((root / path).read_text(encoding="utf-8").split("\n")), evidence
    return list(answer.evidence)


def bash(code: str, folder: Path) -> list[str]:
    """Run a command line whose program is `./show` and return the arguments that it received."""
    show = folder / "show"
    if not show.exists():
        show.write_text('#!/bin/sh\n[ $# -eq 0 ] || printf "%s\\0" "$@" > "$0.received"\n')
        show.chmod(0o755)
    (folder / "show.received").write_bytes(b"")
    subprocess.run(["bash", "-c", code], cwd=folder, check=True, timeout=10, env={"PATH": "/usr/bin:/bin", "HOME": "/home/nobody"})
    return (folder / "show.received").read_bytes().decode().split("\0")[:-1]
