"""Variables in documented commands: those that an earlier block sets, and those in front of a program."""

from pathlib import Path

from tests.repo.test_commands import block, read


def test_variables_that_an_earlier_block_sets(tmp_path: Path) -> None:
    readme = (
        "# Owl\n\nChoose the size:\n\n"
        + block('SIZE="--width 64 --depth 2"', "export OUT=<your folder>")
        + "\nTrain:\n\n"
        + block("python train.py $SIZE --out $OUT/a --data $DATA")
        + "\nThe big one:\n\n"
        + block("SIZE='--width 512'", "python train.py $SIZE")
    )
    small, big = read(tmp_path, {"README.md": readme, "train.py": "", "docs/other.md": block("python ../train.py $SIZE")})[:2]
    assert small.arguments == ("--width", "64", "--depth", "2", "--out", "$OUT/a", "--data", "$DATA")
    assert small.variables == ("OUT", "DATA")  # where it is, the reader says
    assert big.arguments == ("--width", "512")


def test_a_document_knows_no_variables_of_another(tmp_path: Path) -> None:
    files = {"README.md": block("SIZE=64"), "train.py": "", "docs/use.md": block("python train.py --size $SIZE")}
    (command,) = read(tmp_path, files)
    assert command.variables == ("SIZE",)


def test_a_variable_in_front_of_the_program_is_known(tmp_path: Path) -> None:
    script = "HERE=`dirname $0`\npython $HERE/train.py --data ${HERE}/data --root $HERE --out $OUT/$HEREAFTER\n"
    (command,) = read(tmp_path, {"tools/go.sh": script, "tools/train.py": ""})
    assert (command.target, command.workdir) == ("tools/train.py", "tools")
    assert command.words == ("python", "train.py", "--data", "data", "--root", ".", "--out", "$OUT/$HEREAFTER")
    assert command.variables == ("OUT", "HEREAFTER")
    (command,) = read(tmp_path, {"tools/go.sh": "python $HOME/train.py --data $HOME/data\n"})
    assert command.arguments == ("--data", "$HOME/data")
    (command,) = read(tmp_path, {"tools/go.sh": "lr=${1:-0.1}\npython ~/train.py --lr $lr\n"})
    assert command.words == ("python", "train.py", "--lr", "0.1")
