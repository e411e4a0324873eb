"""The report as Markdown: the tables of the HTML page's first page, for a README or an issue."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ml_agent.benchmarks.report import texts
from ml_agent.benchmarks.report.model import FAMILIES, KS, Rate, Report
from ml_agent.benchmarks.report.order import Row, most_frequent, names, ranking

if TYPE_CHECKING:
    from ml_agent.benchmarks.statistics import Comparison


_ABOUT = (
    "Score: the first answer (hit@1), one attempt (pass@1) or the original's (first-1), failed infrastructure counted as failed; 95 % "
    "interval clustered on the repository; equal scores share a place."
)
_PAIRS = ("First", "Second", "Difference", "95 %", "p", "First better", "Second better", "Same")


def markdown(report: Report) -> str:
    """GitHub's flavour. Names of policies and repositories are foreign text: nothing in them is taken for markup."""
    suite, rows = report.suite, ranking(report.runs)
    scorer = _plain(f"{report.scorer} {report.scorer_version}".strip())
    parts = [
        f"# {_plain(f'{suite.name} {suite.version}'.strip())}",
        f"{len(report.samples):,} samples, suite {suite.hash[:16]}, scorer {scorer}. {_ABOUT}",
        _table(("Place", "Policy", "Setting", "Score", "", "95 %", "n"), map(_place, rows)),
        *(f"{_plain(row.label)}: {_plain(note)}." for row in rows for note in row.run.notes),
        "## More than one answer",
        _table(
            ("Policy", *(pattern.format(k) for pattern in FAMILIES.values() for k in KS)),
            ((_plain(row.label), *(_cell(row.figures.rates.get(family, {}).get(k)) for family in FAMILIES for k in KS)) for row in rows),
        ),
        "## Failed infrastructure",
        _table(("Policy", "Failures", "of attempts", "Score, counted as failed", "n", "Score, left out", "n"), map(_infrastructure, rows)),
    ]
    figures = [row.figures for row in rows]
    for title, rates in (("Repository", [one.by_repository for one in figures]), ("Type", [one.by_type for one in figures])):
        if of := names(rates):
            body = ((_plain(name), *(_share(one.get(name)) for one in rates)) for name in of)
            parts += [f"## Per {title.lower()}", _table((title, *(_plain(row.label) for row in rows)), body)]
    for title, counts in (("Error class", [one.by_error for one in figures]), ("Reason", [one.by_reason for one in figures])):
        if of := most_frequent(counts):
            lines = ((_plain(name), *(f"{one.get(name, 0):,}" for one in counts)) for name in of)
            parts += [f"## Per {title.lower()}", _table((title, *(_plain(row.label) for row in rows)), lines)]
    if report.pairs:
        of_index = {row.index: _plain(row.label) for row in rows}
        lines = ((of_index[p.first], of_index[p.second], *_compared(p.comparison)) for p in report.pairs)
        parts += ["## Pair by pair", _table(_PAIRS, lines)]
    cost = (
        (_plain(row.label), texts.duration(row.figures.seconds), texts.tokens(row.figures), _plain(texts.money(row.figures.money)))
        for row in rows
    )
    parts += ["## What it took", _table(("Policy", "Time", "Tokens", "Money"), cost)]
    return "\n\n".join(parts).replace("\u00a0", " ") + "\n"


def _place(row: Row) -> Sequence[str]:
    score = row.figures.score
    return (row.place, _plain(row.label), _plain(row.run.setting), texts.percent(score.value), row.figures.score_name,
            texts.interval(score) or "–", f"{score.n:,}")  # fmt: skip


def _infrastructure(row: Row) -> Sequence[str]:
    figures = row.figures
    left_out = figures.without_infrastructure
    return (_plain(row.label), f"{figures.infrastructure:,}", f"{figures.attempts:,}", texts.percent(figures.score.value),
            f"{figures.score.n:,}", texts.percent(left_out.value), f"{left_out.n:,}")  # fmt: skip


def _compared(one: "Comparison") -> Sequence[str]:
    return (texts.points(one.difference), texts.points_interval(one.low, one.high) or "–", texts.p_value(one.p),
            f"{one.wins:,}", f"{one.losses:,}", f"{one.ties:,}")  # fmt: skip


def _cell(rate: Rate | None) -> str:
    return "–" if rate is None else texts.percent(rate.value)


def _share(rate: Rate | None) -> str:
    return "–" if rate is None else f"{texts.percent(rate.value)} of {rate.n:,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _plain(text: str) -> str:
    """Foreign text in one cell: each character that Markdown or HTML would obey is escaped."""
    flat = texts.line(texts.shown(text))
    escaped = "".join(f"&#{ord(c)};" if c in "&<>|`@:" else f"\\{c}" if c in r"\*_[]{}()#+!~$" else c for c in flat)
    return re.sub(r"(?i)www\.", lambda found: f"{found[0][:3]}&#46;", escaped)  # GitHub makes a link of it
