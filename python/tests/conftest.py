"""What several tests need."""

import os

import pytest


@pytest.fixture
def program():
    """The program: `cargo xtask test` says where it is."""
    if "ANDOR_PROGRAM" not in os.environ:
        pytest.fail("ANDOR_PROGRAM names no program; `cargo xtask python` builds it and says where it is")
    return os.environ["ANDOR_PROGRAM"]
