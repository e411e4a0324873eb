from ml_agent.policies.grounded.compose import build
from ml_agent.policies.grounded.redirected import kept_for_redirects
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, filled, option, program

MADE = program(option("-vocab-file"), option("-overflow-file"), path="count.sh", run=("./count.sh",))
SHOWN = command("./count.sh -vocab-file v.txt", redirects=(("<", "corpus.txt"), (">", "out.bin")))


def code(text: str) -> str:
    request = read_request(text)
    kept = kept_for_redirects(filled(text, MADE, SHOWN), SHOWN, request)
    return build(MADE, SHOWN, [SHOWN], kept, [], request).answer().code


def test_files_that_no_word_gives_to_an_option_are_read_and_written() -> None:
    text = "Count the birds of birds_sv.txt, the vocab file is vocab_sv.txt, and the counts go into counts_sv.bin"
    assert code(text) == "./count.sh -vocab-file vocab_sv.txt < birds_sv.txt > counts_sv.bin"


def test_a_file_that_is_named_stays_with_its_option() -> None:
    text = "Count the birds of birds_sv.txt with the overflow file over.bin"
    assert code(text) == "./count.sh -vocab-file v.txt -overflow-file over.bin < birds_sv.txt > out.bin"


def test_without_redirects_nothing_is_kept() -> None:
    found = filled("count birds_sv.txt", MADE)
    assert kept_for_redirects(found, command("./count.sh"), read_request("count birds_sv.txt")) is found
    assert kept_for_redirects(found, None, read_request("count birds_sv.txt")) is found
