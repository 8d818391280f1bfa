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


@pytest.mark.parametrize("device", [{}, {**PHONE, "locale": "zh-CN"}], ids=["wide", "phone"])
def test_prompt_and_settings_open_and_a_model_is_voided(compared, researcher, open_page, assert_accessible, device):
    prompt = "Grade how well the response goes on with the prompt, from 1 (bad) to 5 (excellent).\nOne pair at a time."
    compared.grading_models.filter(name="Qwen2.5-72B").update(settings={"temperature": "0", "prompt": prompt})
    compared.guidelines.create(number=2, content=compared.guidelines.get().content, created_by=researcher)
    page = open_page("/projects/weibo/agreement/", by=researcher, **device)
    expect(page.get_by_text("One pair at a time.")).to_be_hidden()
    page.locator("details.fold summary").click()
    expect(page.get_by_text("One pair at a time.")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("a[href$='/void/']").click()
    page.locator("textarea, input[name=why]").first.fill("wrong file")
    page.locator("form .button-main").click()
    expect(page.locator("#models")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Qwen2.5-72B")
