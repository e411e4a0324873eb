import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from ml_agent.benchmarks import archives
from ml_agent.benchmarks.archives import unpack
from ml_agent.errors import UsageError

COMMIT = "ab" * 20


def tar(path: Path, names: dict[str, bytes], *more: tarfile.TarInfo, comment: str = "") -> Path:
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, pax_headers={"comment": comment} if comment else {}) as file:
        for name, data in names.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o755 if name.endswith(".sh") else 0o4666
            file.addfile(info, io.BytesIO(data))
        for info in more:
            file.addfile(info)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "target").mkdir()
    return tmp_path / "target"


def test_one_folder_around_it_is_stripped_and_the_commit_is_read(tmp_path: Path, target: Path) -> None:
    archive = tar(tmp_path / "x.tar.gz", {"x-1/a.py": b"a", "x-1/x-1/run.sh": b"b"}, comment=COMMIT)
    assert unpack(archive, target) == COMMIT
    assert tree(target) == {"a.py": b"a", "x-1/run.sh": b"b"}
    assert stat.S_IMODE((target / "a.py").stat().st_mode) == 0o644
    assert stat.S_IMODE((target / "x-1/run.sh").stat().st_mode) == 0o755


def test_zip(tmp_path: Path, target: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.comment = COMMIT.encode()
        file.writestr("a.py", "a")
        file.writestr("b/c.py", "c")
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("../out", "x")
    assert unpack(tmp_path / "x.zip", target) == COMMIT
    assert tree(target) == {"a.py": b"a", "b/c.py": b"c"}


def test_what_leads_out_is_left_out(tmp_path: Path, target: Path) -> None:
    link, device, hard = tarfile.TarInfo("b/link"), tarfile.TarInfo("b/null"), tarfile.TarInfo("b/hard")
    link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path)
    device.type = tarfile.CHRTYPE
    hard.type, hard.linkname = tarfile.LNKTYPE, "/etc/passwd"
    names = {"/absolute": b"x", "../out": b"x", "b/../../out": b"x", "b/.git/config": b"x", "c": b"x", "b/link2": b"y"}
    archive = tar(tmp_path / "x.tar.gz", names, link, device, hard)
    assert unpack(archive, target) is None
    assert tree(target) == {"c": b"x", "b/link2": b"y"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["target", "x.tar.gz"]


def test_too_much(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="more than 1,000 bytes"):
        unpack(tar(tmp_path / "x.tar.gz", {"a": b"0" * 5000}), target)
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    with pytest.raises(UsageError, match="more than 2 files"):
        unpack(tar(tmp_path / "y.tar.gz", {"d": b"", "e": b"", "f": b""}), target)


@pytest.mark.parametrize("name", ["x.tar.gz", "x.zip"])
@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b\x08\x00\x00"])
def test_no_archive(tmp_path: Path, target: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match="unpack"):
        unpack(tmp_path / name, target)
