import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.verify.asked import numbers_in, read_asked


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Train it for 20 epochs with a rate of 1e-4.", ["20", "1e-4"]),
        ("Use 300,000 steps on a tensor of (50,49,512).", ["300000", "50", "49", "512"]),
        ('Ask "who is there" about `photos/a.png` with ResNet-50.', ["who is there", "photos/a.png", "ResNet-50"]),
        ("Take the checkpoint in ./runs/best.pt on the GPU.", ["./runs/best.pt"]),
        ("please weave a wide carpet", []),
    ],
)
def test_values(instruction: str, expected: list[str]) -> None:
    assert [asked.value for asked in read_asked(instruction)] == expected


def test_a_plain_capital_is_marked() -> None:
    assert [(a.value, a.plain) for a in read_asked("Weave the Carpet called FineSilk. Then stop.")] == [
        ("Carpet", True),
        ("FineSilk", False),
    ]


def test_numbers_within_words_count() -> None:
    assert numbers_in("python a.py --lr=1e-4 --net vit_b_16") >= {1e-4, 16.0}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(asked.value for asked in read_asked(text))
    numbers_in(text)
