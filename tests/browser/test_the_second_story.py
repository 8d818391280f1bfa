"""The second half of the story, as people experience it: an instance is written and judged, a survey taken on a phone,
a model run, and people and the model compared on one page.

The whole product runs as `bin/start` runs it, with its worker; everything happens in a browser.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests import corpora
from tests.browser.conftest import PHONE
from tests.browser.rewriting import INSPECT, WRITE, write, write_all
from tests.browser.story import StoryPerson, house
from tests.dialogues import ANSWER, CANDIDATES, CHOICES, CUT, QUESTION, TURNS
from tests.live_server import LiveServer

__all__ = ["house"]
BOTS = 5  # take the survey before the participant, because one person alone has no interval
PER_FORM = 4
COMMENT = "With twelve people on their feet this fits as well."
REVISED = "Then let's ask the reading group to leave by two."
DRAFT_SAVED = re.compile(r"Draft saved at \d\d:\d\d:\d\d")
SAVED = re.compile(r"Saved at \d\d:\d\d:\d\d")
INTERVAL = re.compile(r"^\s*\d+\.\d–\d+\.\d\s*$")
TOPICS = [
    "heron",
    "ferry",
    "violin",
    "quarry",
    "orchard",
    "lantern",
    "glacier",
    "saddle",
    "harbour",
    "turbine",
    "meadow",
    "chimney",
]


def test_from_an_exam_item_to_people_and_a_model_on_one_page(
    house: LiveServer, chromium: Browser, tmp_path: Path, assert_accessible: Callable[[Page], None]
) -> None:
    researcher, author, inspector, participant = (
        StoryPerson(chromium, house, **options) for options in ({}, {}, {}, {**PHONE})
    )
    researcher.sign_in("rui", house.make_user("rui", "researcher"))
    import_an_exam_item(house, tmp_path)
    author.sign_in("an", house.make_user("an", "annotator", "--project", "dream"))
    inspector.sign_in("ivo", house.make_user("ivo", "inspector", "--project", "dream"))

    write_with_a_reload(author.page)
    answer_blind(inspector.page)
    return_for_revision(inspector.page)
    revise(author.page)
    answer_blind(inspector.page)
    accept(inspector.page)
    researcher.page.goto("/projects/dream/items/")
    expect(researcher.page.get_by_role("row", name=re.compile("accepted"))).to_have_count(1)

    link = open_a_study(house, tmp_path)
    house.manage("simulate_participants", "lines", "--people", str(BOTS), "--as", "rui", "--url", house.url)
    begin(participant.page, link)
    answer_through_a_reload_and_a_lost_connection(participant)
    finish(participant.page)

    close(researcher.page)
    run_a_model(researcher.page)
    compare(researcher.page, assert_accessible)
    people = (researcher, author, inspector, participant)
    assert [line for person in people for line in person.complaints()] == []


# ---- an instance ----------------------------------------------------------------------------------------------------


def import_an_exam_item(house: LiveServer, folder: Path) -> None:
    file = folder / "dream.json"
    asked = [{"question": QUESTION, "choice": CHOICES, "answer": CHOICES[ANSWER]}]
    file.write_text(json.dumps([[[f"{who}: {text}" for who, text in TURNS], asked, "4-1"]]), encoding="utf-8")
    house.manage("create_project", "dream", "--kind", "rewriting", "--as", "rui")
    house.manage("import_items", "dream", str(file), "--format", "dream", "--as", "rui")


def write_with_a_reload(page: Page) -> None:
    page.goto(WRITE)
    page.locator(f"[data-cut='{CUT}']").click()
    write_all(page)
    expect(page.locator("#saved")).to_have_text(DRAFT_SAVED)
    page.reload()
    for number, text in enumerate(CANDIDATES):
        expect(page.locator(f"#candidate-{number}")).to_have_value(text)
    expect(page.locator("[aria-pressed=true]")).to_contain_text(f"{CUT} turns of context")
    submit(page)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit for inspection").click()
    expect(page.get_by_role("heading", name="Nothing is left to write")).to_be_visible()


def answer_blind(page: Page) -> None:
    """Choose the right candidate, before the page shows that it is the key."""
    page.goto(INSPECT)
    expect(page.locator(".candidate")).to_have_count(len(CANDIDATES))
    expect(page.locator(".is-key")).to_have_count(0)
    page.locator(".candidate", has_text=CANDIDATES[0]).click()
    page.get_by_role("button", name="Answer and see the key").click()
    key = page.locator(".candidate.is-key")
    expect(key).to_contain_text(CANDIDATES[0])
    expect(key).to_contain_text("your answer")
    page.wait_for_load_state()


def return_for_revision(page: Page) -> None:
    row = page.locator(".candidate", has_text=CANDIDATES[2])
    row.get_by_role("button").click()
    row.get_by_role("textbox").fill(COMMENT)
    judge(page, is_correct="yes", is_unique="doubt", is_revisable="yes")
    page.get_by_role("button", name="Send back").click()
    expect(page.get_by_role("heading", name="Nothing is left to inspect")).to_be_visible()


def accept(page: Page) -> None:
    judge(page, is_correct="yes", is_unique="yes")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="Nothing is left to inspect")).to_be_visible()


def judge(page: Page, **verdict: str) -> None:
    for name, value in verdict.items():
        page.locator(f"[name={name}][value={value}]").check()


def revise(page: Page) -> None:
    page.goto(WRITE)
    expect(page.locator("[data-editor='2'] .sent-back")).to_contain_text(COMMENT)
    write(page, 2, REVISED)
    submit(page)


# ---- a survey -------------------------------------------------------------------------------------------------------


def open_a_study(house: LiveServer, folder: Path) -> str:
    """Return the link of an open study with two forms of four questions, drawn from a corpus of twelve
    stories a split.
    """
    rows = [story(topic, split) for split in ("train", "dev") for topic in TOPICS]
    path = corpora.jsonl_of(folder / "stories.jsonl", rows)
    for command in (
        ["import_corpus", "stories", str(path), "--format", "jsonl"],
        ["build_questions", "stories-q", "--from", "stories:dev", "--count", "8"],
        ["create_study", "lines", "--questions", "stories-q", "--forms", "2", "--per-form", str(PER_FORM)],
        ["open_study", "lines", "--reason", "Each story says the same of its own topic."],
    ):
        house.manage(*command, "--as", "rui")
    [link] = json.loads(house.manage("links", "lines", "--as", "rui", "--json"))["links"]
    return link["url"].partition("/take/")[2]


def story(topic: str, split: str) -> dict[str, object]:
    """Return a dialogue in which every turn names its topic, so that a reader finds the next one."""
    day = {"train": "Monday", "dev": "Friday"}[split]
    texts = [
        f"Have you seen the {topic} on {day}?",
        f"The {topic}, no. Who has told you?",
        f"My aunt, she looked at the {topic} all {day}.",
        f"Then we look at the {topic} too, before {day} ends.",
        f"Bring a coat, it is cold beside the {topic} on a {day}.",
    ]
    turns = [{"speaker": "AB"[number % 2], "text": text} for number, text in enumerate(texts)]
    return {"id": f"{split}-{topic}", "split": split, "turns": turns}


def begin(page: Page, link: str) -> None:
    """Go through consent, demographics and practice to the first question."""
    page.goto(f"/take/{link}")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="I take part").tap()
    page.locator(".chip", has_text="21–30").tap()
    page.get_by_role("button", name="Continue").tap()
    wait_for_the_script(page)
    choose(page, "Then that is where they still are.")
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_text("Right. This is the line that came next:")).to_be_visible()
    page.get_by_role("button", name="Begin").tap()
    expect_question(page, 1)
    wait_for_the_script(page)


def answer_through_a_reload_and_a_lost_connection(person: StoryPerson) -> None:
    """Reload the page, then answer without a network from the third question to the last."""
    page = person.page
    for number in range(1, PER_FORM + 2):  # one more: the attention check
        expect_question(page, number)
        if number == 3:
            page.reload()
            expect_question(page, number)
            wait_for_the_script(page)
            person.context.set_offline(True)
        choose(page, next_line(page))
        if number < 3:
            expect(page.locator("#saved")).to_have_text(SAVED)
        page.locator("#next").tap()
    expect(page.get_by_text("3 answers are still on their way. Keep this page open.")).to_be_visible()
    person.context.set_offline(False)
    expect(page.get_by_role("heading", name="That was the last question.")).to_be_visible()


def finish(page: Page) -> None:
    expect(page.get_by_text("All 5 answers have arrived")).to_be_visible()
    page.get_by_role("button", name="Finish").tap()
    expect(page.get_by_role("heading", name="Thank you. That was the last one.")).to_be_visible()
    expect(page.get_by_text("If a platform asks you for a code, it is this one:")).to_be_visible()
    expect(page.locator("#code")).to_have_text(re.compile(r"^\w{4}-\w{4}$"))


def wait_for_the_script(page: Page) -> None:
    page.locator(".candidate[data-chosen]").first.wait_for()


def expect_question(page: Page, number: int) -> None:
    expect(page.locator("#where")).to_have_text(f"Question {number} of {PER_FORM + 1}")


def next_line(page: Page) -> str:
    """Return the right line: it has what the context speaks of or asks for."""
    said = " ".join(page.locator(".one-question .said").all_inner_texts())
    return next((topic for topic in TOPICS if topic in said), "umbrella")


def choose(page: Page, words: str) -> None:
    """Tap the line with these words, then another line for a second choice."""
    lines = page.locator(".candidate label")
    lines.filter(has_text=words).first.tap()
    lines.filter(has_not_text=words).first.tap()
    expect(page.locator(".candidate.is-first")).to_contain_text(words)
    expect(page.locator(".candidate.is-second")).to_have_count(1)


# ---- people and a model ---------------------------------------------------------------------------------------------


def close(page: Page) -> None:
    page.goto("/studies/lines/board/")
    expect(page.locator("#counts-line")).to_contain_text(f"{BOTS + 1} people have finished; under way: 0.")
    page.get_by_text("Close the study", exact=True).click()
    page.get_by_label("A closed study cannot be opened again.").check()
    page.get_by_role("button", name="Close for good").click()
    expect(page.get_by_text("The study is closed: no one can join now.")).to_be_visible()


def run_a_model(page: Page) -> None:
    page.goto("/studies/lines/models/")
    page.get_by_role("link", name="New run").first.click()
    page.locator(".chip", has_text="TF-IDF").click()
    page.get_by_label("Train it on").select_option("stories:train")
    page.get_by_role("button", name="Start the run").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
    expect(page.get_by_role("heading", name="How often it is right")).to_be_visible()


def compare(page: Page, assert_accessible: Callable[[Page], None]) -> None:
    """Check the table of people and the model, on all eight questions, each with an interval."""
    page.goto("/studies/lines/")
    page.get_by_role("navigation", name="Study").get_by_role("link", name="Results").click()
    everybody = f"{BOTS + 1} people · 8 questions · {(BOTS + 1) * PER_FORM} answers"
    expect(page.get_by_text(everybody)).to_be_visible()
    table = page.locator(".results-table")
    expect(table).to_contain_text("Models, on the same questions")
    for name in (re.compile("^crowd"), re.compile("TF-IDF|tfidf", re.IGNORECASE)):
        row = table.get_by_role("row", name=name)
        expect(row).to_have_count(1)
        expect(row.locator(".ci").first).to_have_text(INTERVAL)
    expect(row.locator("td").last).to_have_text("8")
    assert_accessible(page)
