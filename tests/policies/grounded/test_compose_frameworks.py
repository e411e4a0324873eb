"""Command lines of frameworks that write an option another way than argparse."""

from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.verify import verify
from tests.policies.grounded.support import answered, solve, write

HYDRA = {
    "train.py": """
import hydra

@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg):
    print(cfg)

if __name__ == "__main__":
    main()
""",
    "conf/config.yaml": "defaults:\n  - model: gcn\n  - _self_\nseed: 1\ntrainer:\n  lr: 0.1\n  epochs: 3\n",
    "conf/model/gcn.yaml": "hidden: 3\n",
    "conf/model/gat.yaml": "hidden: 4\n",
}
FIRE = {
    "train.py": """
import fire

def train(data, lr=0.1, epochs=10, shuffle=False):
    "Train it."

if __name__ == "__main__":
    fire.Fire(train)
"""
}
CLICK = {
    "train.py": """
import click

@click.group()
def cli(): pass

@cli.command()
@click.option("--lr", type=float, default=0.1)
@click.option("--epochs", type=int, required=True)
@click.argument("data")
def train(lr, epochs, data):
    "Train it."

@cli.command()
@click.option("--out", required=True)
def export(out):
    "Export it."

if __name__ == "__main__":
    cli()
"""
}
ASSIGNED = {
    "train.py": """
import sys

epochs = 10
lr = 0.5

for word in sys.argv[1:]:
    name, value = word.split("=")
    if name[2:] not in globals() or not word.startswith("--"):
        raise SystemExit(word)
    globals()[name[2:]] = value
"""
}
ONE_NEEDED = {
    "train.py": """
import argparse

p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int)
g = p.add_mutually_exclusive_group(required=True)
g.add_argument("--fast", action="store_true")
g.add_argument("--slow", action="store_true")
p.parse_args()
"""
}


def readme(command: str) -> str:
    return f"# Graphs\n\nTrain a model:\n\n```bash\n{command}\n```\n"


@pytest.mark.parametrize(
    ("files", "documented", "task", "expected"),
    [
        (
            HYDRA,
            "python train.py seed=3",
            "train the gat model for 20 epochs with learning rate 0.05 and seed 7",
            "python train.py seed=7 model=gat trainer.epochs=20 trainer.lr=0.05",
        ),
        (HYDRA, "python train.py +new=3 'trainer.lr=0.2'", "train with a learning rate of 0.05", "python train.py +new=3 trainer.lr=0.05"),
        (
            FIRE,
            "python train.py cora --lr 0.3",
            "train on pubmed for 20 epochs with learning rate 0.05 with shuffle",
            "python train.py pubmed --lr 0.05 --epochs 20 --shuffle",
        ),
        (
            CLICK,
            "python train.py train cora --epochs 3",
            "train on pubmed for 20 epochs with learning rate 0.05",
            "python train.py train pubmed --epochs 20 --lr 0.05",
        ),
        (ASSIGNED, "python train.py", "train for 20 epochs", "python train.py --epochs=20"),
        (ONE_NEEDED, "python train.py --epochs 3", "train for 20 epochs", "python train.py --epochs 20 --fast"),
    ],
)
def test_options_are_written_as_the_program_takes_them(
    tmp_path: Path, files: dict[str, str], documented: str, task: str, expected: str
) -> None:
    root = write(tmp_path / "r", {**files, "README.md": readme(documented)})
    answer = answered(solve(root, task))
    assert answer.as_text() == expected
    assert verify(answer, RepoIndex(root)).findings == ()
