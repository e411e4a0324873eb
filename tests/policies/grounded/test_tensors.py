import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.tensors import fitted, read_input, sample_for
from ml_agent.repo.callables import Callee, Taken


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("an input of shape (50, 512, 7, 7)", (50, 512, 7, 7)),
        ("a batch of 4 images of 3x64x48", (4, 3, 64, 48)),
        ("sixteen random CIFAR-sized pictures", (16, 3, 32, 32)),
        ("two 256x256 slices", (2, 3, 256, 256)),
        ("one picture of 80 x 60", (1, 3, 80, 60)),
        ("a batch of 3 at 128x128", (3, 3, 128, 128)),
        ("a tensor 5x20x7", (5, 20, 7)),
        ("a matrix of 10 x 12", (10, 12)),
        ("four images of height 320 and width 480", (4, 3, 320, 480)),
        ("a picture 800 pixels high and 1024 wide", (1, 3, 800, 1024)),
    ],
)
def test_the_shape_that_is_said(text: str, shape: tuple[int, ...]) -> None:
    found = read_input(read_request(text))
    assert found is not None
    assert found.shape == shape


@pytest.mark.parametrize("text", ["values in [0, 1]", "train it for 10 epochs", "values inside [-1, 1]", ""])
def test_where_none_is_said(text: str) -> None:
    assert read_input(read_request(text)) is None


def test_the_channels_are_the_models_own() -> None:
    found = read_input(read_request("two 64x64 images"))
    assert found is not None
    net = Callee("class", "Net", "net.py", 1, "net", takes=(Taken("in_channels", "positional", "5"),))
    assert fitted(found, net, {}) == (2, 5, 64, 64)
    assert fitted(found, net, {"in_channels": "1"}) == (2, 1, 64, 64)
    assert fitted(found, Callee("class", "Net", "net.py", 1, "net"), {}) == (2, 3, 64, 64)


@given(st.text(alphabet="0123456789x× ,()[]batchofimagesCIFAR-", max_size=60))
def test_any_text(text: str) -> None:
    found = read_input(read_request(text))
    assert found is None or all(isinstance(n, int) for n in found.shape)


@pytest.mark.parametrize(
    ("missing", "code", "text", "made"),
    [
        (("x",), "net = Net()\ny = net(x)", "of shape (2, 3, 8, 8)", "x = torch.randn(2, 3, 8, 8)"),
        (("x",), "net = Net(in_channels=1)\ny = net(x)", "try it on ones of 64x64", "x = torch.ones(64, 64)"),
        (("img",), "net = Net(in_channels=1)\ny = net(img)", "a batch of 4 pictures of 8x8", "img = torch.randn(4, 1, 8, 8)"),
        (("x", "y"), "net(x, y)", "of shape (2, 3)", ""),
        (("net",), "y = net.run()", "of shape (2, 3)", ""),
        (("x",), "import tensorflow as tf\nnet(x)", "of shape (2, 3)", ""),
        (("x",), "net(x)", "run it", ""),
    ],
)
def test_the_input_that_a_program_misses(missing: tuple[str, ...], code: str, text: str, made: str) -> None:
    lines, positions = sample_for(missing, code, read_request(text))
    assert lines == (f"import torch\n{made}\n" if made else "")
    assert bool(positions) == bool(made)


def test_features_of_an_input_are_no_batch() -> None:
    for text, shape in (("1433 input features, inputs of 64x64", (64, 64)), ("1433 inputs of 64x64", (1433, 3, 64, 64))):
        found = read_input(read_request(text))
        assert found is not None
        assert found.shape == shape
