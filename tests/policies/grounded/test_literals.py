import ast
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.policies.grounded.edits import replace
from ml_agent.policies.grounded.kinds import same_family
from ml_agent.policies.grounded.literals import Literal, literals_of
from ml_agent.policies.grounded.request import Mention, read_request


def found(code: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(x.kind, x.text, x.names) for x in literals_of(ast.parse(code), code)]


def source(code: str) -> list[str]:
    return [code[x.start : x.end] for x in literals_of(ast.parse(code), code)]


def mention(text: str) -> Mention:
    (only,) = read_request(text).mentions
    return only


def test_literals_are_called_after_their_place() -> None:
    assert found("rate = 0.1\nplay('song.wav', speed=2)\nx.load('a')\n") == [
        ("number", "0.1", ("rate",)),
        ("string", "song.wav", ("play",)),
        ("number", "2", ("speed",)),
        ("string", "a", ("load",)),
    ]


def test_shapes_are_one_literal() -> None:
    assert found("x = torch.randn(1, 3, 64, 64)") == [("shape", "1,3,64,64", ("randn",))]
    assert found("x = pad(y, (1, 2))\nz = [0.5, -0.5]") == [("shape", "1,2", ("pad",)), ("shape", "0.5,-0.5", ("z",))]
    assert found("x = f(1, 2)") == [("number", "1", ("f",)), ("number", "2", ("f",))]
    assert source("x = torch.randn(1, 3,\n  64)") == ["1, 3,\n  64"]
    assert source("x = torch.randint(0, 10, (2, 5))") == ["10", "2, 5"]  # where the numbers begin is no value


@pytest.mark.parametrize(
    "code",
    [
        '"""docs 1"""\n',
        "import song\nfrom music import play\n",
        "f'{x} of 3'\n",
        "x = f'songs/{n:03d}.wav'\n",
        "print(f'a{1}')\n",
        "def f():\n    'docs'\n",
        "y = None\n",
        "x = {}\n",
        "x.y.z\n",
        "",
    ],
)
def test_what_is_left_alone(code: str) -> None:
    assert found(code) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("é = 'ü'; 模型 = play('音楽', 'ö', t=2)", ["'ü'", "'音楽'", "'ö'", "2"]),
        ("if x:\n\ty = 'a'\x0c\n\x0c\nz = 3", ["'a'", "3"]),
        ("x = '''a\nb'''; y = 2", ["'''a\nb'''", "2"]),
        ("x = ('a'\n  'b')", ["'a'\n  'b'"]),
        ("x = r'\\d'; y = b'z'; z = u'q'", ["r'\\d'", "u'q'"]),
        ("# é\nf('é'  # ü\n  , 1_000)", ["'é'", "1_000"]),
        ("x = 'a'\r\ny = 'b'\r\n", ["'a'", "'b'"]),
        ("x = 'a'\ry = 'é', 2\r", ["'a'", "'é'", "2"]),
        ("x = '\u2028'; y = 'a'", ["'\u2028'", "'a'"]),
    ],
)
def test_offsets_are_those_of_the_literal(code: str, expected: list[str]) -> None:
    assert source(code) == expected


def test_replacing_keeps_everything_else() -> None:
    code = "é = load('ü.wav')  # 'ü.wav'\nplay(é,   speed = 2)\n"
    literals = literals_of(ast.parse(code), code)
    assert replace(code, [(literals[0], "'night.wav'"), (literals[1], "30")]) == "é = load('night.wav')  # 'ü.wav'\nplay(é,   speed = 30)\n"
    assert replace(code, []) == code


_NAME = st.sampled_from(["a", "é", "名", "x1"])
_STRING = st.text(max_size=8).filter(lambda s: not any("\ud800" <= c <= "\udfff" for c in s))
_VALUE = st.one_of(
    _STRING.map(repr), st.integers(0, 10**6).map(str), st.floats(0, 1).map(repr), st.just("(1, 2)"), st.just("f'{a} é'"), st.just("None")
)
_BLANK = st.sampled_from(["", " ", "  ", " # é 'x'"])


@st.composite
def sources(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        name, value, blank = draw(_NAME), draw(_VALUE), draw(_BLANK)
        lines.append(
            draw(
                st.sampled_from([f"{name} = {value}", f"{name}({value}, k={value})", f"{name} = [{value},\n\t {value}]", "\x0c", "'docs'"])
            )
            + blank
        )
    return "\n".join(lines)


@given(sources(), st.data())
@settings(max_examples=150, deadline=None)
def test_any_source_keeps_everything_else(code: str, data: st.DataObject) -> None:
    tree = ast.parse(code)
    literals = literals_of(tree, code)
    for before, after in pairwise(literals):
        assert before.end <= after.start
    for literal in literals:
        text = code[literal.start : literal.end]
        value = ast.literal_eval(f"({text},)" if literal.kind == "shape" else f"({text})")
        assert literal.kind == "shape" or str(value) == literal.text
    assert replace(code, [(x, code[x.start : x.end]) for x in literals]) == code
    chosen = data.draw(st.lists(st.sampled_from(literals), unique=True) if literals else st.just([]))
    changed = replace(code, [(x, x.render("(7, 8)" if x.kind == "shape" else "9" if x.kind == "number" else "é'\"\n")) for x in chosen])
    pieces, end = [], 0
    for literal in sorted(chosen, key=lambda x: x.start):
        pieces.append(code[end : literal.start])
        end = literal.end
    at = 0
    for piece in [*pieces, code[end:]]:
        assert piece in changed[at:]
        at = changed.index(piece, at) + len(piece)
    compile(changed, "x", "exec")


def literal(kind: str, text: str) -> Literal:
    return Literal(kind, text, 0, 0, ())


def test_values_of_a_kind_suit() -> None:
    wav, path, word, prompt = (
        literal("string", "a.wav"),
        literal("string", "data/x"),
        literal("string", "cartpole"),
        literal("string", "a sad song"),
    )
    assert wav.suits(mention("`b.flac`")) == 1.0
    assert wav.suits(mention("`b.png`")) == 0.0
    assert wav.suits(mention("`c`")) == 0.0
    assert path.suits(mention("/e/f")) > word.suits(mention("/e/f"))
    assert prompt.suits(mention("'two glad songs'")) > word.suits(mention("'two glad songs'"))
    assert word.suits(mention("`cartpole2`")) > 0.8 > word.suits(mention("`pong`"))
    number, shape = literal("number", "2"), literal("shape", "1,2,3")
    assert number.suits(mention("7")) > 0
    assert shape.suits(mention("(7, 8, 9)")) == 1.0
    assert shape.suits(mention("(7, 8)")) == 0.0
    for one, other in ((number, "'x'"), (number, "(1, 2)"), (shape, "7"), (word, "7"), (word, "(1, 2)")):
        assert one.suits(mention(other)) == 0.0


@pytest.mark.parametrize("value", ["it's", 'say "so"', "'); import os; ('", "line\nbreak", "\\", "é", "{x}", ""])
def test_a_string_is_written_as_that_string(value: str) -> None:
    assert ast.literal_eval(literal("string", "x").render(value)) == value


def test_shapes_and_numbers_are_written_bare() -> None:
    assert literal("shape", "1,2").render("(3,4)") == "3, 4"
    assert literal("shape", "1,2").render("[3, 4,]") == "3, 4"
    assert literal("number", "1").render("1e-5") == "1e-5"


def test_one_family_of_names() -> None:
    assert same_family("Fern-B/32", "fern-L/14")
    assert not same_family("Fern-B/32", "Moss-L/14")
    assert not same_family("fern", "fern")


def test_attributes_and_keys_name_what_is_assigned_to_them() -> None:
    assert found("c.size = 3\nc['rate'] = 0.5\nd = {'depth': 4, k: 2}\n") == [
        ("number", "3", ("size",)),
        ("number", "0.5", ("rate",)),
        ("number", "4", ("depth",)),
        ("number", "2", ("d",)),
    ]


def test_keys_stay_and_an_index_may_be_asked_for() -> None:
    assert found("x = jars['plum'](1)\ny = rows[7]\n") == [("number", "1", ()), ("number", "7", ("index",))]


@pytest.mark.parametrize(
    ("code", "names_model"),
    [
        ("make(model='plum')", True),
        ("load_model('plum')", True),
        ("load_model(name='plum')", True),
        ("load_model(folder='plum')", False),
        ("load_jar('plum')", False),
        ("load_model('plum.pt')", False),
        ("ask(model='two words')", False),
    ],
)
def test_places_of_the_name_of_a_model(code: str, names_model: bool) -> None:
    (only,) = literals_of(ast.parse(code), code)
    assert only.names_model is names_model


def test_positional_arguments_have_the_names_of_their_parameters() -> None:
    code = "bake('pie', 'hot', 30)\nbake(*x, 40)\n"
    literals = literals_of(ast.parse(code), code, {"bake": ("dish", "oven")})
    assert [(x.text, x.names) for x in literals] == [
        ("pie", ("dish", "bake")),
        ("hot", ("oven", "bake")),
        ("30", ("bake",)),
        ("40", ("bake",)),
    ]


def test_the_words_of_a_command_line_in_a_list_have_the_names_of_their_options() -> None:
    code = "sys.argv = ['bake', '--dish', 'pie', '--hot', '--minutes', '30']\n"
    literals = literals_of(ast.parse(code), code)
    assert [(x.text, x.names) for x in literals] == [("bake", ("argv",)), ("pie", ("dish",)), ("30", ("minutes",))]


def test_comments_are_read_with_what_they_stand_at() -> None:
    code = "# bakes 4 pies\nbake(\n    4,  # how many\n)\n\n# done\nx = '# no'\n\ny = 3\n"
    said = [(x.text, x.comment, x.above) for x in literals_of(ast.parse(code), code)]
    assert said == [("4", "how many", "bakes 4 pies"), ("# no", "", "done"), ("3", "", "")]


def test_what_is_printed_is_no_place() -> None:
    code = "print('a pie')\nbake('a pie')\n"
    printed, baked = literals_of(ast.parse(code), code)
    mention = read_request("bake 'a large tart'").mentions[0]
    assert (printed.suits(mention), baked.suits(mention)) == (0.0, 0.7)


def test_a_file_of_an_unknown_kind_takes_the_place_of_its_like() -> None:
    code = "read('a.crumb')\n"
    (literal,) = literals_of(ast.parse(code), code)
    like, other = read_request("read `b/rye.crumb` and `b/rye.loaf`").mentions
    assert literal.suits(like) == 1.0
    assert literal.suits(other) < 0.5


def test_names_on_a_hub_go_where_such_names_are_taken() -> None:
    code = "a = Net.from_pretrained('net')\nb = run('net')\n"
    hub, run = literals_of(ast.parse(code), code)
    (mention,) = read_request("start from crumbs/rye-base").mentions
    assert hub.suits(mention) > 0.5 > run.suits(mention)


def test_a_float_stays_one() -> None:
    (literal,) = literals_of(ast.parse("bake(heat=2.5)"), "bake(heat=2.5)")
    assert [literal.render(v) for v in ("3", "3.5", "1e-3")] == ["3.0", "3.5", "1e-3"]
    (literal,) = literals_of(ast.parse("bake(heat=2)"), "bake(heat=2)")
    assert literal.render("3") == "3"


def test_names_of_one_scheme_and_documents() -> None:
    assert same_family("SlowOven-v0", "gas/HotPlate-Big-v3")
    assert not same_family("SlowOven-v0", "HotPlate3")
    code = f"bake({'plum ' * 30!r})"
    (literal,) = literals_of(ast.parse(code), code)
    assert literal.suits(mention("bake the SlowOven2")) == 0.0
    assert literal.suits(mention("bake 'a sour plum'")) > 0.0


def test_a_number_with_its_sign_is_one() -> None:
    code = "x = f(dim=-1, size=2)"
    found = literals_of(ast.parse(code), code)
    assert [(x.text, code[x.start : x.end]) for x in found] == [("-1", "-1"), ("2", "2")]
    (fourteen,) = read_request("with 14").mentions
    assert found[0].suits(fourteen) < found[1].suits(fourteen)


def test_a_key_is_asked_for_in_a_table_that_is_imported() -> None:
    assert found("from kitchen import pans\npans['wok-2'](x['eval'])") == [("string", "wok-2", ("pans",))]


def test_a_number_that_is_computed_with_is_no_place() -> None:
    assert source("x = image / 255\ny = f(3) * 2\nz = 4 * 2") == ["3", "4", "2"]


@pytest.mark.parametrize(
    ("name", "words", "part"),
    [("log2_size", "2^17", "17"), ("log2_size", "2**9", "9"), ("log10_size", "2^17", None), ("size", "2^17", None)],
)
def test_the_exponent_for_a_logarithm(name: str, words: str, part: str | None) -> None:
    (literal,) = literals_of(ast.parse(f"f({name}=3)"), f"f({name}=3)")
    assert literal.part_of(read_request(words).mentions[0]) == part


def test_a_text_that_is_filled_in_is_one_place() -> None:
    code = "load('owl%d.pkl' % 3)"
    (literal,) = literals_of(ast.parse(code), code)
    assert replace(code, [(literal, repr("x.pkl"))]) == "load('x.pkl')"
