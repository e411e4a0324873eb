"""Repositories written into a folder, and left alone until the store believes what it has seen of them."""

import time
from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def settled(root: Path) -> Path:
    """What was written just now is looked at again: the same folder, a tick of its clock later."""
    time.sleep(0.06)
    return root
