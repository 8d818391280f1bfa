"""The story of the product, as people experience it: import, two blind annotators, a lost connection, agreement, a
release.

The whole product runs as `bin/start` runs it, with its worker; everything happens in a browser.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.rating import press
from tests.browser.story import StoryPerson, house
from tests.live_server import LiveServer

__all__ = ["house"]

PAIRS = 8
GOOD = [f"提问{number}怎么办？\t回复{number}，试试看。" for number in range(1, PAIRS + 1)]
BAD = ["没有制表符的一行", "只有提问\t", "\t只有回复"]
FIRST = (["4"], ["5", "d"])  # the first annotator's grades: 4 for even responses, 5 (opens a new topic) for odd ones
ONE_NONSENSE = ["1", "a"]
DISPUTED = {2, 3}  # responses that the second annotator grades as nonsense
SAVED = re.compile(r"Saved at \d\d:\d\d:\d\d")


def test_from_a_file_to_a_release(
    house: LiveServer, chromium: Browser, tmp_path: Path, assert_accessible: Callable[[Page], None]
) -> None:
    researcher = StoryPerson(chromium, house)
    researcher.sign_in("rui", house.make_user("rui", "researcher"))
    make_a_project(researcher.page)
    import_with_three_bad_rows(researcher.page, tmp_path, assert_accessible)
    first, second = (accept(StoryPerson(chromium, house), invite(researcher.page), name) for name in ("an", "bo"))

    rate_all(first.page)
    rate_through_a_lost_connection(second)

    researcher.page.goto("/projects/forum/")
    assert [line.inner_text() for line in researcher.page.locator(".funnel > li .n").all()][-3:] == ["8", "−2", "6"]
    assert_accessible(researcher.page)
    researcher.page.goto("/projects/forum/agreement/")
    expect(researcher.page.get_by_role("row", name=re.compile("^same grade"))).to_contain_text(".750")
    assert_accessible(researcher.page)

    check_release(*freeze_and_download(researcher.page, assert_accessible))
    assert [*researcher.complaints(), *first.complaints(), *second.complaints()] == []


def make_a_project(page: Page) -> None:
    page.get_by_role("link", name="New project").or_(page.get_by_role("link", name="Create a project")).first.click()
    page.get_by_label("Title").fill("Forum")
    expect(page.get_by_label("Short name")).to_have_attribute("placeholder", "forum")
    page.get_by_role("button", name="Create project").click()
    page.goto("/projects/forum/import/")


def import_with_three_bad_rows(page: Page, folder: Path, assert_accessible: Callable[[Page], None]) -> None:
    file = folder / "pairs.tsv"
    file.write_text("\n".join([*GOOD[:4], *BAD, *GOOD[4:]]) + "\n", encoding="utf-8")
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Preview file").click()
    store = page.get_by_role("button", name="Import the 8 good rows")
    expect(store).to_be_visible()
    for line in ("5", "6", "7"):
        expect(page.get_by_role("cell", name=line, exact=True).first).to_be_visible()
    assert_accessible(page)
    store.click()
    expect(page.get_by_text("8 pairs are stored")).to_be_visible()
    page.get_by_role("link", name="Go to the board").click()
    expect(page.get_by_role("heading", name="Board")).to_be_visible()


def invite(page: Page) -> str:
    page.goto("/projects/forum/people/")
    page.get_by_role("link", name="Invite by link").click()
    page.get_by_role("button", name="Create link").click()
    return page.locator("#new-link-1").inner_text()


def accept(person: StoryPerson, link: str, name: str) -> StoryPerson:
    page = person.page
    page.goto(link)
    page.fill("[name=username]", name)
    page.fill("[name=name]", name)
    for field in page.locator("[type=password]").all():
        field.fill("correct horse battery")
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name=re.compile("rating", re.IGNORECASE)).first.click()
    expect(page.locator("[data-response]")).to_be_visible()
    page.wait_for_load_state()  # keys work once all of the page is there
    return person


def rate_all(page: Page) -> None:
    """Grade every pair by keyboard. Saved grades are still there after a reload."""
    for number in range(1, PAIRS + 1):
        response = response_on(page)
        press(page, *FIRST[response % 2])
        expect_next(page, number, response)
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.reload()
    expect(page.locator("[data-today]")).to_have_text(str(PAIRS))


def rate_through_a_lost_connection(person: StoryPerson) -> None:
    """Grade as the first annotator did, but for two responses, without a network from the second pair to the fourth."""
    page = person.page
    for number in range(1, PAIRS + 1):
        response = response_on(page)
        press(page, *(ONE_NONSENSE if response in DISPUTED else FIRST[response % 2]))
        expect_next(page, number, response)
        if number == 2:
            expect(page.locator("#saved")).to_have_text(SAVED)
            person.context.set_offline(True)
        if number == 4:
            expect(page.get_by_text("No connection")).to_be_visible()
            person.context.set_offline(False)
            expect(page.get_by_text("have arrived")).to_be_visible()
    expect(page.locator("#saved")).to_have_text(SAVED)
    page.reload()
    expect(page.locator("[data-today]")).to_have_text(str(PAIRS))


def expect_next(page: Page, number: int, response: int) -> None:
    """Wait for the pair after this response, the `number`th; near the end it comes with the server's answer."""
    expect(page.locator("[data-today]")).to_have_text(str(number))
    if number < PAIRS:
        expect(page.locator("[data-response]")).to_have_text(re.compile(f"回复(?!{response})"))


def response_on(page: Page) -> int:
    """Return the number of the response on the page."""
    found = re.search(r"回复(\d)", page.locator("[data-response]").inner_text())
    assert found
    return int(found[1])


def freeze_and_download(page: Page, assert_accessible: Callable[[Page], None]) -> tuple[Path, str]:
    """Return the zip of the frozen release, and the checksum its page shows."""
    page.goto("/projects/forum/releases/")
    assert_accessible(page)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Freeze release 1").click()
    expect(page).to_have_url(re.compile("/releases/1/$"))
    checksum = page.locator("#checksum-text").inner_text()
    assert_accessible(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="jsonl").click()
    return download.value.path(), checksum


def check_release(archive: Path, checksum: str) -> None:
    with zipfile.ZipFile(archive) as files:
        names = {Path(name).name: name for name in files.namelist()}
        lines = b"".join(files.read(names[f"{split}.jsonl"]) for split in ("train", "dev", "test"))
    pairs = [json.loads(line) for line in lines.splitlines()]
    kept = sorted(GOOD[number - 1].split("\t")[0] for number in range(1, PAIRS + 1) if number not in DISPUTED)
    assert sorted(pair["prompt"] for pair in pairs) == kept
    assert all(pair["grades"] in ([4, 4], [5, 5]) and pair["raters"] == ["r1", "r2"] for pair in pairs)
    assert hashlib.sha256(lines).hexdigest() == checksum
