"""What a program's parser may be made by, however the program comes to it."""

from pathlib import Path

import pytest

from tests.repo.entrypoints.programs import names, read_all


@pytest.mark.parametrize("package", ["from .reading import *", "from .reading import options"])
def test_a_function_that_the_package_hands_on(tmp_path: Path, package: str) -> None:
    reading = """
        import argparse

        def options():
            parser = argparse.ArgumentParser()
            parser.add_argument("config")
            return parser.parse_args()
        """
    run = "import birds\nargs = birds.options()\nprint(args)\n"
    found = read_all(tmp_path, {"bin/run.py": run, "birds/__init__.py": package, "birds/reading.py": reading})
    assert names(found["bin/run.py"]) == ["config"]
