"""Counts and tables of what verification and review say about answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ml_agent.benchmarks.impossible.labels import Label
from ml_agent.verify import Check


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer with what the scorer, a reader and verification say of it."""

    source: str
    key: str
    output: int
    accepted: bool
    """By the strict scorer."""
    label: Label | None
    check: Check
    """Of `review`, from the folder that the answer fares best in: the root, or the row's."""

    @property
    def refused(self) -> bool:
        return not self.check.ok


def by_kind(judged: Sequence[Judged]) -> Iterator[str]:
    """Lines of Markdown: of the labelled answers that are impossible, how many are refused; and how many of the others are."""
    labelled = [(one, one.label) for one in judged if one.label is not None]
    yield "| impossible part | answers | refused | share |"
    yield "|---|---:|---:|---:|"
    kinds = sorted({label.kind for _, label in labelled if label.impossible})
    for kind in kinds:
        yield _row(kind, [one for one, label in labelled if label.kind == kind])
    yield _row("all", [one for one, label in labelled if label.impossible])
    yield _row("none (false alarms)", [one for one, label in labelled if not label.impossible])
    refused = [label for one, label in labelled if one.refused]
    right = sum(label.impossible for label in refused)
    yield ""
    yield f"{len(labelled)} labelled answers; precision {_share(right, len(refused))}"
    for one, label in labelled:
        if one.refused != label.impossible:
            what = f"missed, {label.kind} ({label.why})" if label.impossible else "false alarm: " + errors(one.check)
            yield f"- {one.source} {one.key} output {one.output}: {what}"


def _row(name: str, judged: Sequence[Judged]) -> str:
    refused = sum(one.refused for one in judged)
    return f"| {name} | {len(judged)} | {refused} | {_share(refused, len(judged))} |"


def by_verdict(judged: Sequence[Judged]) -> Iterator[str]:
    """Lines of Markdown: of the answers that the strict scorer accepts and rejects, how many are refused, and have any finding."""
    yield "| answers | strict | number | refused | with a finding of review | share |"
    yield "|---|---|---:|---:|---:|---:|"
    for source in (*dict.fromkeys(one.source for one in judged), "all"):
        for accepted in (True, False):
            ones = [one for one in judged if source in (one.source, "all") and one.accepted is accepted]
            found, refused = sum(bool(one.check.findings) for one in ones), sum(one.refused for one in ones)
            verdict = "accepts" if accepted else "rejects"
            yield f"| {source} | {verdict} | {len(ones)} | {refused} | {found} | {_share(found, len(ones))} |"
    for one in judged:
        if one.accepted and one.refused:
            yield f"- accepted by strict and refused: {one.source} {one.key} output {one.output}: {errors(one.check)}"


def errors(check: Check) -> str:
    """The errors, each with its place in the repository, in one line."""
    return "; ".join(f"{f.kind}: {f.message} ({f.source or 'in the answer'})" for f in check.findings if f.severity == "error")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
