"""What a command line may rely on beyond its own words: the launcher, the user's own files, a Python that is no longer current."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.oldpython import parse_old_python
from ml_agent.repo.pysource import parse_python
from ml_agent.repo.shell import gives_rank
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Argument, Given


def with_launchers_own(entry: EntryPoint, launcher: Sequence[str], arguments: Sequence[Argument]) -> tuple[Argument, ...]:
    """The arguments as the program gets them: some launchers put `--local_rank=N` in front."""
    rank = next((a for o in entry.options for a in o.aliases if a in ("--local_rank", "--local-rank")), None)
    given = (Argument(f"{rank}=0", open=True, several=False),) if rank is not None and gives_rank(launcher) else ()
    return (*given, *arguments)


def wants_old_python(path: str, index: RepoIndex) -> Finding | None:
    """A warning where a program of the repository is written for a Python that takes what today's does not."""
    if not path.endswith((".py", ".pyw")):
        return None
    try:
        text = index.files.read(path)
        parse_python(text.text)
    except OSError:
        return None
    except SyntaxError as error:
        try:
            parse_old_python(text.text)
        except SyntaxError:
            return None  # that its options could not be read is said already
        message = f"`{path}` wants an old Python, today's does not take its line {error.lineno}: {error.msg}"
        return Finding("program", message, path, f"{path}:{error.lineno}", severity="warning")
    return None


def allow_named_files(findings: Sequence[Finding], given: Sequence[Given], index: RepoIndex) -> Iterator[Finding]:
    """The findings; a choice of a hydra group that is not there is only a warning where the documents name it: its file may be for
    the user to write."""
    groups = {g.place: g for g in given if g.option.type == "group"}
    for finding in findings:
        one = groups.get(finding.place) if finding.kind == "value" and finding.severity == "error" else None
        yield replace(finding, severity="warning") if one is not None and _is_named(one, index) else finding


def _is_named(given: Given, index: RepoIndex) -> bool:
    """Whether a document has `GROUP=CHOICE`, or the path of its file, `GROUP/CHOICE.yaml`."""
    group = re.escape(given.option.name.lstrip("+").partition("@")[0])
    wanted = [
        re.compile(rf"(?<![\w/]){group}(?:@\S+)?=\[?(?:[\w,/-]*,)?{re.escape(v)}(?![\w/-])|(?<!\w){group}/{re.escape(v)}\.ya?ml\b")
        for v in given.values
    ]
    missing = [p for p, v in zip(wanted, given.values, strict=True) if v not in (given.option.choices or ())]
    texts = (text for s in index.sections for text in (s.text, *(b.code for b in s.blocks)))
    named: set[str] = set()
    for text in texts:
        named.update(p.pattern for p in missing if p.search(text))
        if len(named) == len(set(missing)):
            return True
    return False
