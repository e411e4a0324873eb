"""Python files that hold settings."""

from ml_agent.repo.python_settings import python_settings

FILE = """
import os

name = 'owls'
rate = -0.5
model = dict(type='Nest', depth=3, head=dict(eggs=4, sizes=[1, 2]), made=os.getcwd())
data = {'batch': 8, 'root': None, 3: 'three'}
"""


def test_what_stands_at_the_top() -> None:
    found = {key.name: (key.kind, key.value) for key in python_settings("configs/owls.py", FILE)}
    assert found == {
        "name": ("str", "owls"),
        "rate": ("float", "-0.5"),
        "model.type": ("str", "Nest"),
        "model.depth": ("int", "3"),
        "model.head.eggs": ("int", "4"),
        "model.head.sizes": ("list", "[1, 2]"),
        "data.batch": ("int", "8"),
        "data.root": ("null", "null"),
    }
    assert python_settings("configs/owls.py", FILE)[0].source == "configs/owls.py:4"


def test_a_program_is_none() -> None:
    assert python_settings("a.py", "lr = 1\n\ndef main():\n    pass\n\nif __name__ == '__main__':\n    main()\n") == []
    assert python_settings("a.py", "lr = (\n") == []
    assert python_settings("a.py", "") == []
