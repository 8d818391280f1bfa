"""The list of marked pairs and the switches of the rules, by keyboard and on a phone."""

from playwright.sync_api import expect

from annotation.domain.workflow import ItemState
from annotation.models import CleaningRule
from tests.browser.conftest import PHONE
from tests.browser.rating import wait_until
from tests.cleaning import marked_pairs

CONTACT = "加我微信 lin_2024x 一起去。"


def test_pairs_of_a_rule_are_chosen_and_removed_by_keyboard(open_page, project, inspector, assert_accessible):
    marked_pairs(project)
    page = open_page("/projects/weibo/cleaning/pairs/?rule=wechat", by=inspector)
    expect(page.locator("tbody mark")).to_have_text("微信 lin_2024x")
    expect(page.locator("tbody .badge-warn")).to_have_text("WeChat number")
    remove = page.get_by_role("button", name="Remove as sensitive…")
    expect(remove).to_be_disabled()
    page.locator("tbody input[name=row]").focus()
    page.keyboard.press("Space")
    assert_accessible(page)
    remove.press("Enter")
    page.get_by_label("Why").fill("adverts")
    page.get_by_role("button", name="Remove 1 pair").press("Enter")
    expect(page.get_by_text("1 pair was removed.")).to_be_visible()
    assert project.items.get(state=ItemState.CLEANED).content["response"] == CONTACT


def test_rules_are_switched_on_a_phone_and_saved_once(open_page, project, researcher, assert_accessible):
    marked_pairs(project)
    page = open_page("/projects/weibo/cleaning/", by=researcher, **PHONE)
    assert_accessible(page)
    for name in ("In use: Weather", "In use: WeChat number"):
        switch = page.get_by_role("switch", name=name, exact=True)
        expect(switch).to_be_checked()
        switch.tap()
        expect(switch).not_to_be_checked()
    assert not CleaningRule.objects.exists()
    page.get_by_role("button", name="Save which rules are in use").tap()
    wait_until(page, lambda: set(CleaningRule.objects.values_list("key", "is_on")) == {("weather", 0), ("wechat", 0)})
