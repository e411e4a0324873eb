import ast
from contextlib import suppress

import pytest

from ml_agent.benchmarks.scorers.live_code import live_nodes


def live(code: str) -> bool:
    """Whether the call of `work` may be run, by reading."""
    nodes = live_nodes(ast.parse(code))
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "work" for node in nodes)


def runs(code: str) -> bool:
    """Whether it is run, by running."""
    called: list[int] = []
    with suppress(Exception, SystemExit):
        exec(compile(code, "x", "exec"), {"__name__": "__main__", "work": lambda *_: called.append(1)})  # noqa: S102
    return bool(called)


RUN = [
    "work()",
    "if __name__ == '__main__':\n    work()",
    "def f():\n    work()\nf()",
    "class A:\n    def go(self):\n        work()\nA().go()",
    "class A:\n    def __init__(self):\n        work()\nA()",
    "def f(g=lambda: work()):\n    g()\nf()",
    "try:\n    import nothing_such\nexcept ImportError:\n    raise\nfinally:\n    work()",
    "try:\n    raise ValueError\nexcept ValueError:\n    work()",
    "for i in range(2):\n    work()",
    "while True:\n    work()\n    break",
    "import sys\nsys.exit(work())",
    "with open('/dev/null') as f:\n    work()",
    "[work() for _ in [1]]",
    "x = work() if 1 else None",
    "def f():\n    return 1\nf()\nwork()",
    "if 1 < 2:\n    work()",
    "match 1:\n    case _:\n        work()",
]
NOT_RUN = [
    "'work()'",
    "import sys\nsys.exit(0)\nwork()",
    "raise SystemExit\nwork()",
    "exit()\nwork()",
    "if False:\n    work()",
    "if 0 or []:\n    work()",
    "if not 1:\n    work()",
    "if 1 == 2:\n    work()",
    "if 2 < 1:\n    work()",
    "if __name__ != '__main__':\n    work()",
    "while 0:\n    work()",
    "for x in []:\n    work()",
    "for x in range(0):\n    work()",
    "def f():\n    work()",
    "class A:\n    def go(self):\n        work()",
    "def f():\n    raise SystemExit\n    work()\nf()",
    "x = work() if 0 else None",
    "False and work()",
    "True or work()",
    "[work() for _ in []]",
    "assert False\nwork()",
    "if True:\n    raise SystemExit\nwork()",
    "if True:\n    pass\nelse:\n    work()",
    "try:\n    pass\nexcept ValueError:\n    work()",
    "while True:\n    raise SystemExit\nwork()",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    work()",
]


@pytest.mark.parametrize("code", RUN)
def test_what_may_be_run(code: str) -> None:
    assert runs(code)
    assert live(code)


@pytest.mark.parametrize("code", NOT_RUN)
def test_what_is_not_run(code: str) -> None:
    assert not runs(code)
    assert not live(code)
