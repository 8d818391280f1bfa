"""A project is duplicated and the first one deleted: by keyboard, and on a phone."""

from playwright.sync_api import Page, expect

from annotation.models import Project
from tests import factories

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def press_on(page: Page, role: str, name: str) -> None:
    """Reach a link or button of the page's content by Tab, and press Enter."""
    wanted = page.locator("main").get_by_role(role, name=name, exact=True)
    expect(wanted).to_be_visible()
    for _stop in range(200):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    page.keyboard.press("Enter")


def test_a_project_is_duplicated_and_deleted_by_keyboard(open_page, project, researcher, assert_accessible):
    page = open_page(f"/projects/{project.slug}/settings/", by=researcher)
    press_on(page, "link", "Duplicate")
    expect(page.get_by_role("heading", level=1)).to_have_text("Duplicate the project")
    assert_accessible(page)
    page.get_by_label("Title").fill("Weibo again")
    press_on(page, "button", "Create project")
    expect(page.get_by_role("status").or_(page.locator(".notice")).first).to_be_visible()
    copy = Project.objects.exclude(pk=project.pk).get()
    assert (copy.title, copy.slug) == ("Weibo again", f"{project.slug}-2")
    page.goto(f"/projects/{project.slug}/settings/")
    press_on(page, "link", "Delete")
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete the project")
    assert_accessible(page)
    press_on(page, "button", "Delete for good")
    expect(page.get_by_role("link", name="Weibo again").first).to_be_visible()
    assert list(Project.objects.all()) == [copy]


def test_on_a_phone_what_holds_a_project_is_read_and_it_is_archived(open_page, project, researcher, annotator):
    factories.pairs(project, 3)
    factories.grade_next(project, annotator, 4)
    page = open_page(f"/projects/{project.slug}/settings/", by=researcher, **PHONE)
    delete = page.locator("#away").get_by_role("link", name="Delete")
    delete.scroll_into_view_if_needed()
    assert delete.bounding_box()["height"] >= 44
    delete.tap()
    expect(page.locator(".notice-warn li")).to_have_text("1 piece of people's work")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("main").get_by_role("link", name="Archive", exact=True).tap()
    page.locator("main").get_by_role("button", name="Archive the project").tap()
    expect(page.get_by_text("The project is archived.").first).to_be_visible()
    assert Project.objects.get(pk=project.pk).archived_at
