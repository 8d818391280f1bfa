"""Two people who send predictions under one label at the same moment."""

import pytest

from core.actions.refusals import Refused
from study.actions.runs.uploads import import_predictions
from study.models import Prediction, Run
from tests.study.instances import kitchen
from tests.study.results_cases import question_set
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def send(researcher, administrator, tmp_path):
    """Return a function that sends two files at once, one by each person, and returns the codes of refusals."""

    def send(on: str, ids: list[str]) -> list[str]:
        codes: list[str] = []

        def one(by, letters: str) -> None:
            path = tmp_path / f"{by.username}.txt"
            path.write_text("".join(f"{id}\t{letters}\n" for id in ids), encoding="utf-8")
            try:
                import_predictions(on=on, path=path, label="ours", by=by)
            except Refused as refused:
                codes.append(refused.code)

        at_once([lambda: one(researcher, "A\tB\tC\tD"), lambda: one(administrator, "D\tC\tB\tA")])
        return codes

    return send


def test_on_material_that_both_see_the_second_is_told(send, researcher):
    question_set(researcher, 4)
    assert send("drawn", ["q0", "q1", "q2", "q3"]) == ["label_taken"]
    assert (Run.objects.count(), Prediction.objects.count()) == (1, 4)


def test_on_a_corpus_each_has_a_run_of_their_own_or_is_told(send, researcher):
    kitchen(researcher, dev=4)
    codes = send("kitchen:dev", ["d0", "d1", "d2", "d3"])
    assert codes in ([], ["label_taken"])
    runs = Run.objects.all()
    assert len(runs) == 2 - len(codes)
    assert Prediction.objects.count() == 4 * len(runs)
