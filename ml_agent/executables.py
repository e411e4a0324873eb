"""Where ml-agent finds the programs of this machine that it starts itself, outside a sandbox."""

import shutil

FOLDERS = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
"""Not the caller's PATH: with an environment of a repository's own activated, what that has planted would come first."""


def find_program(name: str) -> str | None:
    """The absolute path of the machine's own program of that name; None if there is none."""
    return shutil.which(name, path=FOLDERS)
