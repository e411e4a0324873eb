"""What commands print alike."""

from typing import Any


def print_json(value: Any) -> None:
    """ASCII: whatever the encoding of the stream, and lone surrogates survive."""
    import json

    print(json.dumps(value))
