"""Files that sub-commands are in are no programs of their own."""

from ml_agent.policies.grounded.programs import Material, rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.subcommands import implementing
from ml_agent.repo.commands import Command
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
