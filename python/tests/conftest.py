"""What several tests need."""

import os

import pytest


@pytest.fixture
def program():
    """The program: `cargo xtask test` says where it is."""
    if "ANDOR_PROGRAM" not in os.environ:
        pytest.skip("ANDOR_PROGRAM names no program; `cargo xtask test` builds it")
    return os.environ["ANDOR_PROGRAM"]
