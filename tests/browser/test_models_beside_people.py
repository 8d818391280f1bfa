"""Models beside people on the agreement page: another model by a click, and nothing wider than a phone."""

import pytest
from playwright.sync_api import expect

from annotation.models import Project
from tests import factories
from tests.browser.conftest import PHONE

FIRST = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
SECOND = [1, 2, 3, 4, 4, 2, 2, 3, 5, 5]


@pytest.fixture
def compared(project: Project, annotator, partner) -> Project:
    for item in factories.pairs(project, len(FIRST)):
        item.external_id = str(item.position)
        item.save()
    factories.grade_next(project, annotator, *FIRST)
    factories.grade_next(project, partner, *SECOND)
    factories.model_grades(project, "Qwen2.5-72B", *SECOND)
    factories.model_grades(project, "Zeta", *[6 - grade for grade in FIRST])
    return project


@pytest.mark.parametrize("device", [{}, {**PHONE, "locale": "zh-CN"}], ids=["wide", "phone"])
def test_each_model_is_compared_at_a_click(compared, researcher, open_page, assert_accessible, device):
    page = open_page("/projects/weibo/agreement/", by=researcher, **device)
    assert_accessible(page)
    expect(page.locator(".segments [aria-current]")).to_have_text("Qwen2.5-72B")
    page.get_by_role("link", name="Zeta").click()
    expect(page.locator(".segments [aria-current]")).to_have_text("Zeta")
    expect(page.locator(".finding")).to_contain_text("Zeta")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
