"""A report on the screen: the ranking, and what one has to know to read it."""

from typing import TYPE_CHECKING

from ml_agent.console import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ml_agent.benchmarks.report.model import Rate, Report
    from ml_agent.benchmarks.report.order import Row
    from ml_agent.console import Screen

_BAR = 20
_NAME = 40
_NOTE = 300
"""Characters of foreign text."""
_LINES = 12
"""Rows of a table that can be long."""


def show_report(screen: "Screen", report: "Report") -> None:
    """Ranking, more than one answer, failed infrastructure, per repository, type, error class; what it took."""
    from ml_agent.benchmarks.report.model import FAMILIES
    from ml_agent.benchmarks.report.order import most_frequent, names, ranking
    from ml_agent.benchmarks.report.texts import duration, money, tokens

    suite, rows = report.suite, ranking(report.runs)
    about = (f"{suite.name} {suite.version}", f"{len(report.samples):,} samples", f"scorer {report.scorer} {report.scorer_version}")
    screen.line((f" {screen.dot} ".join(map(_name, about)), "bold"), (f"  {suite.hash[:12]}", "dim"))
    width = max(len(_name(row.label)) for row in rows)
    for row in rows:
        _show_place(screen, row.place, row.label, width, row.figures.score_name, row.figures.score)
        for note in row.run.notes:
            screen.line((f"{'':6}{_name(note, _NOTE)}", "yellow"))
    failed = [row for row in rows if row.figures.infrastructure]
    for row in failed:
        figures = row.figures
        out, n = _percent(figures.without_infrastructure), figures.without_infrastructure.n
        said = f"{figures.infrastructure:,} of {figures.attempts:,} attempts ended by the surroundings, counted as failed"
        screen.line((f"{'':6}{_name(row.label)}: {said}; without them {out}, n {n:,}", "yellow"))
    _title(screen, "more than one answer")
    for row in rows:
        parts = [
            f"{FAMILIES[family].format(k)} {_percent(rate)}" for family, rates in row.figures.rates.items() for k, rate in rates.items()
        ]
        screen.line((f"{'':6}{_name(row.label):<{width}}  ", ""), ("   ".join(parts), "dim"))
    figures_of = [row.figures for row in rows]
    rates = [("repository", [one.by_repository for one in figures_of]), ("type", [one.by_type for one in figures_of])]
    for title, shares in rates:
        _table(screen, title, rows, [(name, [_share(one.get(name)) for one in shares]) for name in names(shares)])
    counts = [("error class", [one.by_error for one in figures_of]), ("reason", [one.by_reason for one in figures_of])]
    for title, of in counts:
        _table(screen, title, rows, [(name, [f"{one.get(name, 0):,}" for one in of]) for name in most_frequent(of)])
    took = [
        ("time", [duration(one.seconds) for one in figures_of]),
        ("tokens", [tokens(one) for one in figures_of]),
        ("money", [money(one.money) for one in figures_of]),
    ]
    _table(screen, "what it took", rows, took)


def _show_place(screen: "Screen", place: str, name: str, width: int, score_name: str, rate: "Rate") -> None:
    """One line of a ranking; `width` is that of the widest name."""
    from ml_agent.benchmarks.report.texts import interval

    within = interval(rate) or "no interval"
    bar = f"{'█' * round(_BAR * rate.value):<{_BAR}}  " if rate.value is not None and screen.width and screen.width > 90 else ""
    screen.line(
        (f"{place:>4}  ", "bold cyan"), (f"{_name(name):<{min(width, _NAME)}}  ", "bold"), (bar, "blue"),
        (f"{score_name} {_percent(rate):>8}", "bold"), (f"  {within}, n {rate.n:,}", "dim"),
    )  # fmt: skip


def _title(screen: "Screen", title: str) -> None:
    screen.line()
    screen.line((title, "dim"))


def _table(screen: "Screen", title: str, rows: "Sequence[Row]", lines: "Sequence[tuple[str, Sequence[str]]]") -> None:
    if not lines:
        return
    heads = [_name(row.label) for row in rows]
    columns = [max(len(head), *(len(cells[n]) for _, cells in lines)) for n, head in enumerate(heads)]
    first = max(len(title), *(len(_name(name)) for name, _ in lines))
    screen.line()
    screen.line((f"{title:<{first}}", "dim"), *((f"  {head:>{width}}", "dim") for head, width in zip(heads, columns, strict=True)))
    for name, cells in lines[:_LINES]:
        shown = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, columns, strict=True))
        screen.line((f"{_name(name):<{first}}", ""), (shown, ""))
    if len(lines) > _LINES:
        screen.line((f"... {len(lines) - _LINES} more; --out and --json have all", "dim"))


def _name(text: str, limit: int = _NAME) -> str:
    shown = safe(text)
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."


def _percent(rate: "Rate") -> str:
    return "n/a" if rate.value is None else f"{100 * rate.value:.1f} %"


def _share(rate: "Rate | None") -> str:
    return "-" if rate is None else f"{_percent(rate)} of {rate.n:,}"
