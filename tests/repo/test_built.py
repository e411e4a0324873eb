from pathlib import Path

import pytest

from ml_agent.repo.built import built_programs
from ml_agent.repo.files import walk
from tests.policies.grounded.support import write


def built(root: Path, files: dict[str, str]) -> frozenset[str]:
    return built_programs(walk(write(root, files)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("bell: bell.c\n\tgcc -O2 bell.c -o bell\n", {"bell"}),
        ("OUT := bin\n$(OUT)/bell : bell.o\n\t$(CC) $^ -o $@ $(FLAGS)\n", {"bell"}),
        ("all: bell\nbell: \\\n  bell.o lamp.o\n\t$(CXX) $(FLAGS) bell.o lamp.o -o bell\n", {"bell"}),
        ("tools:\n\tmkdir -p bin\n\tg++ a.cc -o bin/ring\n\tg++ b.cc -o ./bin/toll\n", {"ring", "toll"}),
        ("bell lamp: x.c\n\tcc x.c -o $@\n", {"bell", "lamp"}),
        ("bell: bell.c\r\n\tgcc bell.c -o $@\r\n", {"bell"}),
        (".PHONY: clean\nclean:\n\trm -rf bin\ntest:\n\tpython test.py\n", set()),
        ("%.o: %.c\n\t$(CC) -c $< -o $@\nbell.o: bell.c\n\tcc -c bell.c -o bell.o\n", set()),
        ("CC = gcc\nbell := x\n", set()),
    ],
)
def test_makefiles(tmp_path: Path, text: str, names: set[str]) -> None:
    assert built(tmp_path, {"Makefile": text}) == names


def test_cmake(tmp_path: Path) -> None:
    text = "project(bells)\nadd_executable(bell src/main.cc)\n  ADD_EXECUTABLE( ring-all a.cc )\nadd_library(lamp b.cc)\n"
    assert built(tmp_path, {"src/CMakeLists.txt": text}) == {"bell", "ring-all"}


def test_nothing_is_built(tmp_path: Path) -> None:
    assert built(tmp_path, {"train.py": "print(1)\n"}) == frozenset()
