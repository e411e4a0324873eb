import ast

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.folders import Folders
from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.slots import (
    bound_literals,
    counted_alike,
    offered,
    place_changed,
    place_denied,
    place_devices,
    place_files,
    place_lists,
    place_switches,
    place_texts,
    place_words,
)


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("args = {'soft_crust': True}", "bake it without a soft crust", [("True", "False")]),
        ("d = 'cuda:0' if hot() else 'cpu'", "bake it on the CPU", [("cuda:0", "'cpu'")]),
        ("bake(device='cuda')", "use my cpu", [("cuda", "'cpu'")]),
        ("bake(device='cuda')", "a pie, CPU, two tins", [("cuda", "'cpu'")]),
        ("bake(device='cuda')", "with the cpu fan", []),
        ("bake(device='cuda')", "a pie, cpu.yaml", []),
        ("bake(soft_crust=False)", "bake it with a soft crust", [("False", "True")]),
        ("bake(soft_crust=True)", "bake it with a soft crust", []),
        ("bake(soft_crust=True)", "bake a pie", []),
        ("load(train=False)", "train it for 3 epochs", []),  # to do so is another thing
        ("bake(True)", "do not bake", []),
    ],
)
def test_switches(code: str, text: str, placed: list[tuple[str, str]]) -> None:
    found = place_switches(literals_of(ast.parse(code), code), read_request(text), frozenset())
    assert [(literal.text, value) for literal, value, _ in found] == placed


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("bake(mode='fast')", "in the gentle mode", ["gentle"]),
        ("bake(mode='fast')", "in the same mode", []),
        ("bake(mode='fast')", "in gentle heat", []),
        ("load(split='train')", "on datasets/pies (dev split)", ["dev"]),
        ("load(split='test')", "use the training split", ["train"]),
        ("bake(mask_type='round')", "with square masks", ["square"]),
        ("bake(name='fast')", "a gentle name", []),
        ("bake(mode='a long text')", "in the gentle mode", []),
        ("bake(mode=3)", "in the gentle mode", []),
    ],
)
def test_one_word_of_a_few(code: str, text: str, placed: list[str]) -> None:
    found = place_words(literals_of(ast.parse(code), code), read_request(text))
    assert [mention.value for mention, _, _ in found] == placed


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("Pie(racks=(1, 2, 3, 4))", "a pie with racks 5 and 6", [["5", "6"]]),
        ("Pie(zones=(1, 2),  # sizes of the racks\n)", "a pie with racks of sizes 5, 6 and 7", [["5", "6", "7"]]),
        ("Pie(zones=(1, 2))", "a pie for 5, 6 or 7 people", []),
        ("x = torch.randn(1, 2)", "a random 5 and 6", []),
    ],
)
def test_lists_of_numbers(code: str, text: str, placed: list[list[str]]) -> None:
    request = read_request(text)
    found = place_lists(literals_of(ast.parse(code), code), request, Surroundings(request))
    assert [[m.value for m in run] for _, run in found] == placed


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("label(['a pie', 'a tart', 'a bun'])", 'label it as "a loaf" or "a roll"', ["a loaf", "a roll"]),
        ("x = ['a pie', 'a tart']\nfillings = ['a plum', 'a fig']", 'use the fillings "a pear" and "a quince"', ["a pear", "a quince"]),
        ("label(['pie', 'tart'])", 'label it as "a loaf" or "a roll"', []),  # names, no texts
        ("label(['a pie', 'a tart'])", 'label it as "a loaf"', []),
        ("label(['a pie', 'a tart'])", 'label it as "loaf" and "roll"', ["loaf", "roll"]),
    ],
)
def test_lists_of_texts(code: str, text: str, placed: list[str]) -> None:
    request = read_request(text)
    found = place_texts(literals_of(ast.parse(code), code), request, Surroundings(request))
    assert [m.value for _, run in found for m in run] == placed
    for literal, _ in found:
        assert code[literal.start : literal.end].startswith("'a pie'" if "label" in code else "'a plum'")


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("label my/pie.png and tart.jpg", ["my/pie.png", "tart.jpg"]),
        ("play pie.wav and tart.wav", []),
        ("label pie.png", []),
    ],
)
def test_lists_of_files(text: str, placed: list[str]) -> None:
    code = "notes = ['a plum', 'a pear']\npictures = ['1.jpg', '2.jpg', '3.jpg']\n"
    request = read_request(text)
    found = place_texts(literals_of(ast.parse(code), code), request, Surroundings(request))
    assert [m.value for _, run in found for m in run] == placed
    assert all(code[literal.start : literal.end] == "'1.jpg', '2.jpg', '3.jpg'" for literal, _ in found)


@pytest.mark.parametrize(
    ("code", "text", "alike"),
    [
        ("# the top 5 warmest pies\nx = pies[:5]", "print the top 3 warmest pies", True),
        ("x = pick(8)  # 8 plums per pie", "with 16 plums in each pie", True),
        ("# the top 5 warmest pies\n\nx = pies[:5]", "print the top 3 warmest pies", False),
        ("# the top 5 warmest pies\nx = pies[:4]", "print the top 3 warmest pies", False),
        ("# the top 5 warmest pies\nx = pies[:5]", "bake for 3 hours", False),
    ],
)
def test_numbers_that_count_the_same(code: str, text: str, alike: bool) -> None:
    request = read_request(text)
    (literal,) = literals_of(ast.parse(code), code)
    (mention,) = request.mentions
    assert counted_alike(literal, mention, request) is alike


@pytest.mark.parametrize(
    ("code", "text", "alike"),
    [
        ("batch_size = 4", "bake 2 samples", True),
        ("bake(num_samples=4)", "two pictures of a cake", True),
        ("batch_size = 4", "train on 2 samples", False),
        ("batch_size = 4", "2 cakes", False),
        ("size = 4", "2 samples", False),
    ],
)
def test_as_many_as_are_made(code: str, text: str, *, alike: bool) -> None:
    request = read_request(text)
    (literal,) = literals_of(ast.parse(code), code)
    assert counted_alike(literal, request.mentions[0], request) == alike


@pytest.mark.parametrize(
    ("code", "families"),
    [
        ("mode = 'slow'  # or 'fast'", [{"slow", "fast"}]),
        ("mode = 'slow'  # or fast", []),
        ("a = bake(crust='soft')\nb = bake(crust='hard')", [{"soft", "hard"}]),
        ("a = bake('soft')\nb = bake('hard')", []),
        ("a = bake(crust='soft')\nb = toast(crust='hard')", [{"soft"}]),
        ("a = bake(crust='a soft one')  # or 'fast'", []),
    ],
)
def test_what_is_offered(code: str, families: list[set[str]]) -> None:
    literals = literals_of(ast.parse(code), code)
    assert [set(f) for f in offered(literals[0], literals)] == families


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("plum_words = ['sweet']", "the plum words 'sour' and 'blue'", "plum_words = ['sour', 'blue']"),
        ("plum_words = ['sweet']", "the cakes 'sour' and 'blue'", None),
        ("say(['a sweet plum'])", "say 'a sour plum' and 'a blue plum'", "say(['a sour plum', 'a blue plum'])"),
        ("say(('a sweet plum'))", "say 'a sour plum' and 'a blue plum'", None),
    ],
)
def test_lists_of_one_text(code: str, text: str, placed: str | None) -> None:
    request = read_request(text)
    found = place_texts(literals_of(ast.parse(code), code), request, Surroundings(request))
    changed = [code[: x.start] + ", ".join(repr(m.value) for m in run) + code[x.end :] for x, run in found]
    assert changed == ([placed] if placed else [])


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("bake it with crust=thin", ["'thin'"]),
        ("bake it with crust=None", ["None"]),
        ("bake it with hours=3", ["3"]),
        ("bake it with hours=three", []),
        ("bake it with fan=false", ["False"]),
        ("bake it with oven=2", []),
    ],
)
def test_keywords_that_are_written_with_their_values(text: str, placed: list[str]) -> None:
    code = "bake(crust='thick', hours=2, fan=True)"
    assert [new for _, new, _ in bound_literals(literals_of(ast.parse(code), code), read_request(text))] == placed


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("chill with p=0.5 and heat with p=0.2", ["0.5", "0.2"]),
        ("chill and heat with p=0.5", ["0.5", "0.5"]),
        ("p=0.5, p=0.2 and p=0.3", ["0.5", "0.5"]),
    ],
)
def test_a_keyword_that_stands_twice_takes_its_values_in_order(text: str, numbers: list[str]) -> None:
    code = "bake([chill(p=0.1), heat(p=0.9)])"
    found = list(bound_literals(literals_of(ast.parse(code), code), read_request(text)))
    assert [(literal.text, new) for literal, new, _ in found] == list(zip(("0.1", "0.9"), numbers, strict=True))
    assert all(binding.words == f"p={new}" for _, new, binding in found)


def test_one_text_for_each_side() -> None:
    code = "compare(ours=['a pie', 'a tart'], theirs=['a cake', 'a bun'])"
    request = read_request('compare "one old loaf" to "one new loaf"')
    found = place_texts(literals_of(ast.parse(code), code), request, Surroundings(request))
    assert [(literal.names, [m.value for m in texts]) for literal, texts in found] == [
        (("ours",), ["one old loaf"]),
        (("theirs",), ["one new loaf"]),
    ]


@pytest.mark.parametrize(
    ("code", "text", "placed"),
    [
        ("bake(device='cuda')", "on the second GPU", ["'cuda:1'"]),
        ("bake(device='cuda:0')", "on GPU 3", ["'cuda:3'"]),
        ("bake(device='cuda:0')", "on GPUs 2 and 3", []),
        ("bake(device='cpu', name='cuda tin')", "on GPU 3", ["'cuda:3'"]),
        ("bake(tin='cpu')", "on GPU 3", []),
        ("bake(device='cuda')", "3 pies", []),
    ],
)
def test_one_device_of_several(code: str, text: str, placed: list[str]) -> None:
    found = place_devices(literals_of(ast.parse(code), code), read_request(text))
    assert [value for _, value, _ in found] == placed


def test_other_files_of_the_repository() -> None:
    code = "bake('tins/rye_small.yaml', 'pies/rye_small.yaml')"
    files = Folders(("tins/rye_small.yaml", "tins/oat_large.yaml", "tins/oat_large.txt"))
    found = place_files(literals_of(ast.parse(code), code), files, read_request("a large oat"))
    assert [(m.value, literal.text) for m, literal, _ in found] == [("tins/oat_large.yaml", "tins/rye_small.yaml")]


def test_a_number_of_what_is_not_wanted_is_none() -> None:
    code = "bake(crust_rate=0.5, steam=2, hours=3)"
    found = place_denied(literals_of(ast.parse(code), code), read_request("without crust, steam off, 5 hours"))
    assert [(literal.text, value) for literal, value, _ in found] == [("0.5", "0.0"), ("2", "0")]


@pytest.mark.parametrize(
    ("text", "placed"), [("summed up", ["sum"]), ("averaged", ["mean"]), ("summed instead of averaged", ["sum"]), ("some owls", [])]
)
def test_what_a_reduction_does(text: str, placed: list[str]) -> None:
    code = "loss = Loss(reduction='none', kind='mean')"
    assert [m.value for m, _, _ in place_words(literals_of(ast.parse(code), code), read_request(text))] == placed


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("is it among owl, wren and hawk?", ["'owl', 'wren', 'hawk'"]),
        ("the birds RAVEN and FINCH", ["'RAVEN', 'FINCH'"]),
        ("EAGLE and FINCH", ["'EAGLE', 'FINCH'"]),  # one of those that are shown
        ("RAVEN and FINCH", []),
    ],
)
def test_lists_of_words_that_are_not_quoted(text: str, placed: list[str]) -> None:
    code = "see(birds=['EAGLE', 'DOVE'])"
    request = read_request(text)
    found = place_texts(literals_of(ast.parse(code), code), request, Surroundings(request))
    assert [", ".join(repr(m.value) for m in run) for _, run in found] == placed


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("switch from plain-pie to plum-pie", [("plain-pie", "'plum-pie'")]),
        ("change the pie from 'plain-pie' to 'plum-pie'", [("plain-pie", "'plum-pie'")]),
        ("a pie from plain-pie to plum-pie", []),
        ("on a GPU", [("cpu", "'cuda'")]),
        ("on cuda:1", [("cpu", "'cuda:1'")]),
    ],
)
def test_what_is_changed_and_what_runs_it(text: str, placed: list[tuple[str, str]]) -> None:
    code = "bake('plain-pie', device='cpu')"
    literals, request = literals_of(ast.parse(code), code), read_request(text)
    found = [*place_changed(literals, request), *place_devices(literals, request)]
    assert [(literal.text, new) for literal, new, _ in found] == placed
