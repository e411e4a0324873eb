"""`ml-agent symbols`."""

import argparse
from typing import TYPE_CHECKING

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.console import Screen
    from ml_agent.tools.facts import ExportData, ReferenceData, SymbolData
    from ml_agent.tools.named import SymbolsData

_COLUMNS = 160
_LIKE = {"prefix": "these begin so", "fuzzy": "these are spelled like it", "words": "these fit the words"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "What a repository defines under a name, in any language that is read: functions, classes, constants, keys, ..."
    asking.add_repository(parser)
    parser.add_argument("name", metavar="NAME", nargs="?", help="a name, or a qualified one: Class.method, package.module.name")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--prefix", dest="match", action="store_const", const="prefix", help="names that begin so")
    way.add_argument("--fuzzy", dest="match", action="store_const", const="fuzzy", help="names that are spelled like it")
    parser.add_argument("--kind", action="append", metavar="KIND", help="only symbols of this kind (function, class, ...); may be repeated")
    parser.add_argument("--references", action="store_true", help="also who calls or uses it")
    parser.add_argument("--exports", metavar="MODULE", help="instead of NAME: what a module, as a path or a dotted name, offers to import")
    asking.add_number(parser, 20, "how many symbols (20)")


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, status, written
    from ml_agent.errors import UsageError
    from ml_agent.tools.named import NotThere, exports_data, symbols_data

    name, module = (args.name or "").strip(), args.exports
    if bool(name) == bool(module):
        raise UsageError("give a NAME to look for, or a module with --exports")
    index = asking.open_index(args.repo)
    with status() as line:
        line.update("reading the repository")
        try:
            if module:
                data = exports_data(index, module)
            else:
                data = symbols_data(index, name, args.match, args.kind or (), args.k, references=args.references)
        except NotThere as error:
            raise UsageError(str(error)) from None
    with written():
        if args.json:
            print_json(data)
        else:
            _show(Screen(), data, args)
    asking.say_notes(index.notes)
    return 0 if data["symbols"] or data["references"] or data["exports"] else 1


def _show(screen: "Screen", data: "SymbolsData", args: argparse.Namespace) -> None:
    if args.exports:
        for export in data["exports"]:
            _show_export(screen, export)
        if not data["exports"]:
            asking.nothing(screen, f"{args.exports} offers nothing")
        return
    if not data["symbols"]:
        asking.nothing(screen, f"no symbol fits {args.name!r}")
    elif args.match is None and data["match"] in _LIKE:
        asking.nothing(screen, f"no symbol is named {args.name!r}; {_LIKE[data['match']]}:")
    for symbol in data["symbols"]:
        _show_symbol(screen, symbol)
    if data["more"]:
        screen.line(("and more; -k shows them, --kind some of them", "dim"))
    if args.references:
        screen.line(("used by" if data["references"] else "nothing refers to it", "bold"))
        for reference in data["references"]:
            _show_reference(screen, reference)


def _show_symbol(screen: "Screen", symbol: "SymbolData", through: str | None = None) -> None:
    from ml_agent.console import safe
    from ml_agent.tools.facts import import_line

    place = (safe(f"{symbol['path']}:{symbol['line']}"), "cyan")
    screen.line((f"{symbol['kind']} ", "dim"), (safe(symbol["qualified"]), "bold"), ("  ", ""), place, (through or "", "dim"))
    how = import_line(symbol) if through is None else ""  # from the module that was asked for
    for text, style in ((symbol["signature"], ""), (symbol["doc"], "italic"), (how, "green")):
        if text:
            screen.line((f"    {asking.cut(text, _COLUMNS)}", style))


def _show_export(screen: "Screen", export: "ExportData") -> None:
    from ml_agent.console import safe

    through = f"  through {safe(export['through'])}" if export["through"] else ""
    if export["symbol"]:
        _show_symbol(screen, export["symbol"], through)
    else:
        screen.line((safe(export["name"]), "bold"), (through or "  not defined in the repository", "dim"))


def _show_reference(screen: "Screen", reference: "ReferenceData") -> None:
    from ml_agent.console import safe

    what = "called" if reference["called"] else "used"
    inside = f"  in {safe(reference['inside'])}" if reference["inside"] else ""
    doubt = "" if reference["bound"] else "  (the same name; it may be another)"
    place = (safe(f"{reference['path']}:{reference['line']}"), "cyan")
    screen.line((f"    {what:<8}", "dim"), place, (inside, ""), (doubt, "dim"))
