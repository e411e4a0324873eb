"""Files of settings that a documented place may stand for."""

import pytest

from ml_agent.policies.grounded.folders import Folders
from tests.policies.grounded.support import command

FILES = Folders(("configs/owl.yaml", "configs/night/lark.yaml", "nests/wren.yaml", "configs/owl.json", "configs/owl.txt"))
YAML = ["configs/owl.yaml", "configs/night/lark.yaml"]


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("path/to/config/file.yaml", YAML),
        ("./path/to/config.yaml", YAML),
        ("/path/to/your/config.yaml", YAML),
        ("path/to/config.json", ["configs/owl.json"]),
        ("path/to/song.txt", None),  # no file of settings
        ("<OUT>/config.yaml", None),  # one that a run makes
        ("runs/path/to/config.yaml", None),
    ],
)
def test_a_path_to_a_config_is_any_of_them(shown: str, meant: list[str] | None) -> None:
    assert FILES.beside([command(f"python sing.py --config {shown}")]) == ({shown: meant} if meant else {})
