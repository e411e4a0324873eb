"""Placeholders inside documented values."""

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.templates import filled_by, template_swaps
from tests.policies.grounded.support import command, option, program

SING = "python sing.py --settings <OUT-DIR>/owl.yaml --songs all:root=<PATH/TO/SONGS>:extra=<PATH/TO/SONGS> --into <OUT-DIR>/eval --loud 3"
MADE = program(option("--settings"), option("--songs"), option("--into"), option("--loud", type="int"), path="sing.py")


def swaps(text: str, line: str = SING) -> list[tuple[str, str]]:
    request = read_request(text)
    return sorted((s.old, s.mention.value) for s in template_swaps(command(line), request, Surroundings(request)))


def test_each_stands_for_the_same_everywhere() -> None:
    text = "The output directory is /runs/owl and the songs are in /data/songs. Sing them with a loudness of 5."
    assert swaps(text) == [("<OUT-DIR>", "/runs/owl"), ("<PATH/TO/SONGS>", "/data/songs")]
    ranked = rank_programs(Material([(1.0, MADE)], [(1.0, command(SING, target="sing.py"))]), (), read_request(text))
    assert ranked[0].line.answer().code == (
        "python sing.py --settings /runs/owl/owl.yaml --songs all:root=/data/songs:extra=/data/songs --into /runs/owl/eval --loud 5"
    )


def test_the_only_place_is_for_the_only_placeholder() -> None:
    assert swaps("sing what lies in /tmp/x", "python sing.py --songs {dir}/a.txt") == [("{dir}", "/tmp/x")]


def test_what_is_said_of_neither_stays_open() -> None:
    assert swaps("Sing, from /tmp/x to /tmp/y") == []


def test_whole_values_are_no_templates() -> None:
    assert swaps("the songs are in /data/songs", "python sing.py --songs <SONGS> --loud <N>") == []


def test_files_are_no_folders_of_a_template() -> None:
    assert swaps("the output directory is out.txt", "python sing.py --into <OUT-DIR>/eval") == []


def test_what_is_filled_takes_nothing_else() -> None:
    request = read_request("the output directory is /runs/owl, with other.yaml")
    found = template_swaps(command(SING), request, Surroundings(request))
    barred = filled_by(found, MADE, command(SING), request)
    of_file = next(m.position for m in request.mentions if m.value == "other.yaml")
    assert {name for name, _ in barred} == {"--settings", "--into"}
    assert ("--settings", of_file) not in barred
    assert ("--into", of_file) in barred
