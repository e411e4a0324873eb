"""What worker processes read: functions of (FileTable, path) to what marshal takes."""

from typing import Any

from ml_agent.repo.files import FileTable


def symbols(files: FileTable, path: str) -> Any:
    """FileSymbols as plain data."""
    from ml_agent.repo.symbols import FileSymbols, parse_symbols

    try:
        text = files.read(path).text
    except OSError:
        return FileSymbols().as_data()
    return parse_symbols(path, text).as_data()
