"""The files of a repository: `walk` lists them into a `FileTable`, which looks up, suggests and reads."""

from ml_agent.repo.files.listing import walk
from ml_agent.repo.files.table import TEXT_LIMIT, FileTable, RepoFile, Skipped
from ml_agent.repo.files.text import Text

__all__ = ["TEXT_LIMIT", "FileTable", "RepoFile", "Skipped", "Text", "walk"]
