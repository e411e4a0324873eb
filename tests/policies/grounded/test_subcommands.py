"""Files that sub-commands are in are no programs of their own."""

from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.subcommands import implementing, named_by
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from tests.policies.grounded.support import command
from tests.policies.grounded.test_programs import at


def installed(text: str) -> Command:
    """A command that the repository installs."""
    return Command(tuple(text.split()), "owls/cli/main.py", 0, ".", "README.md:3", text=text)


def test_the_file_of_a_sub_command() -> None:
    found = implementing(
        [
            installed("owls train x.csv"),
            installed("owls make-nest"),
            installed("owls --help"),
            installed("owls"),
            command("python run.py count", target="run.py"),
        ]
    )
    assert found == {"owls/cli/train.py", "owls/cli/make_nest.py"}


def best(text: str, *commands: Command) -> str:
    """The path of the best program, where the words of the sub-command's file fit better than those of the program's."""
    main, train = at("owls/cli/main.py", "owls/cli/train.py")
    found = rank_programs(Material([(0.2, main), (1.0, train)], [(0.3, c) for c in commands]), [], read_request(text))
    return found[0].line.program.path


def test_the_command_is_taken_unless_a_document_runs_the_file() -> None:
    documented = installed("owls train")
    itself = command("python owls/cli/train.py", target="owls/cli/train.py")
    assert best("train the owls for 20 epochs", documented) == "owls/cli/main.py"
    assert best("train the owls for 20 epochs", documented, itself) == "owls/cli/train.py"
    assert best("train the owls for 20 epochs", installed("owls fly")) == "owls/cli/train.py"
    assert best("run owls/cli/train.py for 20 epochs", documented) == "owls/cli/train.py"  # it is named


def test_how_much_of_a_sub_command_is_said() -> None:
    selector = Option("command", ("command",), "owls.py:3", choices=("count", "ring-birds", "find-nest"), nargs="A...")
    program = EntryPoint("owls/cli/main.py", "click", ("owls",), (selector,))
    request = read_request("find the birds of RingBirds in site.csv")
    said = [named_by(request, program, installed(f"owls {name}")) for name in ("ring-birds", "find-nest", "count", "--help")]
    assert said == [1.0, 0.5, 0.0, 0.0]


def test_the_sub_command_that_is_named_is_run() -> None:
    selector = Option("command", ("command",), "owls.py:3", choices=("count", "ring-birds"), nargs="A...")
    program = EntryPoint("owls/cli/main.py", "click", ("owls",), (selector,))
    commands = [(0.6, installed("owls count")), (0.1, installed("owls ring-birds"))]
    best = rank_programs(Material([(1.0, program)], commands), [], read_request("ring all the birds of the wood"))[0]
    assert best.line.answer().code == "owls ring-birds"


def test_a_sub_command_is_no_value_of_the_request() -> None:
    selector = Option("command", ("command",), "owls.py:3", nargs="A...", required=True)
    program = EntryPoint("owls/cli/main.py", "click", ("owls",), (selector, Option("--far", ("--far",), "owls.py:4", "int")))
    ranked = rank_programs(Material([(1.0, program)], [(0.6, installed("owls count --far 2"))]), [], read_request("go on site.csv"))
    assert ranked[0].line.answer().code == "owls count --far 2"
