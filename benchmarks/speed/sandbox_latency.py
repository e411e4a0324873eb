"""How long a command takes in each sandbox, beside the raw engine, and how long until a workspace is ready.

python -m ml_agent.benchmarks.speed.sandbox_latency REPO [--runs 20]

For docker the raw engine is `docker exec` into the very container, for bubblewrap a bare `bwrap` over the same folder. Ours and raw take
turns. A workspace is ready when its private copy is made and the sandbox has started: the first command's time less a later one's.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.docker_owner import labels
from ml_agent.sandbox.options import Options
from ml_agent.workspace import Workspace

_PAUSE = 0.05
_BARE = (
    "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --uid 65534 --gid 65534 --clearenv --ro-bind /usr /usr"
    " --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --size 1000000000 --tmpfs /tmp"
)


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def side_by_side(ours: Callable[[], object], raw: Callable[[], object], runs: int) -> tuple[float, float]:
    """Medians of both, taken in turn, in seconds. Before each a moment passes, as between the steps of an agent."""

    def after_a_pause(call: Callable[[], object]) -> float:
        time.sleep(_PAUSE)
        return seconds(call)

    pairs = [(after_a_pause(ours), after_a_pause(raw)) for _ in range(runs)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def raw_command(name: str, workspace: Workspace) -> Sequence[str]:
    """What runs `true` without us, once the workspace is ready."""
    if name == "bubblewrap":
        return [*_BARE.split(), "--bind", str(workspace.root), "/work", "true"]
    api = connect()
    try:
        (container,) = api.containers(filters={"label": [f"{key}={value}" for key, value in labels().items()]})
    finally:
        api.close()
    return ["docker", "exec", container["Id"], "true"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    print("             command   raw    ratio   workspace ready   (medians, seconds)")
    for name in ("docker", "bubblewrap"):
        try:
            measure(name, arguments.repository, arguments.runs)
        except SandboxUnavailable as error:
            print(f"{name:11} {error}")


def measure(name: str, repository: Path, runs: int) -> None:
    ready = []
    for _ in range(max(3, runs // 4)):
        with Workspace(repository, Options(sandbox=name, python=sys.executable)) as workspace:
            first = seconds(lambda: workspace.run(["true"], timeout=10))
            ready.append(first - min(seconds(lambda: workspace.run(["true"], timeout=10)) for _ in range(2)))
    with Workspace(repository, Options(sandbox=name, python=sys.executable)) as workspace:
        workspace.run(["true"], timeout=10)
        sandbox, raw = workspace.started(), raw_command(name, workspace)
        ours, bare = side_by_side(
            lambda: sandbox.exec(["true"], timeout=10), lambda: subprocess.run(raw, check=True, stdin=subprocess.DEVNULL), runs
        )
    print(f"{name:11}  {ours:6.3f}  {bare:6.3f}  {ours / bare:5.2f}   {statistics.median(ready):6.3f}")


if __name__ == "__main__":
    main()
