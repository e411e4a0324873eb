from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import Option
from tests.repo.entrypoints.programs import names, read_all, read_program


@pytest.mark.parametrize(
    "head",
    [
        "from absl import flags",
        "import tensorflow as tf\nflags = tf.flags",
        "import tensorflow as tf\nflags = tf.app.flags",
        "import absl.flags as flags",
    ],
)
def test_definitions(tmp_path: Path, head: str) -> None:
    body = """
TASKS = ["a", "b"]
FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", None, "Where the "
                    "data is.")
flags.DEFINE_float("lr", 5e-5, "rate", short_name="l")
flags.DEFINE_integer(name="steps", default=10, help="steps")
flags.DEFINE_bool("do_train", False, "train")
flags.DEFINE_enum("task", "a", TASKS, "task")
flags.DEFINE_multi_string("layer", [], "layers")
flags.DEFINE_list("names", "x,y", "names")
if __name__ == "__main__":
    flags.mark_flag_as_required("data_dir")
    app.run(main)
"""
    entry = read_program(tmp_path, head + body)
    line = head.count("\n") + 4
    assert (entry.kind, entry.flag_style, entry.open_ended) == ("absl", "absl", False)
    assert entry.options[:5] == (
        Option("--data_dir", ("--data_dir",), f"train.py:{line}", "str", "None", required=True, help="Where the data is."),
        Option("--lr", ("--lr", "-l"), f"train.py:{line + 2}", "float", "5e-05", help="rate"),
        Option("--steps", ("--steps",), f"train.py:{line + 3}", "int", "10", help="steps"),
        Option("--do_train", ("--do_train", "--nodo_train"), f"train.py:{line + 4}", "bool", "False", help="train", action="flag"),
        Option("--task", ("--task",), f"train.py:{line + 5}", "str", "'a'", choices=("a", "b"), help="task"),
    )
    layer = entry.option("--layer")
    assert layer is not None
    assert layer.action == "append"


def test_flags_of_imported_modules(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        {
            "train.py": "from absl import flags\nimport lib.model\nFLAGS = flags.FLAGS\nif __name__ == '__main__':\n    run(main)\n",
            "lib/__init__.py": "",
            "lib/model.py": "from absl import flags\nflags.DEFINE_integer('layers', 2, 'n')\n",
        },
    )
    assert list(found) == ["train.py"]
    assert names(found["train.py"]) == ["--layers"]
    assert found["train.py"].options[0].source == "lib/model.py:2"


def test_a_name_that_is_not_known(tmp_path: Path) -> None:
    entry = read_program(
        tmp_path,
        "from absl import flags\nflags.DEFINE_string('a', '', '')\nfor n in load():\n    flags.DEFINE_string(n, '', '')\nprint()\n",
    )
    assert names(entry) == ["--a"]
    assert entry.open_ended
    assert entry.unread == ("a flag whose name is made at run time at train.py:4",)
