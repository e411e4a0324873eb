"""How long aider's repository map takes, from nothing and from its warm cache: to set beside ours (see index.py).

To be run by a Python that has aider, in an environment of its own; it imports nothing of ml-agent:

    python -m venv /tmp/aider && /tmp/aider/bin/pip install aider-chat
    /tmp/aider/bin/python benchmarks/speed/aider_map.py FOLDER [--tokens 1000]

The folder is copied first, for aider keeps its cache in it. Each run is a process of its own. Tokens are estimated as a quarter of the
characters, as ours are, so no model and no network are needed.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Model:
    """What the map asks of a model."""

    def token_count(self, text: str) -> int:
        return len(text) // 4


class Terminal:
    """What the map asks of a terminal."""

    def read_text(self, path: str) -> str | None:
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    def tool_output(self, *messages: object, **_: object) -> None:
        print(*messages, file=sys.stderr)

    tool_warning = tool_error = tool_output


def make_map(root: Path, tokens: int) -> None:
    """Make the map once and print how long that took."""
    start = time.perf_counter()
    from aider.repomap import RepoMap  # type: ignore[import-not-found, unused-ignore]

    files = sorted(str(path) for path in root.rglob("*.py"))
    made = RepoMap(map_tokens=tokens, root=str(root), main_model=Model(), io=Terminal())
    text = made.get_repo_map([], files)
    print(f"{time.perf_counter() - start:.1f} s for {len(files):,} files, a map of {len(text or '') // 4} tokens")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tokens", type=int, default=1000)
    parser.add_argument("--here", action="store_true", help="make the map of this very folder, once")
    args = parser.parse_args()
    if args.here:
        make_map(args.folder, args.tokens)
        return
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "tree"
        shutil.copytree(args.folder, copy, ignore=shutil.ignore_patterns(".aider*", "__pycache__"))
        for name in ("cold", "warm"):
            print(f"aider's map, {name}:", end=" ", flush=True)
            command = [sys.executable, __file__, str(copy), "--tokens", str(args.tokens), "--here"]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)  # it shows a progress bar there


if __name__ == "__main__":
    main()
