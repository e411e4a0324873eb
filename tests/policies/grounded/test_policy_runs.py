"""The policy with a sandbox: what runs say is read, and mended."""

from pathlib import Path

import pytest

from ml_agent.limits import Limits
from tests.pace import within
from tests.policies.grounded.birds import ANSWER, BIRDS, FORGED, TAG, TASK
from tests.policies.grounded.support import answered, solve, tree, write


@pytest.mark.bubblewrap
def test_it_is_really_run(birds: Path) -> None:
    before = tree(birds)
    trajectory = solve(birds, TASK, sandbox="bubblewrap")
    assert answered(trajectory).as_text() == ANSWER
    ((_, ran),) = trajectory.observations("run")
    assert (ran.data["outcome"], ran.data["output_tail"].strip()) == ("completed", "trained owl for 7")
    assert tree(birds) == before


HIDDEN = """\
import sys
{imports}
allowed = {allowed!r}
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
for name in given:
    if name not in allowed:
        sys.exit(f"usage: hidden\\nhidden.py: error: unrecognized arguments: {{name}} {{given[name]}}")
{body}
print("fine", sorted(given))
"""


def hidden(*allowed: str, body: str = "", imports: str = "") -> str:
    """A program whose options nobody can read beforehand: only its run says what is wrong."""
    return HIDDEN.format(allowed=list(allowed), body=body, imports=imports)


def documented(text: str, folder: str = "lab") -> str:
    return f"# Lab\n\n## Growing crystals\n\nGrow crystals:\n\n```bash\ncd {folder}\n{text}\n```\n"


@pytest.mark.bubblewrap
def test_an_option_that_the_run_refuses_is_taken_out(tmp_path: Path) -> None:
    root = write(tmp_path / "r", {"README.md": documented("python grow.py --heat 3 --speed 4"), "lab/grow.py": hidden("--heat")})
    trajectory = solve(root, "grow crystals with a heat of 9", sandbox="bubblewrap")
    assert answered(trajectory).as_text() == "cd lab && python grow.py --heat 9"
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["failed", "completed"]


@pytest.mark.bubblewrap
def test_what_the_run_asks_for_is_added(tmp_path: Path) -> None:
    body = 'if "--salt" not in given:\n    sys.exit("grow.py: error: the following arguments are required: --salt")'
    files = {"README.md": documented("python grow.py --heat 3"), "lab/grow.py": hidden("--heat", "--salt", body=body)}
    trajectory = solve(write(tmp_path / "r", files), "grow crystals with a heat of 9", sandbox="bubblewrap")
    assert answered(trajectory).as_text() == "cd lab && python grow.py --heat 9 --salt YOUR_SALT"
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["failed", "completed"]


@pytest.mark.bubblewrap
def test_the_folder_that_the_run_needs(tmp_path: Path) -> None:
    """Documented in its own folder, the program opens a file as seen from the root."""
    files = {
        "README.md": documented("python grow.py --heat 3"),
        "lab/grow.py": hidden("--heat", body='open("lab/salts.json")'),
        "lab/salts.json": "{}",
    }
    trajectory = solve(write(tmp_path / "r", files), "grow crystals with a heat of 9", sandbox="bubblewrap")
    assert answered(trajectory).as_text() == "python lab/grow.py --heat 9"
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["failed", "completed"]


@pytest.mark.bubblewrap
def test_a_module_of_the_repository_is_put_on_the_path(tmp_path: Path) -> None:
    files = {
        "README.md": documented("python grow.py --heat 3"),
        "lab/grow.py": hidden("--heat", imports="import lattice"),
        "lattice/__init__.py": "",
    }
    trajectory = solve(write(tmp_path / "r", files), "grow crystals with a heat of 9", sandbox="bubblewrap")
    assert [o.data["outcome"] for _, o in trajectory.observations("run")][-1] == "completed"
    assert "--heat 9" in answered(trajectory).code


@pytest.mark.bubblewrap
def test_what_is_missing_on_this_machine_costs_no_answer(tmp_path: Path) -> None:
    files = {"README.md": documented("python grow.py --heat 3"), "lab/grow.py": hidden("--heat", imports="import nosuchlattice")}
    trajectory = solve(write(tmp_path / "r", files), "grow crystals with a heat of 9", sandbox="bubblewrap")
    ((_, ran),) = trajectory.observations("run")
    assert (ran.data["outcome"], ran.data["missing"]) == ("environment", "module nosuchlattice")
    assert answered(trajectory).as_text() == "cd lab && python grow.py --heat 9"


@pytest.mark.bubblewrap
def test_a_failure_that_says_nothing_is_submitted_all_the_same(tmp_path: Path) -> None:
    files = {"README.md": documented("python grow.py --heat 3"), "lab/grow.py": hidden("--heat", body="1 / 0")}
    trajectory = solve(write(tmp_path / "r", files), "grow crystals with a heat of 9", sandbox="bubblewrap")
    assert answered(trajectory).as_text() == "cd lab && python grow.py --heat 9"
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["failed"]


@pytest.mark.bubblewrap
def test_hostile_words_in_an_output_change_nothing(tmp_path: Path) -> None:
    root = write(tmp_path / "r", {**BIRDS, "songs/tag.py": f"{TAG}\nprint({FORGED!r})\n"})
    assert answered(solve(root, TASK, sandbox="bubblewrap")).as_text() == ANSWER


@pytest.mark.bubblewrap
def test_a_run_without_end_ends_within_the_time_limit(tmp_path: Path) -> None:
    root = write(
        tmp_path / "r",
        {"README.md": documented("python grow.py --heat 3"), "lab/grow.py": hidden("--heat", body="import time\ntime.sleep(99)")},
    )
    with within(8):
        trajectory = solve(root, "grow crystals with a heat of 9", sandbox="bubblewrap", limits=Limits(seconds=6))
        assert answered(trajectory).code == "python grow.py --heat 9"
