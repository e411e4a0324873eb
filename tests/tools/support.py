"""A small repository, calls of one tool over it, and runs of the loop."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ml_agent.agent import OnEvent, PlannerLoop
from ml_agent.limits import Limits
from ml_agent.policies.base import Policy
from ml_agent.policies.scripted import Scripted
from ml_agent.task import Task
from ml_agent.tools import default_tools, load_tool
from ml_agent.tools.base import Context, Tool
from ml_agent.trajectory import Decision, Observation, Trajectory, TrajectoryFile
from ml_agent.workspace import Workspace

COMMAND = "python train.py --lr 0.01 --out m.txt"
"""An answer that fits the repository, in the folder `examples`."""
SUBMIT = ("submit", {"language": "bash", "code": COMMAND, "workdir": "examples"})

GOOD: dict[str, Any] = {"language": "bash", "code": "python train.py --lr 0.5 --out m.txt", "workdir": "examples"}
BAD: dict[str, Any] = {"language": "bash", "code": "python train.py --learnrate 0.5 --out m.txt", "workdir": "examples"}

TRAIN = """\
import argparse


def fit(rate, epochs=3):
    \"\"\"Fit a line to points.\"\"\"
    return rate * epochs


def main():
    parser = argparse.ArgumentParser(description="Train a line.")
    parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
    parser.add_argument("--optimizer", choices=["sgd", "adam"], default="sgd")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with open(args.out, "w") as file:
        file.write(str(fit(args.lr)))
    print("fitted with", args.lr)


if __name__ == "__main__":
    main()
"""

README = """\
# Lines

Fits lines.

## Training

Train with another learning rate:

```bash
cd examples
python train.py --lr 0.5 --out model.txt
```
"""


def repository(folder: Path) -> Path:
    """Write the repository into `folder`."""
    root = folder / "repo"
    for path, text in {
        "README.md": README,
        "docs/guide.md": "# Guide\n\nHow to read the plots of a confusion matrix.\n",
        "examples/train.py": TRAIN,
        "examples/run.sh": "python train.py --lr $1 --out $2\n",
        "lines/__init__.py": "",
        "lines/model.py": "class Line:\n    def __init__(self, slope, offset=0.0):\n        self.slope = slope\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def call(
    workspace: Workspace, tool: str, limits: Limits | None = None, trajectory: Trajectory | None = None, **arguments: Any
) -> Observation:
    """Call one tool as the loop does. Raises what the tool raises."""
    made = load_tool(tool)
    context = Context(workspace, limits or Limits(), trajectory or Trajectory(Task("x", workspace.repository)))
    return made.call(made.arguments.model_validate(arguments), context)


def run(
    workspace: Workspace,
    *decisions: Decision,
    limits: Limits | None = None,
    tools: Mapping[str, Tool[Any]] | None = None,
    path: Path | None = None,
    on_event: OnEvent | None = None,
    policy: Policy | None = None,
    instruction: str = "train it",
) -> Trajectory:
    """Run the loop; without `policy` it plays the decisions."""
    file = TrajectoryFile(path) if path else None
    loop = PlannerLoop(policy or Scripted(decisions), trajectory_file=file, on_event=on_event)
    return loop.run(Task(instruction, workspace.repository), workspace, tools or default_tools(), limits or Limits())
