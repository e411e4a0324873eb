"""A policy that ranks, written to a file, for tests of what asks it."""

from pathlib import Path

POLICY = """\
from ml_agent.policies.scripted import Scripted, decision

class Attempts(Scripted):
    '''Another learning rate each attempt, the last one twice; it sees what it is given.'''

    def __init__(self):
        super().__init__([])

    def start(self, task, tools, *, attempt=0, seed=0):
        assert "run" not in tools
        assert "arguments" not in vars(type(task)) and task.time_limit is None
        if "kaputt" in task.instruction:
            raise KeyError(task.instruction)
        rate = min(attempt, 2) + 1
        code = f"python train.py --lr {rate}"
        if "ngrams" in task.instruction:
            code = f"python train.py --order {rate}"
        if "jingle" in task.instruction:
            code = "echo '\\x1b[31m\\x07'"
        workdir = "examples/names" if "ngrams" in task.instruction else "."
        Scripted.__init__(self, [decision(("submit", {"language": "bash", "code": code, "workdir": workdir}))])
"""


def written(folder: Path) -> str:
    """As `--policy` takes it."""
    (folder / "attempts.py").write_text(POLICY)
    return f"{folder}/attempts.py:Attempts"
