from pathlib import Path

import pytest

from ml_agent.policies.grounded.constructs import rank_constructs, wanted_methods
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.callables import find_callables
from ml_agent.repo.index import RepoIndex
from ml_agent.verify import verify
from tests.policies.grounded.support import justified, write

NET = '''import torch
import torch.nn as nn


class MossNet(nn.Module):
    """A net for moss.

    Args:
        lost (float): Chance that a spore is lost.
    """

    def __init__(self, in_channels=3, n_spores=10, widths=(8, 16), lost=0.1, damp=False, shade=True):
        super().__init__()

    def forward(self, x):
        return x


class Rhyme:
    def __init__(self, style="plain", loud=False):
        self.style = style

    def make_verse(self, words, ending=None):
        return words


def count_stems(path, minimum=1):
    return minimum
'''
FILES = {"garden/__init__.py": "", "garden/moss.py": NET}

TASKS = {
    "Run a batch of 4 random 32x48 pictures through the moss net with 5 spores and print the output's shape": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet(n_spores=5)\n"
        "output = model(torch.randn((4, 3, 32, 48)))\nprint(output.shape)"
    ),
    "Moss-Net for one channel, damp, without shade; feed it two images of 64x64": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet(in_channels=1, damp=True, shade=False)\n"
        "output = model(torch.randn((2, 1, 64, 64)))\nprint(output.shape)"
    ),
    "A MossNet with widths 4, 8 and 12: count its parameters": (
        "from garden.moss import MossNet\n\nmodel = MossNet(widths=(4, 8, 12))\nprint(sum(p.numel() for p in model.parameters()))"
    ),
    "Save the weights of a fresh MossNet to 'start.pth'": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet()\ntorch.save(model.state_dict(), 'start.pth')"
    ),
    "Load weights.pth into a MossNet and switch it to inference mode": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet()\n"
        "model.load_state_dict(torch.load('weights.pth', map_location='cpu'))\nmodel.eval()"
    ),
    "A MossNet with the Adam optimizer (rate 0.02, weight decay 1e-4) and a cosine schedule over 30 epochs": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet()\n"
        "optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-4)\n"
        "scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=30)"
    ),
    "A MossNet where the chance that a spore is lost is 0.3, passed a batch of 2 at 16x16": (
        "import torch\n\nfrom garden.moss import MossNet\n\nmodel = MossNet(lost=0.3)\n"
        "output = model(torch.randn((2, 3, 16, 16)))\nprint(output.shape)"
    ),
    "Count stems of the path 'a.txt' with a minimum of 4 and print that": (
        "from garden.moss import count_stems\n\nresult = count_stems(path='a.txt', minimum=4)\nprint(result)"
    ),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_program_from_the_class_itself(tmp_path: Path, task: str) -> None:
    index = RepoIndex(write(tmp_path, FILES))
    best = rank_constructs(find_callables(index, task, 5), {}, (), read_request(task))[0]
    assert best.answer.code == TASKS[task]
    assert [f for f in verify(best.answer, index).findings if f.severity == "error"] == []
    evidence = justified(best.answer, task, tmp_path)
    assert evidence[0].source in {"garden/moss.py:5", "garden/moss.py:27"}


def test_a_method_that_is_asked_for_by_its_name(tmp_path: Path) -> None:
    task = "With the loud Rhyme, make a verse of the words 'rain again' and print it"
    index = RepoIndex(write(tmp_path, FILES))
    best = rank_constructs(find_callables(index, task, 5), {}, (), read_request(task))[0]
    assert best.answer.code == (
        "from garden.moss import Rhyme\n\nrhyme = Rhyme(loud=True)\nresult = rhyme.make_verse(words='rain again')\nprint(result)"
    )


def test_what_is_done_already_is_not_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"jar.py": "class Jar:\n    def save_lid(self):\n        pass\n\n    def open_lid(self):\n        pass\n"})
    ((_, jar),) = find_callables(RepoIndex(tmp_path), "jar", 5)
    assert [m.name for m in wanted_methods(jar, read_request("open the saved lid of the jar"))] == ["open_lid"]


def test_documented_code_is_the_better_base(tmp_path: Path) -> None:
    task = "Build a MossNet with 5 spores"
    found = find_callables(RepoIndex(write(tmp_path, FILES)), task, 5)
    plain, behind = (rank_constructs(found, names, (), read_request(task))[0] for names in (dict[str, str](), {"MossNet": "garden.moss"}))
    assert behind.score < plain.score


@pytest.mark.parametrize(("module", "imported"), [("mosses", "mosses"), ("garden", "garden.moss"), ("", "garden.moss")])
def test_what_documents_import_from_an_installed_package_is_imported_so(tmp_path: Path, module: str, imported: str) -> None:
    task = "Build a MossNet with 5 spores"
    found = find_callables(RepoIndex(write(tmp_path, FILES)), task, 5)
    best = rank_constructs(found, {"MossNet": module}, (), read_request(task))[0]
    assert f"from {imported} import MossNet" in best.answer.code
