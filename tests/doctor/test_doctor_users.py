"""The doctor as another user, with a bare Python: the worst of places still gets every line."""

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.doctor.test_doctor import NAMES

TOP = Path(__file__).parents[2]


def test_no_permission_and_no_packages() -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    top = Path(f"/tmp/ml-agent-doctor-{os.getpid()}")
    try:
        for name in ("sandbox", "doctor", "cli"):
            shutil.copytree(TOP / "ml_agent" / name, top / "ml_agent" / name)
        for file in (TOP / "ml_agent").glob("*.py"):
            shutil.copy(file, top / "ml_agent" / file.name)
        (top / "home").mkdir()
        subprocess.run(["chmod", "-R", "a+rX", top], check=True)
        (top / "home").chmod(0o777)
        with socket.socket(socket.AF_UNIX) as closed:
            closed.bind(str(top / "docker.sock"))
            os.chmod(top / "docker.sock", 0o660)
            closed.listen()
            python = ["/usr/bin/python3", "-S", "-m", "ml_agent", "doctor", "--json", "--python", "/usr/bin/python3"]
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *python]
            env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(top), "DOCKER_HOST": f"unix://{top}/docker.sock", "HOME": str(top / "home")}
            done = subprocess.run(command, env=env, cwd=top / "home", capture_output=True, text=True, timeout=50)
        assert list((top / "home").iterdir()) == []
    finally:
        shutil.rmtree(top)
    assert (done.returncode, done.stderr) == (1, "")
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert list(checks) == NAMES
    assert "no permission" in checks["docker engine"]["detail"]
    assert "usermod -aG docker" in checks["docker engine"]["remedy"]
    assert checks["packages"]["status"] == "error"
    assert "is not installed" in checks["packages"]["detail"]
    assert checks["grammars"]["remedy"] == "do what `packages` says"
    assert checks["interpreter"]["status"] in ("ok", "warning")
    if checks["bubblewrap"]["status"] == "ok":
        assert "bubblewrap" in checks["runs"]["detail"]
