"""Tests of networks: collected where the packages of requirements-neural.txt are installed, as in CI."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
