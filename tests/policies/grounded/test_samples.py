import ast

import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.samples import follow
from tests.policies.grounded.support import block, justified

CODE = "import torch\nfrom kitchen import Oven\noven = Oven(width=64)\nx = torch.rand(4, 3, 64, 64)\noven(x)\n"


def adapted(code: str, text: str) -> str:
    request = read_request(text)
    (snippet,) = read_snippets([block(code)])
    answer = adapt(snippet, request, Surroundings(request), frozenset()).answer
    justified(answer, text)
    ast.parse(answer.code)
    return answer.code


@pytest.mark.parametrize(
    ("text", "width", "shape"),
    [
        ("an oven with a width of 96", "96", "4, 3, 96, 96"),
        ("an oven with a width of 96, for a random batch of 10", "96", "10, 3, 96, 96"),
        ("7 random pictures through the oven", "64", "7, 3, 64, 64"),
        ("an oven", "64", "4, 3, 64, 64"),
        ("a batch of 2 pictures of 300x200 pixels", "64", "2, 3, 300, 200"),
        ("two batches of 5 pictures of 300 by 200", "64", "5, 3, 300, 200"),
    ],
)
def test_samples_follow(text: str, width: str, shape: str) -> None:
    assert adapted(CODE, text) == CODE.replace("width=64", f"width={width}").replace("4, 3, 64, 64", shape)


def test_channels_may_stand_last_and_other_shapes_are_no_pictures() -> None:
    code = "import torch\nx = torch.rand(4, 64, 64, 3)\ny = torch.rand(4, 7, 64)\n"
    assert adapted(code, "pictures of 32x48") == code.replace("64, 64, 3", "32, 48, 3")


def test_a_number_that_is_kept_somewhere_or_is_small_is_not_followed() -> None:
    code = "a = f(w=64)\nb = f(h=64)\nc = f(d=3)\nx = torch.rand(2, 3, 64)\n"
    literals = literals_of(ast.parse(code), code)
    changes = [(x, "96") for x in literals if x.names in (("w",), ("d",))]
    assert follow(literals, changes, (), read_request("w of 96")) == ([], ())


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a random roast with 80 racks and 512 minutes as a batch of 2", "2, 80, 512"),
        ("80 racks and 512 minutes", "4, 80, 234"),
        ("a random roast with 90 racks and 512 minutes as a batch of 2", "2, 80, 234"),
    ],
)
def test_the_last_side_of_a_shape_whose_other_sides_are_said(text: str, shape: str) -> None:
    code = "import torch\nx = torch.randn(4, 80, 234)\nprint(x)\n"
    assert adapted(code, text) == code.replace("4, 80, 234", shape)


def test_a_shape_that_is_replaced_is_left_alone() -> None:
    literals = literals_of(ast.parse(CODE), CODE)
    changes = [(x, "9") for x in literals]
    assert follow(literals, changes, read_request("a batch of 5").mentions, read_request("a batch of 5"))[0] == []


SEQUENCE = "import torch\nfrom kitchen import Oven\noven = Oven(width=512)\nx = torch.rand(50, 49, 512)\noven(x)\n"
MAPS = "import torch\nfrom kitchen import Oven\noven = Oven(width=512)\nx = torch.rand(50, 512, 7, 7)\noven(x)\n"


@pytest.mark.parametrize(
    ("code", "text", "width", "shape"),
    [
        (SEQUENCE, "batch size 4", "512", "4, 49, 512"),
        (SEQUENCE, "a width of 512, 32 samples of 196 tokens", "512", "32, 196, 512"),
        (SEQUENCE, "8 samples with 768 features", "768", "8, 49, 768"),
        (SEQUENCE, "for an input of (8, 196, 768)", "768", "(8, 196, 768)"),
        (MAPS, "20 feature maps of 14x14", "512", "20, 512, 14, 14"),
        (MAPS, "20 feature maps with 256 channels", "256", "20, 256, 7, 7"),
    ],
)
def test_sides_are_said_by_what_they_count(code: str, text: str, width: str, shape: str) -> None:
    old = "50, 49, 512" if code is SEQUENCE else "50, 512, 7, 7"
    assert adapted(code, text) == code.replace("width=512", f"width={width}").replace(f"({old})", f"({shape})")


@pytest.mark.parametrize(
    ("text", "shape"),
    [("5 random pictures", "5, 3, 64, 64"), ("96-pixel pictures", "4, 3, 96, 96"), ("2 random 96-pixel pictures", "2, 3, 96, 96")],
)
def test_how_many_there_are_is_no_setting(text: str, shape: str) -> None:
    assert f"rand({shape})" in adapted(CODE, f"an oven for {text}")


def test_tokens_of_a_batch_of_two_sides() -> None:
    code = "import torch\nfrom kitchen import Oven\noven = Oven()\noven(torch.randint(0, 9, (4, 256)))\n"
    assert "(3, 512)" in adapted(code, "a random batch of 3 sequences of 512 ids through the oven")
