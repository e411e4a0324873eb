"""Output held within a fixed number of bytes."""

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.sandbox.output import CappedOutput


def fill(data: bytes, limit: int, step: int) -> CappedOutput:
    output = CappedOutput(limit)
    for start in range(0, len(data), step):
        output.add(data[start : start + step])
    return output


@given(st.binary(max_size=300), st.integers(2, 100), st.integers(1, 40))
def test_parts_do_not_matter(data: bytes, limit: int, step: int) -> None:
    output = fill(data, limit, step)
    assert output.text() == fill(data, limit, 1000).text()
    half = limit // 2
    assert output.dropped == max(0, len(data) - 2 * half)
    if not output.dropped:
        assert output.text() == data.decode("utf-8", errors="replace")


@given(st.text(max_size=200), st.integers(2, 100), st.integers(1, 40))
def test_a_cut_makes_no_rubbish_of_characters(text: str, limit: int, step: int) -> None:
    data = text.encode()
    output = fill(data, limit, step)
    shown = output.text()
    assert shown.count("\ufffd") == (text.count("\ufffd") if not output.dropped else shown.count("\ufffd"))
    if output.dropped:
        head, _, tail = shown.partition(f"\n[... {output.dropped} bytes dropped ...]\n")
        assert text.startswith(head)
        assert text.endswith(tail)


def test_memory_stays_flat() -> None:
    output = CappedOutput(1000)
    for _ in range(1000):
        output.add(b"x" * 65536)
        assert len(output._tail) + len(output._head) <= 1000 + 65536
    assert output.dropped == 1000 * 65536 - 1000
