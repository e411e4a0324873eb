"""What earlier commands of an answer may have put on the disk."""

from ml_agent.repo.modules.roots import join
from ml_agent.repo.shell import ShellCommand

# Programs that may make files of any name in their folder, programs among them.
_FETCH = frozenset(
    "git svn hg wget curl aria2c gdown unzip tar 7z 7za gunzip bunzip2 unxz zstd bsdtar rsync scp gsutil aws azcopy rclone "
    "kaggle dvc huggingface-cli hf patch make cmake ninja cookiecutter jupyter nbconvert conda docker apt-get npm cargo go "
    "protoc cp mv ln install tee touch dd split sed".split()
)


class Made:
    """Grows with each command that was looked at."""

    def __init__(self, workdir: str) -> None:
        self._workdir = workdir
        self._made: set[str] = set()
        """Exactly these, and the folders above them."""
        self._filled: set[str] = set()
        """These with anything below them."""
        self._allowed: set[str] = set()
        """`chmod` was run over these or what is below them."""
        self.ran = False
        """A program of the repository ran: it may have made folders and data."""

    def note(self, command: ShellCommand) -> None:
        here = join(self._workdir, command.cwd) if command.cwd is not None else None
        if here is None:
            return
        words = [w.text for w in command.words]
        name = words[0].rpartition("/")[2] if words else ""
        if name == "sudo" and len(words) > 1:
            name = words[1].rpartition("/")[2]
        operands = [w for w in words[1:] if not w.startswith("-")]
        if name == "mkdir":
            self._made.update(_paths(here, operands))
        elif name == "chmod":
            self._allowed.update(_paths(here, operands))
        elif name in _FETCH:
            self._filled.update((here, *_paths(here, operands)))
        self._made.update(_paths(here, [r.target for r in command.redirects if ">" in r.operator]))

    def may_hold(self, path: str) -> bool:
        """Whether a file or folder that the repository does not have may be there by now."""
        return any(p == path or p.startswith(path + "/") for p in self._made) or any(
            f in (".", path) or path.startswith(f + "/") for f in self._filled
        )

    def may_run(self, path: str) -> bool:
        """Whether a file may have been made executable."""
        return any(p in (".", path) or path.startswith(p + "/") for p in self._allowed)


def _paths(here: str, paths: list[str]) -> list[str]:
    return [known for path in paths if (known := join(here, path)) is not None]
