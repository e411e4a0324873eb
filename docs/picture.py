"""The picture in README.md, from a real run: make picture."""

import argparse
import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from ml_agent import solve
from ml_agent.console import Screen
from ml_agent.report import show_result

WIDTH = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", required=True)
    parser.add_argument("--task", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    console = Console(file=io.StringIO(), record=True, force_terminal=True, width=WIDTH, highlight=False, markup=False, emoji=False)
    console.print(Text.assemble(("$ ", "bold green"), f'ml-agent solve --repo {args.repo} \\\n      --task "{args.task}"'))
    console.print()
    show_result(Screen(io.StringIO(), rich=console), solve(args.repo, args.task))
    svg = console.export_svg(title="ml-agent", theme=MONOKAI, unique_id="ml-agent")
    # rich takes its font from a web server; the reader's own monospaced font does as well.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")
    svg = re.sub(r"<!--.*?-->\s*", "", svg)
    args.out.write_text(svg, encoding="utf-8")
    print(f"written to {args.out}")


if __name__ == "__main__":
    main()
