"""`ml-agent env`."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.console import Screen
    from ml_agent.needs import DistributionNeed, EnvironmentReport, ModuleNeed

_LABEL = 11
_ROWS = 9
"""Of one kind; --json has all."""
_FEW = 4
"""Of what matters less."""
_NAME = 44
"""Columns of a name at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout")
    parser.add_argument("--python", metavar="PATH", help="interpreter or virtual environment (default: what solve would take)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, with all that the screen cuts")


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, status, written
    from ml_agent.needs import environment_report

    with status() as line:
        line.update("reading the repository")
        report = environment_report(args.repo, args.python)
    with written():
        if args.json:
            print_json(report.to_dict())
        else:
            show(Screen(), report)
    return 0 if report.ok else 1


def show(screen: "Screen", report: "EnvironmentReport") -> None:
    """What is missing first; then what is optional, what could not be read, and what to do."""
    from ml_agent.console import safe

    python = safe(f"{report.version} {screen.dot} {report.python} {screen.dot} {report.packages} packages")
    _label(screen, "python", python)
    _show_python(screen, report)
    needed = [d for d in report.distributions if not d.group]
    _show_summary(screen, report, needed)
    _rows(screen, "missing", "red", [_row(d) for d in needed if d.state == "missing"], _ROWS)
    _rows(screen, "version", "yellow", [_row(d) for d in needed if d.state == "other_version"], _ROWS)
    _show_modules(screen, report)
    _rows(screen, "unknown", "yellow", [_row(d) for d in needed if d.state == "unknown"], _FEW)
    _rows(screen, "unread", "yellow", [(u.place, u.reason, "") for u in report.unread], _FEW)
    _show_groups(screen, report)
    if report.indexes:
        _label(screen, "indexes", safe(f" {screen.dot} ".join(report.indexes[:_FEW])))
    for note in report.notes[:_FEW]:
        _label(screen, "note", safe(note), "yellow")
    _show_remedy(screen, report)


def _label(screen: "Screen", label: str, text: str, style: str = "") -> None:
    screen.line((f"{label:<{_LABEL}}", "dim"), (text, style))


def _show_python(screen: "Screen", report: "EnvironmentReport") -> None:
    from ml_agent.console import safe

    for need in report.python_needs:
        if not need.group and not need.fits:
            _label(screen, "", safe(f"does not fit {need.specifier} ({need.place})"), "red")


def _show_summary(screen: "Screen", report: "EnvironmentReport", needed: "Sequence[DistributionNeed]") -> None:
    from ml_agent.console import safe

    if not needed:
        _label(screen, "declared", "nothing that using it needs", "" if report.undeclared else "green")
        return
    files = list(dict.fromkeys(place.rpartition(":")[0] for need in needed for place in need.places))
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    words = {
        "present": "here",
        "missing": "missing",
        "other_version": "of another version",
        "unknown": "not known",
        "not_here": "not for here",
    }
    counts = ", ".join(f"{n} {word}" for state, word in words.items() if (n := sum(d.state == state for d in needed)))
    unmet = any(d.state in ("missing", "other_version") for d in needed)
    _label(screen, "declared", safe(f"{len(needed)} in {', '.join(files[:3])}{more}: {counts}"), "" if unmet else "green")


def _row(need: "DistributionNeed") -> tuple[str, str, str]:
    more = f" and {len(need.places) - 1} more" if len(need.places) > 1 else ""
    here = f"{need.installed or 'of no version'} is here" if need.state == "other_version" else ""
    used = f"imported by {_files(need.imported_by)}" if need.imported_by else ""
    # An address is long, and its name stands at the end.
    name = f"{need.name} ({need.requirement})" if "://" in need.requirement and need.name != need.requirement else need.requirement
    return name, need.place + more, ", ".join(filter(None, (here, used)))


def _files(count: int) -> str:
    return f"{count} file{'s' if count > 1 else ''}"


def _rows(screen: "Screen", label: str, style: str, rows: list[tuple[str, str, str]], limit: int) -> None:
    """Name, place and remark in columns, the label before the first."""
    from ml_agent.console import safe

    shown = [tuple(safe(" ".join(part.split())) for part in row) for row in rows[:limit]]
    widths = [min(_NAME, max((len(row[i]) for row in shown), default=0)) for i in (0, 1)]
    for number, (name, place, remark) in enumerate(shown):
        head = "" if number else label
        cut = name if len(name) <= _NAME else name[: _NAME - 3] + "..."
        screen.line((f"{head:<{_LABEL}}", "dim"), (f"{cut:<{widths[0]}}  ", style), (f"{place:<{widths[1]}}  ", "cyan"), (remark, "dim"))
    if len(rows) > limit:
        _label(screen, "", f"and {len(rows) - limit} more; --json names them", "dim")


def _show_modules(screen: "Screen", report: "EnvironmentReport") -> None:
    from ml_agent.console import safe

    met = [m for m in report.undeclared if m.imported.need in ("needed", "inside")]
    _rows(screen, "undeclared", "red", [_module_row(m) for m in met], _ROWS)
    if not report.undeclared:
        count = len(report.modules)
        said = f"{count} module{'s' if count > 1 else ''} from elsewhere, all here or declared" if count else "no modules from elsewhere"
        _label(screen, "imports", said, "green")
    optional = [m.imported.module for m in report.undeclared if m.imported.need == "optional"]
    if optional:
        more = f" and {len(optional) - _ROWS} more" if len(optional) > _ROWS else ""
        _label(screen, "optional", safe(f"imports that may fail: {', '.join(optional[:_ROWS])}{more}"), "dim")


def _module_row(need: "ModuleNeed") -> tuple[str, str, str]:
    imported = need.imported
    alike = need.distribution.lower().replace("-", "_") == imported.module.lower()
    name = imported.module if alike or not need.certain or not need.distribution else f"{imported.module} ({need.distribution})"
    where = "in functions of" if imported.need == "inside" else "by"
    remark = need.remark or ("" if need.certain else "no known distribution")
    return name, imported.place, ", ".join(filter(None, (f"imported {where} {_files(imported.files)}", remark)))


def _show_groups(screen: "Screen", report: "EnvironmentReport") -> None:
    """One line for each optional group that is not all there."""
    from ml_agent.needs import UNMET

    groups = list(dict.fromkeys(d.group for d in report.distributions if d.group))
    rows = []
    for group in groups:
        own = [d for d in report.distributions if d.group == group]
        unmet = [d.name for d in own if d.state in UNMET]
        if unmet:
            more = ", ..." if len(unmet) > _FEW else ""
            rows.append((group, f"{len(unmet)} of {len(own)} not met", ", ".join(unmet[:_FEW]) + more))
    _rows(screen, "optional", "dim", rows, _FEW)


def _show_remedy(screen: "Screen", report: "EnvironmentReport") -> None:
    from ml_agent.console import safe

    if report.remedy is None:
        return
    for remark in report.remedy.remarks:
        _label(screen, "note", safe(remark), "yellow")
    screen.line()
    screen.line(("to provide it, for the runs of ml-agent alone:", "dim"))
    screen.code(report.remedy.solve, "bash", indent="  ")
    screen.line(("or in an environment of your own:", "dim"))
    for command in report.remedy.own:
        screen.code(command, "bash", indent="  ")
