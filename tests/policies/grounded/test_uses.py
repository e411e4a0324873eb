"""Uses that a snippet shows one after the other."""

import pytest

from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.uses import taken_apart, uses_of
from tests.policies.grounded.support import block

SHOWN = """\
import torch
from kitchen import Oven, Pan, Whisk

x = torch.rand(4, 3)  # dough
oven = Oven(width=64)
print(oven(x))

pan = Pan(32)
cake = pan(x)

whisk = Whisk()
"""


def uses(code: str) -> list[str]:
    (snippet,) = read_snippets([block(code)])
    return [use.code for use in uses_of(snippet, {"kitchen"})]


def test_each_with_what_it_needs() -> None:
    assert uses(SHOWN) == [
        "import torch\nfrom kitchen import Oven\n\nx = torch.rand(4, 3)  # dough\noven = Oven(width=64)\nprint(oven(x))\n",
        "import torch\nfrom kitchen import Pan\n\nx = torch.rand(4, 3)  # dough\n\npan = Pan(32)\ncake = pan(x)\n",
        "from kitchen import Whisk\n\nwhisk = Whisk()\n",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "from kitchen import Oven, Pan\noven = Oven()\npan = Pan(oven)\npan(1)\n",  # one needs the other
        "from kitchen import Oven\noven = Oven()\noven.heat(3)\n",
        "import torch\nx = torch.rand(3)\ny = torch.rand(4)\n",  # nothing of the repository
        "from kitchen import *\nfrom kitchen import Oven; a = Oven()\nb = Oven()\n",  # two on one line
        "from kitchen import Oven\n" + "".join(f"o{n} = Oven({n})\n" for n in range(9)),  # a table
    ],
)
def test_one_use_is_not_taken_apart(code: str) -> None:
    assert uses(code) == []


def test_what_joins_two_makes_them_one() -> None:
    code = "import kitchen as k\na = k.Oven()\nb = k.Pan()\nc = k.Pot()\na.take(b)\n"
    assert uses(code) == ["import kitchen as k\n\na = k.Oven()\nb = k.Pan()\n\na.take(b)\n", "import kitchen as k\n\nc = k.Pot()\n"]


def test_only_those_of_the_block_itself() -> None:
    """What an earlier block shows belongs to that."""
    shown = block("from kitchen import Oven, Pan\noven = Oven()\n\npot = Pan(1)\n", headings=("A",))
    snippets = read_snippets([shown, block("pan = Pan(2)\npan(oven)\n", line=20, headings=("B",))])
    _, several = taken_apart(snippets, {"kitchen"})
    last = [[use.code.split("\n")[-2] for use in uses_of(snippet, {"kitchen"})] for snippet in snippets]
    assert last == [["oven = Oven()", "pot = Pan(1)"], ["pan(oven)"]]
    assert several == {snippets[0].code, snippets[1].code}
