"""Values that documents show for an option beside any command."""

from pathlib import Path

from ml_agent.policies.grounded.shown import shown_values
from ml_agent.repo.documents import Section
from tests.policies.grounded.support import answered, solve, write


def test_what_stands_with_an_equals_sign() -> None:
    text = "For birds use --net=owl_big. Or --net=wren_small, --depth=5 and --net owl, --out=/a/b"
    assert shown_values([Section("README.md", 1, (), text, ())]) == {"--net": ("owl_big", "wren_small")}


def test_the_option_is_known_to_take_them(tmp_path: Path) -> None:
    train = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--net')\np.add_argument('--task')\nprint(p.parse_args())\n"
    readme = "# Birds\n\n```bash\npython train.py --net wren_small --task day\n```\n\n## Night\n\nFor owls we suggest `--net=owl_big`.\n"
    trajectory = solve(write(tmp_path / "r", {"README.md": readme, "train.py": train}), "train the big owl")
    assert answered(trajectory).code == "python train.py --net owl_big --task day"
