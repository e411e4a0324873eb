from pathlib import Path

import pytest

from ml_agent.repo.files import walk
from ml_agent.repo.modules import PythonModules


def modules(folder: Path, files: dict[str, str]) -> PythonModules:
    for path, text in files.items():
        (folder / path).write_text(text)
    return PythonModules(walk(folder))


def signature(tmp_path: Path, text: str, name: str = "f") -> str | None:
    module = modules(tmp_path, {"m.py": text}).find("m")
    assert module is not None
    definition = module.get(name)
    assert definition is not None
    return None if definition.signature is None else str(definition.signature)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(a, /, b: int = 3, *c, d, e=[], **g): ...", "(a, /, b: int = 3, *c, d, e=[], **g)"),
        ("def f(a, *, b): ...", "(a, *, b)"),
        ("async def f(): ...", "()"),
        ("@torch.no_grad()\ndef f(x): ...", "(x)"),
        ("@mystery\ndef f(x): ...", None),
        ("def f(x): ...\ndef f(x, y): ...", None),
        ("if X:\n    def f(x): ...\nelse:\n    def f(x, y): ...", None),
        ("@overload\ndef f(x: int): ...\ndef f(x): ...", "(x)"),
        ("class f:\n    def __init__(self, a, *b): ...", "(a, *b)"),
        ("class f: ...", "()"),
        ("class f(object): ...", "()"),
        ("class f(typing.Generic[T], ABC): ...", "()"),
        ("class f(nn.Module): ...", None),
        ("class f(nn.Module):\n    def __init__(self, dim): ...", "(dim)"),
        ("class base:\n    def __init__(self, a): ...\nclass f(base): ...", "(a)"),
        ("class base(Generic[T]):\n    def __init__(self, a): ...\nclass f(base[int]): ...", "(a)"),
        ("class f(metaclass=M):\n    def __init__(self, a): ...", None),
        ("class f:\n    def __new__(cls, *a): ...\n    def __init__(self): ...", None),
        ("class f(Enum):\n    def __init__(self, a, b): ...", None),
        ("class f(Exception): ...", None),
        ("@register('x')\nclass f:\n    def __init__(self, a): ...", None),
        ("class f:\n    @decorated\n    def __init__(self, a): ...", None),
        (
            (
                "@dataclass\nclass f:\n    a: int\n    b: str = 'x'\n    c: ClassVar[int] = 1\n"
                "    d: list = field(default_factory=list)\n    e: int = field(init=False)"
            ),
            "(a: int, b: str = 'x', d: list = list)",
        ),
        ("@dataclasses.dataclass(kw_only=True)\nclass f:\n    a: int", "(*, a: int)"),
        ("@dataclass\nclass base:\n    a: int\n@dataclass\nclass f(base):\n    b: int = 2", "(a: int, b: int = 2)"),
        ("@dataclass\nclass f(Outside):\n    b: int = 2", None),
        ("@dataclass(init=False)\nclass f:\n    b: int = 2", "()"),
        ("@attr.s(eq=False)\nclass f:\n    a: int = attr.ib()\n    b: int = attr.ib(default=2)\n    c: int = 3", "(a: int, b: int = 2)"),
        ("@attr.s(auto_attribs=True)\nclass f:\n    _a: int\n    b: int = attr.ib(2, init=False)", "(a: int)"),
        ("@attrs.define\nclass f:\n    a: int\n    b: list = attrs.field(factory=list)", "(a: int, b: list = list)"),
        (
            "@attr.s(auto_attribs=True)\nclass f:\n    b: int = attr.ib(3)\n    c: int = attr.ib()\n    @c.default\n    def g(self): ...",
            "(b: int = 3, c: int = ...)",
        ),
        ("@attr.s\nclass f:\n    a = attr.ib()", None),
        ("@attrs.define\nclass f:\n    a: int = attrs.field(alias='b')", None),
        ("@attr.s(these={})\nclass f:\n    a: int = attr.ib()", None),
        ("@other.s\nclass f:\n    a: int = other.ib()", None),
    ],
)
def test_signatures(tmp_path: Path, text: str, expected: str | None) -> None:
    assert signature(tmp_path, text) == expected


def test_misfits_are_those_of_python(tmp_path: Path) -> None:
    import inspect
    import itertools

    text = "def f(a, b=1, /, c=2, *, d, e=3): ..."
    module = modules(tmp_path, {"m.py": text}).find("m")
    assert module is not None
    read = module.get("f").signature  # type: ignore[union-attr]
    assert read is not None
    scope: dict[str, object] = {}
    exec(text, scope)  # noqa: S102
    real = inspect.signature(scope["f"])  # type: ignore[arg-type]
    for count in range(5):
        for size in range(4):
            for keywords in itertools.combinations("abcdex", size):
                try:
                    real.bind(*range(count), **dict.fromkeys(keywords))
                    fits = True
                except TypeError:
                    fits = False
                assert (not read.misfits(count, keywords)) is fits, (count, keywords)
