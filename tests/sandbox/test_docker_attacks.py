"""What a hostile repository may try that only docker has to meet; the rest is in test_sandbox_attacks.py and test_sandbox_exhaustion.py."""

from pathlib import Path

import pytest

from ml_agent.sandbox.cgroups import Resources
from tests.sandbox.leftovers import attacked
from tests.sandbox.support import bash

pytestmark = pytest.mark.docker


def test_memory_and_disk_at_once(tmp_path: Path) -> None:
    """File systems in memory count: a run that fills them is out of memory, and the next one finds room again."""
    with attacked("docker", tmp_path, Resources(memory_bytes=30 << 20, processes=40, tmp_bytes=100 << 20)) as sandbox:
        before = bash(sandbox, "ls /tmp").stdout  # home, and the place of an environment that stands in /tmp
        assert bash(sandbox, "head -c 90000000 /dev/zero > /tmp/x; sleep 0.1; tail /dev/zero").oom_killed
        assert bash(sandbox, "ls /tmp; echo again").stdout == f"{before}again\n"
