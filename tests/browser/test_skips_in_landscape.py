"""Skipping and undoing it on a phone that lies on its side: every reason can be touched, and each step is told."""

import pytest
from playwright.sync_api import expect

from tests.annotation.views.test_skips import STEPS

LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
MAY_BE_TOUCHED = """element => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && element.contains(found);
}"""


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_skip_is_chosen_and_undone_on_a_low_window(step, researcher, tmp_path, open_page):
    given = step(researcher, tmp_path)
    page = open_page(given.address, by=given.person, **LANDSCAPE)
    page.wait_for_load_state()
    page.locator("#skip summary").tap()
    reasons = page.locator("#skip .skip-reasons button")
    expect(reasons.first).to_be_in_viewport(ratio=1)
    assert [reason.evaluate(MAY_BE_TOUCHED) for reason in reasons.all()] == [True] * reasons.count()
    reasons.last.tap()
    left = page.get_by_role("status").filter(has_text="eft to others")
    expect(left).to_be_visible()
    page.wait_for_load_state()
    page.get_by_role("button", name="Undo").first.tap()
    expect(page.locator("#skip")).to_be_visible()
    expect(left).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
