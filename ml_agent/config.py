"""What is the same for every run: defaults, and where things are kept."""

import os
import secrets
from datetime import UTC, datetime
from pathlib import Path

TIME_LIMIT = 120.0
"""Seconds for a whole solve."""
MODEL_TIME_LIMIT = 600.0
"""Seconds for one whose policy asks a model."""
LIMITS = ("seconds", "steps", "tokens", "money")
"""What of a run can be limited; money in US dollars."""
INSTRUCTION_CHARACTERS = 20_000
"""Of a task; more is a pasted file, not a task."""
CODE_CHARACTERS = 1_000_000
"""Of a command line or a program to verify."""
CODE_BYTES = 1_000_000
"""Of a .py file to verify."""
TRAJECTORY_BYTES = 200_000_000
"""Of a stored run."""
POLICY = "grounded"
GITHUB_URL = "https://api.github.com"
SANDBOXES = ("auto", "docker", "bubblewrap", "local", "none")
"""Those that come with ml-agent."""
NETWORKS = ("off", "setup", "on")


def switch_off_telemetry() -> None:
    """Of onnxruntime, before it is imported: else it keeps a device id in the cache folder and sends events. Children inherit it."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def new_trajectory_path() -> Path:
    """Where the next run is recorded: in the user's state folder (XDG), under a name that no other run has."""
    import platformdirs

    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return platformdirs.user_state_path("ml-agent") / "trajectories" / f"{now}-{secrets.token_hex(5)}.jsonl"
