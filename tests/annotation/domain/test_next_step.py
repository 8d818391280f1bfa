"""The next step of a project, by what is done."""

from dataclasses import replace

import pytest

from annotation.domain.next_step import NextStep, ProjectFacts, next_step

IMPORTED = ProjectFacts(
    items=10,
    people_missing=0,
    is_scanned=True,
    has_begun=True,
    to_clean=0,
    gold_missing=0,
    open=10,
    disputed=0,
    has_kept=False,
    release=None,
)
DONE = replace(IMPORTED, open=0, has_kept=True, release=1)


@pytest.mark.parametrize(
    ("facts", "step"),
    [
        (replace(IMPORTED, items=0, open=0), NextStep.IMPORT),
        (replace(IMPORTED, people_missing=1, is_scanned=False, has_begun=False), NextStep.PEOPLE),
        (replace(IMPORTED, is_scanned=False, has_begun=False), NextStep.SCAN),
        (replace(IMPORTED, is_scanned=False), NextStep.WORK),
        (replace(IMPORTED, to_clean=3, gold_missing=1), NextStep.CLEAN),
        (replace(IMPORTED, gold_missing=1), NextStep.GOLD),
        (IMPORTED, NextStep.WORK),
        (replace(DONE, release=None, disputed=1), NextStep.AGREEMENT),
        (replace(DONE, release=None, has_kept=False), NextStep.AGREEMENT),
        (replace(DONE, release=None, people_missing=2, gold_missing=5), NextStep.RELEASE),
        (DONE, NextStep.READ_RELEASE),
    ],
)
def test_the_next_step_is_the_first_that_is_not_done(facts, step):
    assert next_step(facts) == step
