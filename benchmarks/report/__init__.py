"""The report on scored runs of one suite: Markdown, JSON, and a folder of HTML pages that opens from disk."""
