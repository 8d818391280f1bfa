"""Delay from typing a letter to showing the candidate's words that the context has. A frame is 16.7 ms.

python -m benchmarks.overlap [TURNS]    a dialogue of 30 turns unless given

The product runs as bin/start runs it, on SQLite, with headless Chromium. The time of a letter is from `beforeinput` to
the change of the shared words on the page; 50 ms pass between two letters.
"""

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests import databases, services
from tests.live_server import LiveServer, open_house

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TYPED = "The library room seats thirty, and we have sold forty tickets for the choir on Saturday until four. " * 2
SAID = (
    "W: Did you book the community hall for Saturday?",
    "M: The choir has it until four. I took the library room.",
    "W: It seats thirty. We have sold forty tickets.",
    "M: Then some of them will have nowhere to sit.",
)
WATCH = """() => {
    window.took = [];
    let typed = null;
    document.addEventListener("beforeinput", () => { typed = performance.now(); }, true);
    new MutationObserver(() => {
        if (typed !== null) window.took.push(performance.now() - typed);
        typed = null;
    }).observe(document.querySelector('[data-editor="3"] [data-marks]'), { childList: true });
}"""


def main(turns: str = "30") -> None:
    chromium = services.chromium_path() or sys.exit("No Chromium is here: install one or set CHROMIUM.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = {"SECRET_KEY": "-", "CELERY_BROKER_URL": "filesystem://", "DATABASE_URL": databases.sqlite(folder)}
        with open_house(folder, **own) as house, sync_playwright() as playwright:
            password = one_item(house, folder, int(turns))
            took = sorted(typing(playwright.chromium.launch(executable_path=chromium, args=FLAGS), house, password))
    assert len(took) == len(TYPED), f"{len(took)} of {len(TYPED)} letters were answered"
    middle, most = took[len(took) // 2], took[int(0.95 * len(took))]
    print(f"{len(took)} letters, {turns} turns: median {middle:.1f} ms, p95 {most:.1f} ms, longest {took[-1]:.1f} ms")


def one_item(house: LiveServer, folder: Path, turns: int) -> str:
    """Import a dialogue of so many turns to write on; return its author's password."""
    house.manage("create_project", "typing", "--kind", "rewriting")
    file = folder / "items.jsonl"
    file.write_text(
        json.dumps(
            {
                "turns": [SAID[number % len(SAID)] for number in range(turns)],
                "question": "What is wrong with the room?",
                "choices": ["It is too small.", "It is taken.", "It closes early."],
                "answer": "A",
            }
        ),
        encoding="utf-8",
    )
    print(json.loads(house.manage("import_items", "typing", str(file), "--json"))["stored"], "item", flush=True)
    return house.make_user("an", "annotator", "--project", "typing")


def typing(browser: Browser, house: LiveServer, password: str) -> list[float]:
    """Return the milliseconds of each letter of `TYPED`."""
    page: Page = browser.new_page(base_url=house.url, bypass_csp=True)
    page.goto("/signin/")
    page.fill("[name=username]", "an")
    page.fill("[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "signin" not in url)
    page.goto("/projects/typing/write/")
    page.wait_for_load_state()
    page.evaluate(WATCH)
    page.locator("#candidate-3").click()
    page.keyboard.type(TYPED, delay=50)
    took: list[float] = page.evaluate("window.took")
    return took


if __name__ == "__main__":
    main(*sys.argv[1:])
