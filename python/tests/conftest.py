"""What several tests need."""

import os

import pytest


@pytest.fixture
def program():
    """The program: `cargo xtask test` says where it is."""
    if "ANDOR_PROGRAM" not in os.environ:
        pytest.fail("ANDOR_PROGRAM names no program; `cargo xtask python` builds it and says where it is")
    return os.environ["ANDOR_PROGRAM"]


@pytest.fixture(scope="module")
def nodes():
    """A cluster of two machines with one processor each, beside that of the drivers."""
    import ray
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 200, "health_check_failure_threshold": 5}
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": quick})
    for _ in range(2):
        nodes.add_node(num_cpus=1)
    os.environ["RAY_ADDRESS"] = nodes.address
    yield nodes
    del os.environ["RAY_ADDRESS"]
    ray.shutdown()
    nodes.shutdown()
