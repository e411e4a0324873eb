"""`ml-agent check`."""

import argparse
from typing import TYPE_CHECKING

from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.task import Language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("code", metavar="COMMAND", help="a command line that starts in the repository's root, or the path of a .py file")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api, inputs, report
    from ml_agent.console import Screen, written

    code: str = args.code
    language: Language | None = None
    file = inputs.code_file(code, args.repo)
    if file is not None:
        code, language = inputs.read_code(file), "python"
    found = api.check(args.repo, code, language=language)
    with written():
        if args.json:
            print_json(api.check_dict(found))
        else:
            report.show_check(Screen(), found)
    return 0 if found.ok else 1
