"""The frames that output comes in. Scripts are run in a container only, by the other tests: they end with `kill -9 -1`."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ml_agent.sandbox.docker_exec import Frames

_FRAME = st.tuples(st.sampled_from([1, 2]), st.binary(max_size=30))


@given(st.lists(_FRAME, max_size=10), st.lists(st.integers(0, 400), max_size=12))
def test_frames_may_be_cut_anywhere(frames: list[tuple[int, bytes]], cuts: list[int]) -> None:
    stream = b"".join(bytes([kind, 0, 0, 0]) + len(data).to_bytes(4, "big") + data for kind, data in frames)
    places = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    reader, got = Frames(), {1: b"", 2: b""}
    for start, end in itertools.pairwise(places):
        for kind, part in reader.split(stream[start:end]):
            got[kind] += part
    assert got == {kind: b"".join(data for known, data in frames if known == kind) for kind in (1, 2)}
