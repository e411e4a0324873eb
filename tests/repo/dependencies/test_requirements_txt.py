"""requirements.txt."""

from pathlib import Path

from tests.repo.dependencies.support import brief, declared


def test_lines_comments_and_continuations(tmp_path: Path) -> None:
    text = "# one>=1\nnumpy>=1.2  # why\n\ntorch \\\n  ==2.0 \\\n  --hash=sha256:00\nscipy#no-comment\n-e git+https://example.org/x/y.git#egg=y\r\nlast"
    found = declared(tmp_path, {"requirements.txt": text})
    assert brief(found) == {
        "numpy>=1.2": "requirements.txt:2",
        "torch==2.0": "requirements.txt:4",
        "y": "requirements.txt:8",
        "last": "requirements.txt:9",
    }
    assert [u.place for u in found.unread] == ["requirements.txt:7"]


def test_includes_constraints_and_options(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "--extra-index-url https://example.org/whl\n-r requirements/base.txt\n-c limits.txt\n-f https://example.org/f\n--pre\n",
        "requirements/base.txt": "--requirement=more.txt\na\n-r base.txt\n",
        "requirements/more.txt": "b\n-r ../requirements.txt\n",
        "limits.txt": "a<2\nunused==1\n",
    }
    found = declared(tmp_path, files)
    assert brief(found) == {
        "a": "requirements/base.txt:2",
        "b": "requirements/more.txt:1",
        "a<2": "limits.txt:1",
        "unused==1": "limits.txt:2",
    }
    assert {d.source.path for d in found.requirements} == {"requirements.txt"}
    assert [d.name for d in found.requirements if d.constraint] == ["a", "unused"]
    assert found.indexes == ("--extra-index-url https://example.org/whl", "--find-links https://example.org/f")
    assert found.unread == ()


def test_includes_that_lead_nowhere_are_said(tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("secret\n")
    root = tmp_path / "repo"
    text = "-r ../outside.txt\n-r gone.txt\n-c https://example.org/c.txt\n-r\n-r link.txt\nfine\n"
    root.mkdir()
    (root / "link.txt").symlink_to("../outside.txt")
    found = declared(root, {"requirements.txt": text})
    assert brief(found) == {"fine": "requirements.txt:6"}
    assert [u.place for u in found.unread] == [f"requirements.txt:{n}" for n in (1, 2, 3, 4, 5)]


def test_the_repository_itself_is_no_requirement(tmp_path: Path) -> None:
    found = declared(tmp_path, {"requirements.txt": "-e .\n.[extra]\n./sub\nfoo\n", "sub/x.py": ""})
    assert brief(found) == {"foo": "requirements.txt:4"}
    assert found.unread == ()


def test_utf_16_as_powershell_writes_it(tmp_path: Path) -> None:
    assert brief(declared(tmp_path, {"requirements.txt": "numpy==1.0\r\n".encode("utf-16")})) == {"numpy==1.0": "requirements.txt:1"}


def test_a_long_chain_of_includes_ends(tmp_path: Path) -> None:
    files = {f"requirements{i}.txt": f"p{i}\n-r requirements{i + 1}.txt\n" for i in range(80)}
    found = declared(tmp_path, {**files, "requirements80.txt": "end\n"})
    assert any("includes more than" in u.reason for u in found.unread)
