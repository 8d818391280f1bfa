"""Time until the pages of rating and of a survey are usable on a slow phone line, and what comes over it.

python -m benchmarks.paint [--beside CHECKOUT] [--rounds 3]

Chromium emulates 400 kbit/s with 400 ms for each request, on a phone's screen, with an empty cache. A page is usable
when its document is ready, its script has run, and a choice can be made. Times are medians in milliseconds from the
request: first paint, usable, all loaded. Kilobytes are those over the line: of the document, of all until it is usable
(styles and scripts), and of all (with fonts, icons and, in a survey, the other questions). CHECKOUT is another version
of the product to measure in the same run.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from benchmarks.serving import rating, survey
from benchmarks.serving.crowd import CSRF
from benchmarks.serving.servers import PRODUCT, ROOT, Server
from tests.services import chromium_path

LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COLUMNS = ("first paint", "usable", "loaded", "document KB", "until usable KB", "all KB", "requests")
TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return [paint.startTime, page.domContentLoadedEventEnd, page.loadEventEnd];
}"""


def main(beside: Path | None, rounds: int) -> None:
    checkouts = {**({"beside": beside} if beside else {}), "here": ROOT}
    print(f"{'':18}" + "".join(f"{column:>17}" for column in COLUMNS), flush=True)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        chromium = running.enter_context(browser())
        for name, task in (("survey", survey), ("rating", rating)):
            servers = [
                running.enter_context(Server(label, path, "SQLite", Path(folder, f"{name}-{label}"), PRODUCT))
                for label, path in checkouts.items()
            ]
            for server in servers:
                server.fill(task.ROWS, "1")
                server.start()
            seen = {server.label: [] for server in servers}
            for _round in range(rounds + 1):  # the first one warms the server
                for server in servers:
                    seen[server.label].append(PAGES[name](chromium, server))
            for label, measured in seen.items():
                medians = [statistics.median(values) for values in zip(*measured[1:], strict=True)]
                print(f"{name + ', ' + label:18}" + "".join(f"{value:>17.1f}" for value in medians), flush=True)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"])


def survey_page(chromium: Browser, server: Server) -> list[float]:
    [one, *_others] = server.people["1"][0]["people"]
    name, _equals, secret = one["cookie"].partition("=")
    return look(chromium, server, f"{one['base']}questions/1/", {name: secret}, ".candidate[data-chosen]")


def rating_page(chromium: Browser, server: Server) -> list[float]:
    [one] = server.people["1"]
    return look(chromium, server, one["base"], {"sessionid": one["session"]}, ".grade input")


PAGES = {"survey": survey_page, "rating": rating_page}


def look(chromium: Browser, server: Server, path: str, cookies: dict[str, str], choice: str) -> list[float]:
    """Open the page in a browser of its own; return its row of the table."""
    url = f"http://127.0.0.1:{server.port}"
    context: BrowserContext = chromium.new_context(**PHONE)
    try:
        given = {**cookies, "csrftoken": CSRF}
        context.add_cookies([{"name": name, "value": value, "url": url} for name, value in given.items()])
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", LINE)
        kinds: dict[str, str] = {}
        received: list[tuple[str, float]] = []

        def note(event: dict[str, Any]) -> None:
            received.append((kinds[event["requestId"]], event["encodedDataLength"] / 1000))

        line.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
        line.on("Network.loadingFinished", note)
        page.goto(url + path, wait_until="domcontentloaded")
        assert page.locator(choice).count(), f"no choice can be made at {path}"
        page.wait_for_load_state("networkidle")
        document = sum(size for kind, size in received if kind == "Document")
        needed = sum(size for kind, size in received if kind in {"Document", "Stylesheet", "Script"})
        return [*page.evaluate(TIMES), document, needed, sum(size for _kind, size in received), len(received)]
    finally:
        context.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=lambda path: Path(path).resolve(), metavar="CHECKOUT")
    parser.add_argument("--rounds", type=int, default=3)
    main(**vars(parser.parse_args()))
