import pytest

from ml_agent.errors import UsageError
from ml_agent.sandbox.docker_gpus import gpu_request


def test_what_the_engine_is_asked_for() -> None:
    assert gpu_request(None) is None
    for asked, count, ids in (("all", -1, []), ("2", 2, []), ("device=0,GPU-1a", 0, ["0", "GPU-1a"])):
        request = gpu_request(asked)
        assert request is not None
        assert (request["Count"], request["DeviceIDs"], request["Capabilities"]) == (count, ids, [["gpu"]])


@pytest.mark.parametrize("asked", ["", "0", "-1", "some", "device=", "device=0,", "1.5", "²"])
def test_what_names_no_gpus(asked: str) -> None:
    with pytest.raises(UsageError, match="give all, a number, or device=0,1"):
        gpu_request(asked)
