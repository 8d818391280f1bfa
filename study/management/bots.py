"""Bots that take a survey over HTTP and read its pages as a browser does: forms, questions, cookies."""

import http.client
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener
from uuid import uuid4

PATIENCE_S = 30
READ = {("span", "said"): "context", ("span", "rank-text"): "lines"}
READ |= {("output", "code"): "code", ("code", "command"): "resume_link"}

Choose = Callable[["PageQuestion"], tuple[list[int], int]]  # numbers of the lines, best first, and milliseconds


class Unreachable(Exception):
    """The server did not answer, or answered with an error of its own."""


@dataclass
class PageQuestion:
    """A question as the page shows it; `fields` are the names of what a line is chosen with."""

    position: int
    context: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    fields: set[str] = field(default_factory=set)

    @property
    def wanted(self) -> int:
        """How many ranks the page asks for."""
        return len(self.fields & {"first", "second"}) or len(self.lines)


@dataclass
class SurveyPage:
    """Content of a page that a bot needs: address, addresses of forms, questions, the script's first state."""

    url: str
    forms: list[str] = field(default_factory=list)
    questions: list[PageQuestion] = field(default_factory=list)
    page_state: dict[str, Any] = field(default_factory=dict)
    code: str = ""
    resume_link: str = ""

    def form(self, step: str) -> str:
        """Return the address of the form that leads to a step of the survey; "" where the page has none."""
        return next((each for each in self.forms if urlsplit(each).path.endswith(f"/{step}/")), "")


class _Reader(HTMLParser):
    """Parser that fills a SurveyPage. The questions that the page's script loads are read like the visible one."""

    def __init__(self, page: SurveyPage, html: str) -> None:
        super().__init__()
        self.page, self.into, self.text = page, "", ""
        self.feed(html)
        self.page.questions.sort(key=lambda asked: asked.position)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.page.forms.append(urljoin(self.page.url, given.get("action", "") or self.page.url))
        elif "data-position" in given:
            self.page.questions.append(PageQuestion(int(given["data-position"])))
        elif self.page.questions and tag == "input":
            asked = self.page.questions[-1]
            asked.fields.add(given.get("name", ""))
            asked.tokens += [given["value"]] if given.get("name") == "first" else []
        elif self.page.questions and given.get("class") == "rank-tap":
            self.page.questions[-1].tokens.append(given["value"])
        into = READ.get((tag, given.get("class", "")), "")
        into = into or ("lines" if tag == "label" and given.get("for", "").startswith("first-") else "")
        into = into or ("page_state" if tag == "script" and given.get("id") == "page_state" else "")
        if into:
            self.into, self.text = into, ""

    def handle_data(self, data: str) -> None:
        if self.into:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if not self.into or tag not in {"span", "output", "code", "label", "script"}:
            return
        if self.into == "page_state":
            self.page.page_state = json.loads(self.text)
        elif self.into in {"code", "resume_link"}:
            setattr(self.page, self.into, self.text)
        elif self.page.questions:
            getattr(self.page.questions[-1], self.into).append(self.text)
        self.into = ""


class Browser:
    """One person's browser. Raises Unreachable where a person would see an error of connection or server."""

    def __init__(self) -> None:
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def cookie(self, start: str) -> str:
        return next((each.value or "" for each in self.cookies if each.name.startswith(start)), "")

    def open(self, url: str, fields: dict[str, str] | None = None) -> SurveyPage:
        """Load a page, or send a form and return the page it leads to. A refused form is shown on that page."""
        token = {"csrfmiddlewaretoken": self.cookie("csrftoken")}
        body = None if fields is None else urlencode({**token, **fields}).encode()
        url, text = self._send(Request(url, body, headers={"Referer": url}))  # noqa: S310
        page = SurveyPage(url)
        _Reader(page, text)
        if "others" in page.page_state:
            _url, others = self._send(Request(urljoin(url, page.page_state["others"])))  # noqa: S310
            _Reader(page, others)
        return page

    def post(self, url: str, sent: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Send JSON as the page's script does. Return the status and the response."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.cookie("csrftoken"), "Referer": url}
        try:
            _url, text = self._send(Request(url, json.dumps(sent).encode(), headers=headers))  # noqa: S310
        except HTTPError as refused:
            return refused.code, json.loads(refused.read() or b"{}")
        return 200, json.loads(text)

    def _send(self, request: Request) -> tuple[str, str]:
        try:
            with self.opener.open(request, timeout=PATIENCE_S) as answer:
                return answer.url, answer.read().decode()
        except HTTPError as refused:
            if refused.code >= 500:
                raise Unreachable(refused.code) from refused
            if request.get_header("Content-type") == "application/json":
                raise
            return refused.url or request.full_url, refused.read().decode()
        except (OSError, http.client.HTTPException) as away:
            raise Unreachable(type(away).__name__) from away


@dataclass
class Bot:
    """A person who takes a survey by a group's link, with a platform's parameters or without, and chooses by `choose`.

    `resume_link` is the one that the survey gave them when they joined.
    """

    link: str
    choose: Choose
    demographics: dict[str, str] = field(default_factory=dict)
    browser: Browser = field(default_factory=Browser)
    resume_link: str = ""

    @property
    def secret(self) -> str:
        return self.browser.cookie("survey-")

    def join(self) -> bool:
        """Agree to take part. Return False when the survey is closed or full, or does not take the person."""
        if agree := self.browser.open(self.link).form("join"):
            page = self.browser.open(agree, {"is_adult": "on", "agrees": "on"})
            self.resume_link = page.resume_link
        return bool(self.secret)

    def step(self, name: str) -> str:
        return urljoin(self.link, f"{name}/")

    def begin(self) -> SurveyPage:
        """Answer what is left of demographics and practice, and return the page of the first question."""
        page = self.browser.open(self.step("about"), self.demographics)
        if page.page_state:
            return page
        while True:
            for practice in page.questions:
                tokens = [practice.tokens[line] for line in self.choose(practice)[0]]
                places = {f"place-{token}": str(place) for place, token in enumerate(tokens, start=1)}
                choices = dict(zip(("first", "second"), tokens[: practice.wanted], strict=False))
                self.browser.open(self.step("practice"), choices if "first" in practice.fields else places)
            page = self.browser.open(self.step("begin"), {})
            if page.page_state or not page.questions:
                return page

    def answer(self, asked: PageQuestion, key: str = "") -> tuple[int, dict[str, Any]]:
        """Send the choices at a question; sent again with the same key they are stored once."""
        ranking, milliseconds = self.choose(asked)
        return self.send(asked, ranking[: asked.wanted], milliseconds=milliseconds, key=key or str(uuid4()))

    def send(self, asked: PageQuestion, ranking: Sequence[int], **sent: Any) -> tuple[int, dict[str, Any]]:
        """Send a ranking of a question's lines, their numbers best first, as the page's script does."""
        tokens = [asked.tokens[line] for line in ranking]
        return self.browser.post(self.step(f"questions/{asked.position}/answer"), {"ranking": tokens, **sent})

    def answer_all(self, page: SurveyPage) -> Iterator[PageQuestion]:
        """Answer each question from the page's position on; yield it after it is stored."""
        for asked in page.questions:
            if asked.position >= page.page_state["position"]:
                status, said = self.answer(asked)
                if status != 200:
                    raise Unreachable(said.get("code", status))
                yield asked

    def finish(self) -> str:
        """Finish the survey and return its completion code."""
        return self.browser.open(self.step("finish"), {"without": "1"}).code
