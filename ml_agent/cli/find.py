"""`ml-agent find`."""

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ml_agent.cli import asking, choosing, modelling
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.catalogue import Found
    from ml_agent.console import Screen

_NAME = 48
_COLUMNS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = asking.EXIT_CODES
    parser.add_argument("task", metavar="TASK", help="in plain words, what to run")
    choosing.add_options(parser)
    parser.add_argument("--limit", type=asking.positive, default=10, metavar="N", help="how many repositories, at most 100 (default: 10)")
    modelling.add_options(parser)
    parser.add_argument("--prompts", metavar="DIR", help="templates in place of ml-agent's own of the same name")
    asking.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from ml_agent import catalogue
    from ml_agent.console import Screen, status, written
    from ml_agent.models.choice import ModelChoice
    from ml_agent.prompts import Prompts

    prompts = Prompts(Path(args.prompts)) if args.prompts is not None else None
    with ExitStack() as stack:
        line = stack.enter_context(status())
        model = None
        if args.model:
            line.update("starting the model")
            given = modelling.options_of(args)
            model = ModelChoice(given.pop("model"), **given).open()
            stack.callback(model.close)
        line.update("looking for repositories")
        found = catalogue.find(args.task, **choosing.options_of(args), model=model, limit=min(args.limit, 100), prompts=prompts)
    with written():
        if args.json:
            print_json(found.to_dict())
        else:
            _show(Screen(), found)
    asking.say_notes(found.notes)
    return 0 if found.candidates else 1


def _show(screen: "Screen", found: "Found") -> None:
    if not found.candidates:
        asking.nothing(screen, f"no repository was found for {', '.join(found.keywords) or 'the task'}")
        return
    screen.line(("keywords  ", "dim"), (asking.cut(", ".join(found.keywords), _COLUMNS), ""))
    screen.line(("order by  ", "dim"), (asking.cut(found.ranked_by, _COLUMNS), ""))
    screen.line()
    names = [asking.cut(one.name, _NAME) for one in found.candidates]
    for rank, (name, one) in enumerate(zip(names, found.candidates, strict=True), 1):
        stars = f"{one.stars:,} stars" if one.stars is not None else ""
        score = f"{one.score:.2f}" if one.score is not None else ""
        facts = f" {screen.dot} ".join(filter(None, (score, stars, one.why)))
        screen.line((f"{rank:>4}  ", "bold cyan"), (f"{name:<{max(map(len, names))}}", "bold"), (f"  {asking.cut(facts, _COLUMNS)}", "dim"))
        if one.description:
            screen.line((f"{'':6}{asking.cut(one.description, _COLUMNS)}", ""))
        place = str(one.path) if one.path is not None else one.url
        screen.line((f"{'':6}{asking.cut(f'{place} @ {one.commit[:12]}' if one.commit else place, 2 * _COLUMNS)}", "cyan"))
