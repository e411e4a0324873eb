import ast

import pytest

from ml_agent.policies.grounded.python_text import with_result


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("pie = bake()", "pie"),
        ("a = 1\npie = bake(a)  # hot\n\n", "pie"),
        ("pie = bake()\neat(pie)", ""),
        ("pie = mix()\npie = bake(pie)", ""),  # it is read, if earlier
        ("a, b = bake()", "a, b"),
        ("pie: Pie = bake()", "pie"),
        ("a, b.c = bake()", ""),
        ("oven.pie = bake()", ""),
        ("pie = 3", ""),
        ("bake()", ""),
        ("def f():\n    pie = bake()", ""),
        ("pie = = bake()", ""),
        ("", ""),
    ],
)
def test_a_result_that_nothing_reads_is_printed(code: str, printed: str) -> None:
    written = with_result(code)
    if printed:
        assert written == f"{code.rstrip()}\nprint({printed})\n"
        ast.parse(written)
    else:
        assert written == code


def test_its_shape_where_that_is_asked_for() -> None:
    assert with_result("x = f()\n", shape=True) == "x = f()\nprint(x.shape)\n"


def test_an_earlier_result_is_printed_where_it_is_made_and_what_a_class_makes_is_none() -> None:
    code = "oven = Oven(2)\nlid = kitchen.Lid(3).closed()\npie = bake(\n    4\n)\nclean()\n"
    assert with_result(code) == code.replace(")\nclean", ")\nprint(pie)\nclean")
