"""Shell scripts: `$1` ... `$9`, `getopts`, `getopt`, and loops over `case $1 in --name)`."""

import re

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.files import FileTable
from ml_agent.repo.shell_script import Script

SUFFIXES = (".sh", ".bash")


def read(files: FileTable, path: str) -> EntryPoint | None:
    try:
        text = files.read(path)
    except OSError:
        return None
    if text.binary:
        return None
    return EntryPoint(path, "shell", ("bash", path))
