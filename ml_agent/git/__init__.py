"""Repositories of strangers: fetched at a commit into the cache with nothing of theirs, or of the user's configuration, being run."""
