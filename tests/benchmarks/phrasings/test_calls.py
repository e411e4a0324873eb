"""Arguments of calls in answers."""

import pytest

from ml_agent.benchmarks.phrasings.calls import Argument, literal, signatures
from ml_agent.task import Answer

SOURCE = '''
class Owl:
    """An owl."""

    def __init__(self, size, *, colour="grey"):
        self.size = size

    def hunt(self, prey, /, hours=2):
        return prey


def load(name, device=None):
    return Owl(name)
'''


def is_right(code: str, function: str, parameter: str, value: object, calls: str = "") -> bool:
    known = {**signatures([SOURCE]), "randn": ("*size",)}
    argument = Argument("", (function.rpartition(".")[2], "rand"), parameter, value, known[function], calls)
    assert argument.problems(None) == argument.problems(Answer("bash", code)) == [""]
    return argument.problems(Answer("python", code)) == []


def test_signatures() -> None:
    assert signatures([SOURCE]) == {"Owl": ("size",), "Owl.hunt": ("prey", "hours"), "load": ("name", "device")}


@pytest.mark.parametrize(
    ("code", "right"),
    [
        ("owl.hunt('mouse', hours=3)", True),
        ("owl.hunt('mouse', 3)", True),
        ("night = 3\nowl.hunt('mouse', hours=night)", True),
        ("x = [owl.hunt('mouse', hours=3.0) for _ in y]", True),
        ("owl.hunt('mouse', hours=4)", False),
        ("owl.hunt('mouse', hours='3')", False),
        ("owl.hunt('mouse', hours=True)", False),
        ("owl.hunt(3, 'mouse')", False),
        ("owl.hunt('mouse')", False),
        ("owl.catch('mouse', hours=3)", False),
        ("night = 4\nowl.hunt('mouse', hours=night)", False),
        ("owl.hunt('mouse', hours=night)", False),
        ("owl.hunt('mouse', hours=2 + x)", False),
        ("owl.hunt('mouse', nights=3)", False),
        ("owl.hunt('mouse', hours=3", False),
    ],
)
def test_a_value(code: str, right: bool) -> None:
    assert is_right(code, "Owl.hunt", "hours", 3) is right


@pytest.mark.parametrize(
    ("value", "given", "right"),
    [
        (True, "True", True),
        (True, "1", False),
        (1, "True", False),
        (None, "None", True),
        (None, "'None'", False),
        ("fr", "'fr'", True),
        ("fr", "fr", False),
        ("fr", "'de'", False),
        ("a text", '"""\na text\n"""', True),
        ((1, 3), "(1, 3)", True),
        ((1, 3), "[1, 3]", True),
        ((1, 3), "(3, 1)", False),
        ((1, 3), "(1, 3, 5)", False),
        (["a", "b"], "['a', 'b']", True),
        (["a"], "'a'", False),
        (0.001, "1e-3", True),
    ],
)
def test_values(value: object, given: str, right: bool) -> None:
    assert is_right(f"load('x', device={given})", "load", "device", value) is right


def test_places() -> None:
    assert is_right("Owl(5)", "Owl", "size", 5)
    assert is_right("owls.Owl(size=5)", "Owl", "size", 5)
    assert not is_right("Owl(1, 5)", "Owl", "size", 5)
    assert not is_right("Owl(5)", "Owl", "colour", 5)


def test_shapes() -> None:
    for code in ("torch.randn(2, 3)", "torch.rand((2, 3))", "size = [2, 3]\nnp.random.randn(size)"):
        assert is_right(code, "randn", "*size", (2, 3))
        assert not is_right(code, "randn", "*size", (2, 3), "Owl")
        assert is_right(code + "\nOwl(1)", "randn", "*size", (2, 3), "Owl")
    for code in ("torch.randn(2, 3, 4)", "torch.randn(3, 2)", "torch.ones(2, 3)", "torch.randn()"):
        assert not is_right(code, "randn", "*size", (2, 3))


def test_literals() -> None:
    assert literal("3") == 3
    assert literal("(1, 2)") == (1, 2)
    assert literal("None") is None
    assert literal("owl-base") == "owl-base"
    assert literal("/data/x y.mp3") == "/data/x y.mp3"
