"""bubblewrap for another user than root. Not marked as in need of bubblewrap: it also needs root, to become that user."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def test_as_an_ordinary_user() -> None:
    """No control group can be made then: processes are bounded by an rlimit, and the notes say what memory is bounded by."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user; for the others, this is what all tests do")
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        shutil.copytree(TOP / "ml_agent" / "sandbox", Path(name, "ml_agent", "sandbox"))
        for file in ("__init__.py", "errors.py"):
            shutil.copy(TOP / "ml_agent" / file, Path(name, "ml_agent", file))
        subprocess.run(["chmod", "-R", "a+rX", name], check=True)
        work = Path(name, "work")
        work.mkdir()
        os.chown(work, 65534, 65534)
        program = """
import sys
from pathlib import Path
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.environment import find_environment
work = Path(sys.argv[1])
with Bubblewrap(work, find_environment(work, "/usr/bin/python3"), resources=Resources(processes=60, memory_bytes=200 << 20)) as sandbox:
    print(sandbox.notes)
    print(sandbox.exec(["sh", "-c", "id -u; echo x > made; stat -c %u made"], timeout=10).stdout.split())
    bomb = "import os, time\\ntry:\\n  while os.fork(): pass\\n  time.sleep(30)\\nexcept BlockingIOError: print('stopped')"
    print(sandbox.exec(["python3", "-c", bomb], timeout=20).stdout.split())
    print("MemoryError" in sandbox.exec(["python3", "-c", "bytearray(400 << 20)"], timeout=20).stderr)
"""
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", program, str(work)]
        done = subprocess.run(command, env={"PATH": os.environ["PATH"], "PYTHONPATH": name}, capture_output=True, text=True, timeout=60)
        lines = done.stdout.splitlines()
        assert "memory is limited for each process" in lines[0], done.stderr
        assert lines[1:] == ["['65534', '65534']", "['stopped']", "True"], done.stderr
        assert (work / "made").stat().st_uid == 65534
