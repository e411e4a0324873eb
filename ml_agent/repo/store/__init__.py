"""What has been read of files, kept on disk: content-addressed, shared by all repositories and processes of a user."""

from ml_agent.repo.store.database import Store, open_store
from ml_agent.repo.store.tree import Tree

__all__ = ["Store", "Tree", "open_store"]
