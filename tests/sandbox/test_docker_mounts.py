"""What of this machine a container is shown, and to whom the workspace belongs."""

import os
from pathlib import Path

import pytest

from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.docker_mounts import binds, hand_over, is_text, unreadable


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_handing_over_follows_no_link_and_leaves_files_of_several_names(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    (top / "a" / "b").mkdir(parents=True)
    outside.mkdir()
    for path in (top / "a" / "b" / "file", outside / "file", outside / "shared"):
        path.touch()
    (top / "link").symlink_to(outside)
    (top / "a" / "to_file").symlink_to(outside / "file")
    os.link(outside / "shared", top / "shared")
    hand_over(top, 65534, 65534, deep=False)
    assert (top.stat().st_uid, (top / "a").stat().st_uid, (top / "a" / "b").stat().st_uid) == (65534, 65534, 0)
    hand_over(top, 65534, 65534, deep=True)
    assert (top / "a" / "b" / "file").stat().st_uid == 65534
    assert {path.lstat().st_uid for path in (top / "link", top / "a" / "to_file")} == {65534}
    assert {path.stat().st_uid for path in (outside, outside / "file", outside / "shared")} == {0}


def test_mount_points_below_a_mount_are_mounts_of_their_own() -> None:
    entries = list(binds([Mount(Path("/proc"), "/shown")]))
    assert entries[0] == {"Type": "bind", "Source": "/proc", "Target": "/shown", "ReadOnly": True}
    assert all(entry["ReadOnly"] and entry["Target"] == entry["Source"].replace("/proc", "/shown", 1) for entry in entries)


def test_what_others_cannot_read_and_what_is_no_text(tmp_path: Path) -> None:
    for name, mode in (("open", 0o755), ("closed", 0o750)):
        (tmp_path / name).mkdir(mode=mode)
        (tmp_path / name).chmod(mode)
    assert unreadable([Mount(tmp_path / name, "/x") for name in ("open", "closed", "gone")]) == [str(tmp_path / "closed")]
    assert is_text(Mount(tmp_path, "/ü"))
    assert not is_text(Mount(tmp_path, os.fsdecode(b"/\xff")))
