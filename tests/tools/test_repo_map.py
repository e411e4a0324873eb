import json

from ml_agent.task import Task
from ml_agent.trajectory import Trajectory
from ml_agent.workspace import Workspace
from tests.tools.support import call


def test_what_matters_with_its_lines(workspace: Workspace) -> None:
    seen = call(workspace, "repo_map", task="fit a line")
    assert seen.data == json.loads(json.dumps(seen.data))
    assert "examples/train.py:\n  4: def fit(rate, epochs=3)\n" in seen.text
    assert {(file["path"], s["name"]) for file in seen.data["files"] for s in file["symbols"]} >= {
        ("examples/train.py", "fit"),
        ("lines/model.py", "Line"),
    }
    assert seen.data["left_out"] == 0


def test_it_keeps_to_the_budget(workspace: Workspace) -> None:
    (workspace.repository / "many.py").write_text("".join(f"def function_{i}(argument):\n    pass\n" for i in range(400)))
    small, large = (call(workspace, "repo_map", tokens=tokens, task="function 17") for tokens in (60, 2500))
    assert small.data["tokens"] <= 60 < large.data["tokens"] <= 2500
    assert small.data["left_out"] > large.data["left_out"] > 0
    assert f"[{small.data['left_out']} definitions more; raise tokens" in small.text
    assert "cut here" not in large.text


def test_by_default_it_is_for_the_task_of_the_run(workspace: Workspace) -> None:
    for word in ("alpha", "omega"):
        (workspace.repository / f"{word}.py").write_text(f"def {word}(x):\n    return x\n")
    for word in ("alpha", "omega"):
        trajectory = Trajectory(Task(f"run {word}", workspace.repository))
        assert call(workspace, "repo_map", trajectory=trajectory).text.startswith(f"{word}.py:")


def test_without_definitions(workspace: Workspace) -> None:
    for path in [*workspace.repository.rglob("*.py"), *workspace.repository.rglob("*.sh")]:
        path.unlink()
    assert call(workspace, "repo_map").text == "there are no definitions"
