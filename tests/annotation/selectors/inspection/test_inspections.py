"""Inspectors' findings: their blind answers as a human baseline, and the agreement of two of them."""

import pytest

from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.selectors.inspection.inspections import inspection_report
from core.domain.statistics import wilson
from core.models import Role
from tests import factories
from tests.rewriting import answered, items, judge, rewriting_project, write

ACCEPT, RETURN, DISCARD = InspectionVerdict.ACCEPT, InspectionVerdict.RETURN, InspectionVerdict.DISCARD
# Of each text what two people answered blind (0 is right, None not decided) and judged.
TEXTS = [
    ((0, ACCEPT), (0, ACCEPT)),
    ((0, ACCEPT), (1, RETURN)),
    ((0, RETURN), (0, RETURN)),
    ((None, DISCARD), (2, DISCARD)),
    ((0, ACCEPT), (0, ACCEPT)),
    ((0, ACCEPT), (3, DISCARD)),
]


@pytest.fixture
def project(researcher):
    return rewriting_project(researcher, inspectors=2)


def inspected(project, texts) -> None:
    author = factories.person("an", project=project)
    people = [factories.person(name, Role.INSPECTOR, project=project) for name in ("ivo", "ida")]
    items(project, len(texts))
    for both in texts:
        write(project, author)
        for person, (answer, verdict) in zip(people, both, strict=True):
            judge(answered(project, person, answer), verdict)


def test_the_blind_answers_are_a_baseline_with_the_interval_of_people_and_texts(project):
    inspected(project, TEXTS)
    blind = inspection_report(project)["blind"]
    assert (blind["answers"], blind["right"], blind["undecided"]) == (11, 8, 1)
    assert blind["share"] == pytest.approx(8 / 12)
    # By people 5 and 3 of 6; by texts 2 1 2 0 2 1 of 2; p = 2/3, residuals 1/3 and -2/3.
    of_people = (1**2 + 1**2) / 144 * 2
    of_texts = ((2 / 3) ** 2 * 3 + (1 / 3) ** 2 * 2 + (4 / 3) ** 2) / 144 * 6 / 5
    of_answers = (8 * (1 / 3) ** 2 + 4 * (2 / 3) ** 2) / 144
    n_eff = (2 / 3) * (1 / 3) / (of_people + of_texts - of_answers)
    assert blind["share_ci"] == pytest.approx(wilson(2 / 3 * n_eff, n_eff, degrees=2 - 1))


def test_two_people_s_verdicts_have_a_kappa(project):
    inspected(project, TEXTS)
    found = inspection_report(project)["agreement"]
    assert (found["n"], found["percent"]) == (6, pytest.approx(4 / 6))
    # Fleiss: shares of the verdicts 6, 3 and 3 of 12.
    by_chance = (6 / 12) ** 2 + 2 * (3 / 12) ** 2
    assert found["kappa"] == pytest.approx((4 / 6 - by_chance) / (1 - by_chance))
    low, high = found["kappa_ci"]
    assert low < found["kappa"] < high


def test_what_cannot_be_said_says_why(project):
    nothing = inspection_report(project)
    assert (nothing["inspections"], nothing["blind"]["share"], nothing["agreement"]["n"]) == (0, None, 0)
    inspected(project, [((0, ACCEPT), (0, ACCEPT))])
    found = inspection_report(project)
    assert found["blind"]["share_why"] == "one_question"
    assert (found["agreement"]["percent"], found["agreement"]["kappa"]) == (1.0, None)
    assert found["agreement"]["kappa_why"] == "one_category"


def test_one_inspector_a_text_is_no_agreement(researcher):
    project = rewriting_project(researcher, "single")
    author, judge_ = factories.person("bo", project=project), factories.person("ui", Role.INSPECTOR, project=project)
    items(project, 2)
    for answer in (0, 1):
        write(project, author)
        judge(answered(project, judge_, answer), ACCEPT)
    found = inspection_report(project)
    assert found["agreement"]["n"] == 0
    assert found["blind"]["share"] == 0.5
    assert found["blind"]["share_why"] == "one_person"
