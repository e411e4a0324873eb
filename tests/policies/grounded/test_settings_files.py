"""Requests for settings that stand in files, and for keys of hydra's configurations, on whole repositories."""

from pathlib import Path

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.naming import named
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import option, proposals, write
from tests.repo.entrypoints.programs import HYDRA

TAKES_ALL = "import sys\nfrom nests import merge\n\nif __name__ == '__main__':\n    merge(sys.argv[1:])\n"
CONFIG = (
    "train:\n  lr: 0.1\n  eggs: 4\n  color: white\n  checkpoint_path: ''\n  hatch: false\nnest:\n  depth: 2  # twigs above one another\n"
)


def line_of(root: Path, text: str) -> str:
    return proposals(root, text)[0].answer.code.strip()


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("Train the owls with 7 eggs and a learning rate of 0.02.", "with train.eggs=7 train.lr=0.02"),
        ("Train the owls with 7 eggs, from the checkpoint path runs/owl.", "with train.eggs=7 train.checkpoint_path=runs/owl"),
        ("Train the owls with 7 eggs. They are Brown in color.", "with train.eggs=7"),
    ],
)
def test_the_other_keys_of_a_file_are_set_in_the_same_way(tmp_path: Path, request_: str, wanted: str) -> None:
    readme = "# Owls\n\nTrain the owls:\n\n```sh\npython train.py with train.eggs=3\n```\n"
    write(tmp_path, {"train.py": TAKES_ALL, "config/owls.yaml": CONFIG, "README.md": readme})
    assert line_of(tmp_path, request_) == f"python train.py {wanted}"


def test_the_comment_on_a_key_names_it(tmp_path: Path) -> None:
    readme = "# Owls\n\nTrain the owls:\n\n```sh\npython train.py train.eggs=3\n```\n"
    write(tmp_path, {"train.py": HYDRA, "conf/config.yaml": CONFIG, "README.md": readme})
    assert line_of(tmp_path, "Train the owls with 5 twigs above one another.") == "python train.py train.eggs=3 nest.depth=5"


def test_what_is_hydras_own_is_not_set(tmp_path: Path) -> None:
    config = "owl:\n  _target_: owls.Owl\n  eggs: 3\n"
    readme = "# Owls\n\nTrain the owls:\n\n```sh\npython train.py owl.eggs=3\n```\n"
    write(tmp_path, {"train.py": HYDRA, "conf/config.yaml": config, "README.md": readme})
    assert line_of(tmp_path, "Train the owls with the target Wren and 4 eggs.") == "python train.py owl.eggs=4"


@pytest.mark.parametrize(("name", "least"), [("--owls.nest.max_eggs", 0.9), ("owls.nest.max_eggs", 0.0)])
def test_the_section_of_an_option_need_not_be_said(name: str, least: float) -> None:
    """What is given by its place has no name on the command line, so that its dots say nothing."""
    request = read_request("max eggs 7")
    at = next(m.position for m in request.mentions if m.value == "7")
    score = named(option(name), at, Surroundings(request))[0]
    assert score >= least if least else score < 0.9
