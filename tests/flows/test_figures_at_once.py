"""Processes that look at the same figure at once: one row, no error, the same figures for all."""

import os
from contextlib import ExitStack
from pathlib import Path

from tests.flows.driving import CommandDriver, a_clerk

PROCESSES, ROUNDS, PAIRS = 4, 5, 60


def all_at_once(clerks: list[CommandDriver], name: str, *arguments: object) -> list[object]:
    """Let all processes do the same; return what each of them answers."""
    for clerk in clerks:
        clerk.send(name, *arguments)
    return [clerk.answer(name) for clerk in clerks]


def test_processes_that_compute_a_figure_at_once_store_one_row(database_url: str, tmp_path: Path) -> None:
    own = {"DATABASE_URL": database_url, "DATA_DIR": str(tmp_path), "SECRET_KEY": "of this test alone"}
    environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    with ExitStack() as running:
        clerks = [running.enter_context(a_clerk(environment)) for _process in range(PROCESSES)]
        first = clerks[0]
        first.ask("hire", "weibo", 0, "", PAIRS)
        first.ask("rate", "weibo")
        for _round in range(ROUNDS):
            first.ask("forget_figures", "weibo")
            found = all_at_once(clerks, "agree", "weibo")
            assert found == [found[0]] * PROCESSES
            assert first.ask("figures", "weibo") == ["agreement"]
        assert found[0]["items"] == PAIRS  # type: ignore[index]
