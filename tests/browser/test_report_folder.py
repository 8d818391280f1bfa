"""A report is opened from the disk, with no server and no network: it asks for files of its folder and nothing else."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from study.presenters.reports.shown import write_folder
from tests.browser.conftest import DESKTOP, RULES
from tests.study.report_cases import frozen, reported_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path, researcher):
    study = reported_study(researcher)
    write_folder(frozen(study, researcher), tmp_path / "report")
    return tmp_path / "report"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_the_page_opens_without_a_server(chromium: Browser, folder, scheme, width):
    context = chromium.new_context(viewport={**DESKTOP, "width": width}, color_scheme=scheme, offline=True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.goto(folder.joinpath("index.html").as_uri())
    assert page.title() == "Report 1 · Next turn, summer: 9 people and 2 models on 8 questions"
    assert page.locator("h1").inner_text() == "Next turn, summer: 9 people and 2 models on 8 questions"
    assert page.locator("#table-people-and-models tbody tr").count() > 6
    assert page.locator("section").count() == 9
    image = page.locator("figure img").first
    assert image.evaluate("image => image.complete && image.naturalWidth > 100")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "Colloquy Serif" in page.locator("h1").evaluate("head => getComputedStyle(head).fontFamily")
    assert page.evaluate("document.fonts.check('16px \"Colloquy Serif\"')")
    inside = folder.as_uri() + "/"
    assert any(url.endswith(".woff2") for url in asked)
    assert [url for url in asked if not url.startswith((inside, "data:"))] == []
    assert said == []
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    assert found.violations_count == 0, found.generate_report()
    linked = page.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert [name for name in linked if not name.startswith("#") and not (folder / name).is_file()] == []
    context.close()


def test_paper_shows_the_text_black_on_white_without_what_is_for_a_screen(chromium: Browser, folder):
    context = chromium.new_context(color_scheme="dark", offline=True)
    page = context.new_page()
    page.goto(folder.joinpath("index.html").as_uri())
    page.emulate_media(media="print")
    assert page.locator("h1").evaluate("head => getComputedStyle(head).color") == "rgb(0, 0, 0)"
    assert not page.locator(".report-toc").is_visible() and not page.locator(".noprint").first.is_visible()
    assert page.locator("#checklist table").is_visible()
    context.close()
