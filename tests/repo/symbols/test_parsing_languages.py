"""One small file of each language: what it defines, calls and exports."""

from typing import NamedTuple

import pytest

from ml_agent.repo.symbols import parse_symbols


class Case(NamedTuple):
    text: str
    definitions: str
    """`kind name: doc`, separated by commas."""
    calls: str
    exported: tuple[str, ...] | None = None


CASES: dict[str, Case] = {
    "a.c": Case(
        """\
#define N 3
/* adds */
static int *add(int a) { return f(a); }
int proto(int a,
  int b);
typedef struct { int a; } Q;
int g;
""",
        "macro N, function add: adds, declaration proto, type Q, variable g",
        "f",
    ),
    "a.cpp": Case(
        """\
// Adds.
template <typename T>
T add(T a) { return a; }
class Net : public Base {
 public:
  Net(int x);
  void forward() const { go(); }
  int field;
};
void Net::later(int a) { ns::other(a); p->run(); make<Foo>(1); }
namespace ns { enum class E { A }; }
""",
        ("function add: Adds., class Net, method Net.Net, method Net.forward, field Net.field, method Net.later, namespace ns, enum ns.E"),
        "go, other, run, make",
    ),
    "a.cu": Case(
        """\
__global__ void add(const float* __restrict__ a) {}
__launch_bounds__(256) __global__ void k(int n) {}
void launch() { add<<<grid, block, 0, stream>>>(a); }
""",
        "function add, function k, function launch",
        "add",
    ),
    "A.java": Case(
        """\
/** Doc.
 * More. */
public class Net extends Base {
  private int f = 1;
  public Net(int x) { go(); }
  int fwd() { new Q(); return 1; }
  enum E { A }
  interface J { void m(); }
  record R(int a) {}
}
""",
        (
            "class Net: Doc. More., field Net.f, constructor Net.Net, method Net.fwd, enum Net.E, constant Net.E.A, "
            "interface Net.J, method Net.J.m, record Net.R"
        ),
        "go, Q",
    ),
    "a.js": Case(
        """\
class A extends B {
  m() { return this.n(1); }
  static s = () => 2;
}
function f() { new A(); }
const g = async () => 1;
const K = 1;
exports.f = f;
module.exports = { A, g: f };
other.exports = { h: 1 };
""",
        "class A, method A.m, method A.s, function f, function g, constant K",
        "n, A",
        ("f", "A", "g"),
    ),
    "a.ts": Case(
        """\
// the net
export class Net extends Base implements I<T> {
  f: number = 1;
  fwd(x: Foo): void { this.run(); }
}
export default function main(a: string) {}
export const a = (x) => x, b = 1;
interface I { m(): void }
type T = string;
enum E { A }
namespace N { export function q() {} }
export { c as cc } from './x';
""",
        (
            "class Net: the net, field Net.f, method Net.fwd, function main, function a, variable b, interface I, "
            "method I.m, type T, enum E, namespace N, function N.q"
        ),
        "run",
        ("Net", "main", "a", "b", "cc"),
    ),
    "a.tsx": Case(
        """\
export const App = () => <Foo a={f()}/>;
""",
        "function App",
        "f",
        ("App",),
    ),
    "a.go": Case(
        """\
package p
// Net is.
type Net struct { a int }
type I interface { F() }
func (n *Net) Forward(x int) int { n.next(); fmt.Println(); return 1 }
func g[T any](x T) {}
const C = 1
var V, W = 1, 2
""",
        ("struct Net: Net is., interface I, method I.F, method Net.Forward, function g, constant C, variable V, variable W"),
        "next, Println",
    ),
    "a.rs": Case(
        """\
/// Doc.
#[derive(Debug)]
pub struct Net<T> { a: i32 }
impl<T> Trait for Net<T> { pub fn fwd(&self) { self.go(); a::b(2); println!("x"); } }
trait T { fn f(&self); }
mod m { pub const C: i32 = 1; }
macro_rules! mm { () => {} }
""",
        "struct Net: Doc., impl Net, method Net.fwd, trait T, method T.f, namespace m, constant m.C, macro mm",
        "go, b, println",
        ("Net",),
    ),
    "a.jl": Case(
        '''\
module M
export f, Net
"""
Doc.

More.
"""
struct Net{T} <: Base
  a::Int
end
# about f
function f(x::Int; k=1)::Int
   g(x)
   N.h(x)
end
f2(x) = x + 1
Base.show(io, x) = 1
const C = 3
macro m(x) end
end
''',
        ("namespace M, struct M.Net: Doc., function M.f: about f, function M.f2, function M.show, constant M.C, macro M.m"),
        "g, h",
        ("f", "Net"),
    ),
    "a.sh": Case(
        """\
#!/bin/bash
A=1
export B=2
# does f
# well
f() { g x; }
function h { C=3; }
f
./x.sh a
""",
        "variable A, variable B, function f: does f well, function h",
        "g, f, ./x.sh",
    ),
    "a.yaml": Case(
        """\
a: 1
# about b
b:
  c: [1,2]
  "d e": {f: 1}
  l:
    - g: 1
""",
        "key a, key b: about b, key b.c, key b.d e, key b.d e.f, key b.l, key b.l.g",
        "",
    ),
    "a.toml": Case(
        """\
a = 1
[x.y]
b.c = "s"
[[arr]]
d = {e = 1}
""",
        "key a, table x.y, key x.y.b.c, table arr, key arr.d, key arr.d.e",
        "",
    ),
    "a.json": Case(
        """\
{"a": {"b": [ {"c": 1} ]}}""",
        "key a, key a.b, key a.b.c",
        "",
    ),
}


@pytest.mark.parametrize("path", CASES)
def test_language(path: str) -> None:
    text, definitions, calls, exported = CASES[path]
    symbols = parse_symbols(path, text)
    assert ", ".join(f"{d.kind} {d.qualified}" + (f": {d.doc}" if d.doc else "") for d in symbols.definitions) == definitions
    assert ", ".join(symbols.calls) == calls
    assert symbols.exported == exported
    assert symbols.problems == ()


def test_signatures_of_several_lines() -> None:
    found = {d.name: d.signature for d in parse_symbols("a.c", CASES["a.c"][0]).definitions}
    assert found["add"] == "static int *add(int a)"
    assert found["proto"] == "int proto(int a, int b)"
    assert parse_symbols("a.jl", "function f(x,\n  y)\n  g(x)\nend\n").definitions[0].signature == "function f(x, y)"
    assert parse_symbols("a.c", "typedef struct {\n  int a;\n} Long;\n").definitions[0].signature == "typedef struct ... Long"


def test_the_last_line_of_a_definition() -> None:
    """Some grammars count the line end to the node."""
    assert [(d.line, d.end_line) for d in parse_symbols("a.c", "#define A 1\n#define B 2\n").definitions] == [(1, 1), (2, 2)]
    assert [(d.line, d.end_line) for d in parse_symbols("a.toml", "[a]\nb = 1\n[c]\nd = 1\n").definitions if d.kind == "table"] == [
        (1, 2),
        (3, 4),
    ]


def test_uses_of_types() -> None:
    assert parse_symbols("a.cpp", "struct P { Q q; };\nP f(R r);\n").uses == {"Q": (1,), "P": (2,), "R": (2,)}
    assert parse_symbols("a.tsx", "const A = () => <Foo><Bar/></Foo>;\n").uses == {"Foo": (1,), "Bar": (1,)}


def test_a_comment_explains_what_begins_below_it_alone() -> None:
    assert [d.doc for d in parse_symbols("a.cpp", "// the point\nstruct P { int x; };\n").definitions] == ["the point", ""]
