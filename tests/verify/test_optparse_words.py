from pathlib import Path

from tests.verify.differential import compare
from tests.verify.support import bash, found, repository

OPTPARSE = """
from optparse import OptionParser, OptionGroup, make_option

def options():
    parser = OptionParser(usage="usage: %prog [options] file", version="1.0", description="Train it.")
    parser.add_option("-l", "--lr", type="float", default=0.1, help="the rate [%default]")
    parser.add_option("-e", "--epochs", dest="n", type=int)
    parser.add_option("--epsilon", type="float")
    parser.add_option("-v", action="store_true", dest="verbose", default=False)
    parser.add_option("-q", action="count")
    parser.add_option("--pair", nargs=2, type="int")
    parser.add_option("--mode", type="choice", choices=["a", "b"])
    group = OptionGroup(parser, "Data")
    group.add_option("--data", metavar="DIR")
    parser.add_option_group(group)
    parser.add_options([make_option("--extra", action="append")])
    return parser

if __name__ == "__main__":
    options().parse_args()
"""

LINES = [
    "",
    "a b c",
    "--lr 0.2 x",
    "--lr=0.2 -e3 -vqq",
    "-ve 3",
    "--lr x",
    "--epochs 1.5",
    "--ep 3",
    "--epo 3",
    "--pair 1 2",
    "--pair 1",
    "--pair 1 b",
    "--mode a",
    "--mode c",
    "--data d --extra 1 --extra 2",
    "--verbose",
    "-x",
    "-vx",
    "--lr",
    "--v",
    "-v=1",
    "--help",
    "-h --nope",
    "--version",
    "-- --nope",
    "x --nope",
]

GETOPT = """
import sys, getopt

def main(argv):
    opts, args = getopt.getopt(argv, "hi:o:v", ["ifile=", "ofile=", "verbose"])
    for opt, arg in opts:
        if opt == "-h":
            sys.exit()

if __name__ == "__main__":
    main(sys.argv[1:])
"""

GETOPT_LINES = ["-i a -o b -v", "--ifile=a --ofile b", "--if a", "-ia", "-x", "--nope", "-i", "--verbose=1", "a --nope", "-h", "--ifile"]


def test_optparse(tmp_path: Path) -> None:
    entry = compare(tmp_path, {"train.py": OPTPARSE}, LINES)
    assert (entry.kind, entry.open_ended, entry.unread) == ("optparse", False, ())


def test_getopt(tmp_path: Path) -> None:
    assert compare(tmp_path, {"train.py": GETOPT}, GETOPT_LINES).kind == "getopt"


def test_the_nearest_option(tmp_path: Path) -> None:
    index = repository(tmp_path, {"train.py": OPTPARSE})
    assert found(bash(index, "python train.py --learning-rate=3")) == [("option", "error", "--lr=3")]
