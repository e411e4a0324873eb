from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, Option, read_entry_points
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import proposals, write

COUNTED = r"""
#include "-no.h"
/* strcmp(argv[1], "-old") is no longer read */
int find_arg(char *str, int argc, char **argv) { return strcmp(str, argv[1]); }
int main(int argc, char **argv) {
    if (argc == 1) {
        printf("Tool to count birds\n");
        printf("Usage options:\n");
        printf("\t-nest-size <int>\n");
        printf("\t\tHow many eggs fit in; default 4\n");
        printf("\t-eta <float>\n");
        printf("\t\tInitial learning rate; default 0.05\n");
        printf("\nExample usage:\n");
        printf("./count -nest-size 3\n");
    }
    if ((i = find_arg((char *)"-nest-size", argc, argv)) > 0) size = atoi(argv[i + 1]);
    if ((i = find_arg((char *)"-eta", argc, argv)) > 0) eta = atof(argv[i + 1]);
    if ((i = find_arg((char *)"-out-file", argc, argv)) > 0) strcpy(out, argv[i + 1]);
    if (!strcmp(argv[i], "--loud")) loud = 1;
}
"""
LETTERS = r"""
int main(int argc, char *argv[]) {
    fprintf(stderr, "Usage:   sing <song> [options]\n");
    fprintf(stderr, "  -t <float>  temperature in [0,inf], default 1.0\n");
    fprintf(stderr, "  -n <int>    number of notes to sing for, default 256\n");
    fprintf(stderr, "  -i <string> input prompt\n");
    song = argv[1];
    for (int i = 2; i < argc; i += 2) {
        if (argv[i][1] == 't') { t = atof(argv[i + 1]); }
        else if (argv[i][1] == 'n') { n = atoi(argv[i + 1]); }
        else if (argv[i][1] == 'i') { prompt = argv[i + 1]; }
    }
}
"""


def programs(root: Path) -> dict[str, EntryPoint]:
    return {e.path: e for e in read_entry_points(RepoIndex(root).files)}


def test_options_that_words_are_compared_with(tmp_path: Path) -> None:
    entry = programs(write(tmp_path, {"src/count.c": COUNTED}))["src/count.c"]
    assert (entry.kind, entry.run, entry.line, entry.open_ended) == ("c", ("./count",), 5, True)
    assert entry.options == (
        Option("-nest-size", ("-nest-size",), "src/count.c:16", type="int", default="4", help="How many eggs fit in; default 4"),
        Option("-eta", ("-eta",), "src/count.c:17", type="float", default="0.05", help="Initial learning rate; default 0.05"),
        Option("-out-file", ("-out-file",), "src/count.c:18"),
        Option("--loud", ("--loud",), "src/count.c:19", action="flag"),
    )


def test_letters_and_the_words_in_front(tmp_path: Path) -> None:
    entry = programs(write(tmp_path, {"sing.c": LETTERS}))["sing.c"]
    assert [(o.name, o.type, o.default, o.help) for o in entry.options] == [
        ("song", None, None, ""),
        ("-t", "float", "1.0", "temperature in [0,inf], default 1.0"),
        ("-n", "int", "256", "number of notes to sing for, default 256"),
        ("-i", "str", None, "input prompt"),
    ]


def test_strings_of_cpp_and_two_names_of_one_option(tmp_path: Path) -> None:
    text = (
        "int main(int argc, char** argv) {\n"
        '  std::cerr << "  -h, --help   show this\\n" << "  -k, --keep N  how many are kept [3]\\n";\n'
        '  if (arg == "-k" || arg == "--keep") { keep = std::stoi(argv[++i]); } else if (arg == "--dry") { dry = true; }\n}\n'
    )
    (tmp_path / "a.cpp").write_text(text)
    options = {o.name: o for o in programs(tmp_path)["a.cpp"].options}
    assert (options["--keep"].aliases, options["--keep"].type, options["--keep"].default) == (("--keep", "-k"), "int", "3")
    assert options["--dry"].action == "flag"


def test_files_that_are_no_programs(tmp_path: Path) -> None:
    write(tmp_path, {"lib.c": 'int f(char *s) { return strcmp(s, "-x"); }\n', "bare.c": "int main(int argc, char **argv) { return 0; }\n"})
    write(tmp_path, {"void.c": "int main(void) { return 0; }\n"})
    assert programs(tmp_path) == {}


def test_a_built_program_takes_what_its_source_reads(tmp_path: Path) -> None:
    write(tmp_path, {"sing.c": LETTERS, "Makefile": "sing: sing.c\n\t$(CC) -o sing sing.c\n"})
    write(tmp_path, {"README.md": "# Songs\n\nBuild it, then sing:\n\n```bash\n./sing lark.bin\n```\n"})
    text = "Sing owl.bin with the prompt 'once upon a hill', for 40 notes, at a temperature of 0.7"
    answer = proposals(tmp_path, text)[0].answer
    assert answer.code.startswith("./sing owl.bin ")
    for part in ("-t 0.7", "-n 40", "-i 'once upon a hill'"):
        assert part in answer.code


@settings(max_examples=150, deadline=None)
@given(st.text("argv[i1] =\"'-xt\\n(){};/*<>|,:\n", max_size=120))
def test_any_text_can_be_read(tmp_path_factory: object, text: str) -> None:
    from ml_agent.repo.entrypoints.c_reader import _compared, _positionals, _printed, _shown

    lines = _printed(text)
    assert all(name.startswith("-") for _, name, _ in _compared(text))
    assert list(_shown(lines)) is not None
    assert _positionals(lines, text, "a.c") is not None
