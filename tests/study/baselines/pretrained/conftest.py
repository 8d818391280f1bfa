"""Tests of pre-trained weights: collected where the packages of requirements-neural.txt are installed, as in CI."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.study.baselines.pretrained.folders import ARCHITECTURES, folder_of

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a folder of small weights of each architecture."""
    place = tmp_path_factory.mktemp("weights")
    return {model_type: folder_of(model_type, place / model_type) for model_type in ARCHITECTURES}
