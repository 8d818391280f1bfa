"""The API's reference in a browser: short, searched as one types, and each address has a link that opens it."""

from playwright.sync_api import expect

AGREEMENT = "#projects_agreement_retrieve"


def test_the_reference_is_short_and_its_search_leaves_what_matches(open_page, researcher, assert_accessible):
    page = open_page("/api-reference/", by=researcher)
    assert page.evaluate("document.documentElement.scrollHeight") < 3 * 900
    page.keyboard.press("/")
    expect(page.locator("#api-find")).to_be_focused()
    page.keyboard.type("kappa")
    left = page.locator(".api-operation:visible")
    expect(page.get_by_role("status")).to_contain_text("/")
    assert 0 < left.count() < 10
    assert "agreement" in " ".join(left.locator("summary").all_inner_texts())
    page.keyboard.type(" % '")
    expect(left).to_have_count(0)
    expect(page.get_by_role("status")).to_have_text("No address matches.")
    page.locator("#api-find").fill("")
    expect(left.first).to_be_visible()
    assert_accessible(page)


def test_a_link_to_an_address_opens_it(open_page, researcher):
    page = open_page(f"/api-reference/{AGREEMENT}", by=researcher)
    details = page.locator(AGREEMENT)
    expect(details).to_be_visible()
    expect(details).to_be_in_viewport()
    expect(page.locator(".api-details:visible")).to_have_count(1)


def test_an_address_opens_by_keyboard(open_page, researcher):
    page = open_page("/api-reference/", by=researcher)
    summary = page.locator(".api-operation > summary").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#projects_list table").first).to_be_visible()


def test_without_scripts_every_address_is_there_and_its_link_opens_it(open_page, researcher):
    page = open_page(f"/api-reference/{AGREEMENT}", by=researcher, java_script_enabled=False)
    expect(page.locator(AGREEMENT)).to_be_visible()
    expect(page.locator("#api-find")).to_be_hidden()
