import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.benchmarks.scorers.python_program import judge_program, readable_part
from tests.benchmarks.scorers.samples import python

TRUTH = """\
from pkg.data import load
import torch

x = torch.randn(50, 49, 512)
print(load("rings", x, samples=300, lr=0.05))
"""
SAMPLE = python(TRUTH, {"name": "rings", "samples": "300", "lr": 0.05, "shape": "(50,49,512)"})


def reason(code: str) -> str:
    return judge_program(SAMPLE, code).reason


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (TRUTH, "passed"),
        ("import pkg.data as d\nshape = (50, 49, 512)\nd.load('rings', shape, 300, 5e-2)", "passed"),
        ("from pkg import *\nload('rings', 50, 49, 512, 300, 0.05)", "passed"),
        (TRUTH.replace("300", "301"), "wrong_value"),
        (TRUTH.replace("0.05", "0.5"), "wrong_value"),
        (TRUTH.replace("rings", "earrings"), "wrong_value"),
        (TRUTH.replace("49", "48"), "wrong_value"),
        (TRUTH.replace("lr=0.05", "lr=1") + "rate = 0.05", "wrong_value"),  # assigned and never read
        ("from other.data import load\nload('rings', 50, 49, 512, 300, 0.05)", "wrong_program"),
        ("from pkg.data import load\nprint('rings', 50, 49, 512, 300, 0.05)", "wrong_program"),
        ("from pkg.data import load\nload()\nprint('rings', 50, 49, 512, 300, 0.05)", "wrong_value"),
        ("from pkg.data import load\nload()\n('rings', 50, 49, 512, 300, 0.05)", "wrong_value"),
        ("from pkg.data import load\nload()\n'rings 50 49 512 300 0.05'", "wrong_value"),
        (f"raise SystemExit(0)\n{TRUTH}", "wrong_program"),
        (f"def f():\n    {TRUTH.replace(chr(10), chr(10) + '    ')}\n", "wrong_program"),
        ("from pkg.data import load\ndef load(*a, **k): pass\n" + TRUTH.partition("\n")[2], "wrong_program"),
        (f"print({TRUTH!r})", "wrong_program"),
        ("pass", "wrong_program"),
        ("python x.py", "syntax"),
        ("return 1", "syntax"),
        ("await x", "syntax"),
        ("(" * 5000, "syntax"),
        ("x = " + "1+" * 50_000 + "1", "syntax"),
        ("not " * 20_000 + "x", "syntax"),
        ("if True:\n" + "".join(" " * n + "if x:\n" for n in range(1, 98)) + " " * 98 + "pass", "wrong_program"),
        ("\0", "syntax"),
        ("\ud800", "syntax"),
    ],
)
def test_programs(code: str, expected: str) -> None:
    assert reason(code) == expected


def test_notes_in_prose_behind_the_ground_truth() -> None:
    text = f"{TRUTH}\n\nNote: replace 'rings' with yours.\n"
    assert readable_part(text) == TRUTH.strip()
    assert judge_program(python(text, {"name": "rings"}), TRUTH).passed
    assert readable_part("python3 main.py") == ""


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet="ab=()[]:\n '\"#,.0\ud800\0", max_size=60))
def test_any_text_has_a_verdict(code: str) -> None:
    assert not judge_program(SAMPLE, code).passed
