"""Time from a key to the next item, where each request takes 400 ms longer.

python -m benchmarks.next_item [--rounds 5]

Chromium adds 400 ms to each request. The key is the last one of an item: a grade, a reasoning type, a verdict, the
submission of a text. Times are in milliseconds from the key press until the next item stands in the page: the median
and the longest. Inspectors answer blind and see the key before; authors write the four texts.
"""

import argparse
import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.paint import browser
from benchmarks.serving.crowd import CSRF
from benchmarks.serving.servers import PRODUCT, ROOT, Server

ROWS = Path(__file__).with_name("serving") / "rows_of_items.py"
ITEMS = 12
LINE = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
REST_MS = 3000  # a person reads an item for longer
LAST_KEY = {
    "rating": "4",
    "types": "1",
    "adjudication": "4",
    "inspection": "Control+Enter",
    "writing": "Control+Enter",
}
TEXTS = [  # that an author writes
    "Opening the courtyard would help, or twelve people will have nowhere to sit.",
    "So the choir will be singing in the library room until four?",
    "Then let's ask everyone to leave a little earlier than planned.",
    "Good, thirty chairs are plenty for the tickets we've sold.",
]
# Of every document: note the item before a key, and in each frame whether another one stands there.
WATCH = r"""
const item = () => document.querySelector("main")?.textContent.match(/(Number |第)\d+/)?.[0];
addEventListener("keydown", () => {
  sessionStorage.removeItem("took");
  sessionStorage.setItem("pressed", JSON.stringify([Date.now(), item()]));
}, true);
const look = () => {
  const [at, before] = JSON.parse(sessionStorage.getItem("pressed") ?? "[]");
  const now = item();
  if (before && now && now !== before && !sessionStorage.getItem("took"))
    sessionStorage.setItem("took", Date.now() - at);
  requestAnimationFrame(look);
};
look();
"""


def main(rounds: int) -> None:
    with ExitStack() as running:
        folder = running.enter_context(tempfile.TemporaryDirectory())
        chromium = running.enter_context(browser())
        server = running.enter_context(Server("here", ROOT, "SQLite", Path(folder, "here"), PRODUCT))
        server.fill(ROWS, str(ITEMS))
        server.start()
        print(f"{'':14}{'median':>8}{'longest':>9}", flush=True)
        for step, people in server.people["0"][0].items():
            took = [time for one in people for time in times(chromium, server, step, one, rounds)]
            print(f"{step:14}{statistics.median(took):>8.0f}{max(took):>9.0f}", flush=True)


def times(chromium: Browser, server: Server, step: str, one: dict[str, str], rounds: int) -> list[float]:
    """Go through some items."""
    url = f"http://127.0.0.1:{server.port}"
    context = chromium.new_context()
    try:
        given = {"sessionid": one["session"], "csrftoken": CSRF}
        context.add_cookies([{"name": name, "value": value, "url": url} for name, value in given.items()])
        context.add_init_script(WATCH)
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", LINE)
        page.goto(url + one["path"], wait_until="networkidle")
        return [time_to_next(page, step) for _round in range(rounds)]
    finally:
        context.close()


def time_to_next(page: Page, step: str) -> float:
    page.wait_for_timeout(REST_MS)
    if step == "inspection":
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_selector(".candidate.is-key")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(REST_MS)
        for key in "qa":
            page.keyboard.press(key)
    elif step == "writing":
        for number, text in enumerate(TEXTS):
            page.fill(f"#candidate-{number}", text)
        page.wait_for_timeout(REST_MS)
    page.keyboard.press(LAST_KEY[step])
    page.wait_for_timeout(REST_MS)  # asking the page meanwhile would be in the way of loading another
    took = page.evaluate("sessionStorage.getItem('took')")
    assert took, f"no other item came: {step}"
    return float(took)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    main(**vars(parser.parse_args()))
