"""typer's programs, beside the real ones."""

from pathlib import Path

from tests.verify.differential import compare

RUN = """
from enum import Enum
from pathlib import Path
from typing import List, Optional, Tuple
import typer

class Model(str, Enum):
    gcn = "gcn"
    gat = "gat"

def main(
    data: Path,
    rest: Optional[List[int]] = typer.Argument(None),
    lr: float = 0.1,
    n_epochs: int = typer.Option(10, "--epochs", "-e", min=1, help="how long"),
    model: Model = Model.gcn,
    loose: Model = typer.Option("gcn", case_sensitive=False),
    shuffle: bool = True,
    force: bool = typer.Option(False, "--force", "-f"),
    tags: List[str] = typer.Option([], "--tag"),
    pair: Tuple[int, int] = (1, 2),
    name: str = typer.Option(...),
    verbose: int = typer.Option(0, "--verbose", "-v", count=True),
):
    pass

if __name__ == "__main__":
    typer.run(main)
"""

RUN_LINES = [
    "d --name x",
    "d",
    "--name x",
    "d 1 2 --name x",
    "d one --name x",
    "d --name x --lr abc",
    "d --name x --epochs 0",
    "d --name x -e 3 -fvv",
    "d --name x --n-epochs 3",
    "d --name x --model gat",
    "d --name x --model GAT",
    "d --name x --loose GAT",
    "d --name x --no-shuffle",
    "d --name x --no-force",
    "d --name x --tag a --tag b",
    "d --name x --tag a b",
    "d --name x --pair 1 2",
    "d --name x --pair 1",
    "d --name x --install-completion",
    "--help",
]

APP = """
from typing import Optional
from typing_extensions import Annotated
import typer
from data_cli import app as data_app

app = typer.Typer(help="everything")
app.add_typer(data_app, name="data")

def version(value: bool):
    if value:
        raise typer.Exit()

@app.callback()
def root(debug: bool = False, shown: Optional[bool] = typer.Option(None, "--version", callback=version, is_eager=True)):
    pass

@app.command()
def train_it(epochs: Annotated[int, typer.Option("--epochs", "-n", help="how long")] = 3, seed: Annotated[int, typer.Option()] = 0):
    pass

@app.command("show")
def other(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(envvar="WHAT_TO_SHOW_X")],
    limit: Annotated[int, typer.Option(min=0, max=5)],
):
    pass

if __name__ == "__main__":
    app()
"""
DATA = """
import typer
app = typer.Typer()

@app.command()
def fetch(name: str, force: bool = False):
    pass
"""
APP_LINES = [
    "train-it",
    "train_it",
    "train-it -n 4 --seed 3",
    "train-it --debug",
    "--debug train-it",
    "--version",
    "show a --limit 3",
    "show a",
    "show a --limit 9",
    "data fetch x --no-force",
    "data fetch",
    "data",
    "nothing",
    "--no-debug data fetch x",
]

ONE = """
import typer
app = typer.Typer()

@app.command()
def main(x: int, y: int = 2):
    pass

if __name__ == "__main__":
    app()
"""


def test_a_function(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": RUN}, RUN_LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("typer", False, ())


def test_an_app_with_another_below_it(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": APP, "data_cli.py": DATA}, APP_LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("typer", False, ())


def test_an_app_of_one_command_has_no_commands(tmp_path: Path) -> None:
    compare(tmp_path, {"train.py": ONE}, ["3", "main 3", "3 --y 4", "3 --show-completion --z", "--y 4"])
