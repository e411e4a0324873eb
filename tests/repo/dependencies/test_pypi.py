"""The tables of well-known names."""

from packaging.utils import canonicalize_name

from ml_agent.repo.dependencies.pypi import DISTRIBUTIONS, PYTHON_2, stand_ins


def test_the_tables_are_whole() -> None:
    assert {m: DISTRIBUTIONS[m] for m in ("cv2", "sklearn", "PIL", "yaml", "torch", "absl", "pytorch_lightning")} == {
        "cv2": "opencv-python",
        "sklearn": "scikit-learn",
        "PIL": "Pillow",
        "yaml": "PyYAML",
        "torch": "torch",
        "absl": "absl-py",
        "pytorch_lightning": "pytorch-lightning",
    }
    assert [m for m in DISTRIBUTIONS if not m.isidentifier()] == []
    assert not PYTHON_2 & DISTRIBUTIONS.keys()


def test_stand_ins() -> None:
    assert "opencv-python" in stand_ins("opencv-python-headless")
    assert stand_ins("numpy") == ()
    assert all(canonicalize_name(n) == n for name in DISTRIBUTIONS.values() for n in stand_ins(canonicalize_name(name)))
