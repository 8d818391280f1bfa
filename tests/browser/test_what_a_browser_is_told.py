"""All that two participants' browsers receive from the link to the withdrawal tells neither which line is right nor
which question is a check, nor where a question comes from.

One of them has scripts and passes the attention checks; the other has none and fails them. Whatever is not the text of
a question, or its place in the person's own order, must be the same for a right and a wrong line, for a right and a
wrong answer, for a question and a check.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, expect

from core.domain.text import candidate_texts
from core.models import User
from study.actions.survey import studies
from study.models import Participant, Presentation, Question, QuestionPurpose, Study
from study.selectors.survey.own_questions import own_questions_of
from tests.browser.recording import RecordedResponse, RecordingProxy, recording
from tests.study import study_cases

CORPORA, CONDITION, QUESTION_SET = ("walrusfilm", "gnutweets"), "okapi:3", "quokka-set"
HIDDEN = (*CORPORA, CONDITION, QUESTION_SET, "zebu-", "bilby", "attention", "distractor", "baseline")
CHECKS = 3  # the third one says which line to choose; the others are obvious
ASKED = 4 + CHECKS
LAST = "That was the last question."
CSRF = re.compile(r'(csrfmiddlewaretoken" value=")[^"]+')
TURN = re.compile(r'<li(?: class="other")?>\s*<span class="who">\w</span><span class="said">TEXT</span>\s*</li>')
LINE = re.compile(
    r'<div class="candidate.*?</span>\s*</span>\s*</span>\s*</div>|<li class="rank-row.*?</li>', re.DOTALL
)
CHOSEN = re.compile(r" is-first| is-second| is-placed| checked| selected|(?<=data-place>)\d+")
AFTER_QUESTION = re.compile(r'<form|<p class="[^"]*single-keys"')
OPTIONS = re.compile(r'(?:<option value="\d+">\d+</option>\s*)+')
CHANGING = {"date", "expires", "content-length", "set-cookie"}


@pytest.fixture
def study(transactional_db: None, researcher: User, answer: str) -> Study:
    drawn = study_cases.question_set(QUESTION_SET, 4, by=researcher, corpora=CORPORA)
    study_cases.add_conditions(drawn, CONDITION)
    for question in Question.objects.filter(question_set=drawn):
        Question.objects.filter(pk=question.pk).update(external_id=f"zebu-{question.external_id}")
    settings = {"forms": 2, "per_form": 4, "checks": CHECKS, "practice": 2, "answer": answer, "failed_checks": 1}
    made = studies.create(slug="bilby", title="Next lines", question_sets=[drawn], settings=settings, by=researcher)
    return studies.open_(study=made, reason="Written for tests.", by=researcher)


@dataclass
class Taker:
    """A participant at their browser, and what it received. `presentations` are by position, the practice as 0."""

    page: Page
    study: Study
    has_script: bool
    proxy: RecordingProxy
    practised: list[Presentation] = field(default_factory=list)
    person: Participant = field(default_factory=Participant)
    presentations: dict[int, Presentation] = field(default_factory=dict)
    code: str = ""

    def take(self) -> None:
        """Go through the whole survey, and withdraw at the end."""
        link = f"/take/{self.study.groups.get().token}/"
        for box in self.page.get_by_role("checkbox").all():
            box.check()
        self.go_on()
        self.person = Participant.objects.latest("pk")
        self.page.get_by_role("radio").first.check()
        self.go_on()
        for _question in range(2):
            asked = self.person.presentations.select_related("question").get(position=0)
            self.practised.append(asked)
            self.choose(asked)
            self.go_on()
            self.page.locator(".notice[role=status]").wait_for()
            self.go_on()
        expect(self.page.locator("#where")).to_have_text(f"Question 1 of {ASKED}")
        rows = self.person.presentations.select_related("question").order_by("position")
        self.presentations = {each.position: each for each in rows if each.position}
        for position, asked in self.presentations.items():
            self.wait_for(position)
            self.choose(asked)
            self.page.locator("#next").click()
        expect(self.page.get_by_role("heading", name=LAST)).to_be_visible()
        self.page.get_by_role("link", name="Back").click()  # once more, with all that was chosen
        self.wait_for(ASKED)
        self.page.locator("#next").click()
        expect(self.page.get_by_role("heading", name=LAST)).to_be_visible()
        self.page.get_by_role("button", name="Finish").click()
        self.code = self.page.locator("#code").inner_text()
        back = self.page.locator("#resume-link").inner_text()
        self.page.goto(f"{link}on/")
        self.page.goto(back)
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_role("link", name="Withdraw").first.click()
        self.page.get_by_role("button", name="Withdraw and delete").click()
        expect(self.page.get_by_role("heading", name="You have withdrawn.")).to_be_visible()
        self.page.goto(back)

    def wait_for(self, position: int) -> None:
        expect(self.page.locator("#where")).to_have_text(f"Question {position} of {ASKED}")
        if self.has_script:
            self.page.locator(f"#survey[data-questions='{ASKED}']").wait_for()

    def go_on(self) -> None:
        with self.page.expect_navigation():
            self.page.locator("button.button-main").click()

    def choose(self, asked: Presentation) -> None:
        """Put the right line first or last, and the others in their order."""
        if self.has_script:
            self.page.locator("[data-chosen]").first.wait_for()
        right = asked.order.index(asked.question.answer or 0)
        others = [line for line in range(len(asked.order)) if line != right]
        ranking = [right, *others] if self.is_right(asked) else [*others, right]
        match self.study.survey.answer:
            case "ranking" if self.has_script:
                for line in ranking[:-1]:
                    self.page.locator(".rank-tap").nth(line).click()
            case "ranking":
                for place, line in enumerate(ranking, start=1):
                    self.page.get_by_role("combobox").nth(line).select_option(str(place))
            case wanted:
                for name, line in zip(wanted.split("-"), ranking, strict=False):
                    self.page.locator(f"input[name={name}]").nth(line).check(force=True)

    def is_right(self, asked: Presentation) -> bool:
        """Return whether the person answers rightly: half of the questions, and all checks if they have scripts."""
        if asked.question.purpose == QuestionPurpose.CHECK:
            return self.has_script
        others = self.counting if asked.position else self.practised
        return others.index(asked) % 2 == 1

    @property
    def counting(self) -> list[Presentation]:
        return [each for each in self.presentations.values() if each.question.purpose == QuestionPurpose.WORK]

    @property
    def all_presentations(self) -> list[Presentation]:
        return [*self.practised, *self.presentations.values()]

    @property
    def received(self) -> list[RecordedResponse]:
        return [each for each in self.proxy.received if not each.path.startswith("/static/")]


@pytest.fixture
def takers(open_page, study: Study, forgiven: list[str]) -> Iterator[list[Taker]]:
    """Return who passed the checks with scripts, and who failed them without."""
    forgiven.append("404")  # the resume link of a person who has withdrawn
    link, found = f"/take/{study.groups.get().token}/", []
    with recording() as first, recording() as second:
        for proxy, has_script in ((first, True), (second, False)):
            page = open_page(link, java_script_enabled=has_script, **proxy.options)
            found.append(Taker(page, study, has_script, proxy))
            found[-1].take()
        yield found


@pytest.mark.parametrize("answer", ["first", "first-second", "ranking"])
def test_no_response_tells_a_right_line_or_a_check(takers, study):
    assert_the_whole_survey_was_received(takers)
    assert_files_are_those_of_the_product(takers)
    assert_nothing_is_named(takers, study)
    assert_all_lines_and_questions_have_one_shape(takers)
    assert_all_question_pages_are_alike(takers)
    assert_all_answers_are_acknowledged_alike(takers)
    assert_no_token_is_known_again(takers)
    assert_only_practice_says_what_is_right(takers, study)
    assert_only_the_own_code_is_told_and_at_the_end(takers, study)
    assert_the_end_names_no_question(takers)


def assert_the_whole_survey_was_received(takers: Sequence[Taker]) -> None:
    steps_of = re.compile(r"(?<=back/)\w+|(?<=questions/)\d+|\?.*")
    kinds = {steps_of.sub("", each.path.split("/", 3)[3]) for each in responses(takers)}
    steps = ["on/", "join/", "about/", "practice/", "begin/", "questions/", "finish/", "withdraw/", "back/", "back//"]
    assert kinds == {"", *steps, "questions//", "questions//others/", "questions//answer/"}
    for taker in takers:
        purposes = [each.question.purpose for each in taker.presentations.values()]
        assert sorted(purposes) == sorted([QuestionPurpose.WORK] * 4 + [QuestionPurpose.CHECK] * CHECKS)
        assert {each.question.place for each in taker.presentations.values()} == {None, 2}, "obvious and instructed"
        assert len({taker.is_right(each) for each in taker.presentations.values()}) == 2
    conditions = {each.condition for taker in takers for each in taker.presentations.values()}
    assert conditions == {"", CONDITION}


def responses(takers: Iterable[Taker]) -> Iterator[RecordedResponse]:
    for taker in takers:
        yield from taker.received


def assert_files_are_those_of_the_product(takers: Sequence[Taker]) -> None:
    files = [each for taker in takers for each in taker.proxy.received if each not in taker.received]
    assert {Path(each.path).suffix for each in files} == {".css", ".js", ".svg", ".woff2"}
    for each in files:
        kept = finders.find(each.path.removeprefix("/static/"))
        assert isinstance(kept, str)
        assert each.body == Path(kept).read_bytes(), each.path


def assert_nothing_is_named(takers: Sequence[Taker], study: Study) -> None:
    for taker, other in zip(takers, reversed(takers), strict=True):
        hidden = [*HIDDEN, study.secret, str(other.person.public_id)]
        for each in taker.received:
            assert [word for word in hidden if word in each.all.casefold()] == [], each.path


# ---- questions ------------------------------------------------------------------------------------------------------
def blocks_of(taker: Taker) -> Iterator[tuple[Presentation, str]]:
    """Yield each question as it was received, as often as it was, with its texts and tokens masked."""
    of_token = {each.tokens[0]: each for each in taker.all_presentations}
    for received in taker.received:
        for block in re.split(r'(?=<div class="one-question")', received.text)[1:]:
            asked = next(each for token, each in of_token.items() if f'"{token}"' in block)
            yield asked, masked(block.split("</main>")[0], asked)


def masked(block: str, asked: Presentation) -> str:
    """Replace what belongs to a question: its texts, its tokens, and its position."""
    texts = [*asked.question.candidates, *(turn["text"] for turn in asked.question.context)]
    for text in sorted(map(escape, texts), key=len, reverse=True):
        block = block.replace(text, "TEXT")
    for token in asked.tokens:
        block = block.replace(token, "TOKEN")
    return block.replace(f'data-position="{asked.position}"', "POSITION")


def assert_all_lines_and_questions_have_one_shape(takers: Sequence[Taker]) -> None:
    """What is around a text is the same for each turn and line of each question, but for the line's number."""
    lines, frames, seen = set(), set(), set()
    for taker in takers:
        for asked, block in blocks_of(taker):
            pieces = LINE.findall(block)
            assert len(pieces) == len(asked.order)
            for number, piece in enumerate(pieces, start=1):
                letter = chr(ord("A") + number - 1)  # of the lines of a ranking
                names = rf'(?<=<kbd class="wide-only">){number}(?=<)|(?<=first-){number}(?=")|(?<=<kbd>){letter}(?=<)'
                numbered = re.sub(names, "N", piece)
                unchosen = CHOSEN.sub("", numbered.replace(f"Line {letter}:", "Line N:"))
                lines.add(OPTIONS.sub("OPTIONS", unchosen.replace('aria-pressed="true"', 'aria-pressed="false"')))
            assert block.count("TEXT") > len(pieces)
            rest = TURN.sub("TURN", LINE.sub("LINE", block))
            rest = re.sub(r'(\s*<span><span class="num">\d</span> <b>–</b></span>)+', "SLOTS", rest)
            rest = re.sub(rf"<span data-placed>\d</span> of {len(pieces)}", "PLACED", rest)
            rest = re.sub(r'(?<=<li class="gap)(?: other)?(">\s*<span class="who">)\w', r"\1", rest)
            frames.add(re.sub(r"(TURN|LINE)(\s*\1)+", r"\1S", AFTER_QUESTION.split(rest)[0]).rstrip("</div> \n"))
            seen.add(asked.question.pk)
    assert len(seen) == 2 + CHECKS + len({each.question.pk for taker in takers for each in taker.counting})
    assert len(lines) == 1, lines
    assert len(frames) == 1, frames


def assert_all_question_pages_are_alike(takers: Sequence[Taker]) -> None:
    """Around its question a page differs by the question's place and the time alone, and so do the headers."""
    for taker in takers:
        pages = {}
        for each in taker.received:
            at = re.search(r"/questions/(\d+)/(?:\?|$)", each.path)
            if at and each.method == "GET":
                pages.setdefault(frame_of(each, int(at[1])), []).append(each.path)
        assert len(pages) == 1, pages.values()
        assert sum(map(len, pages.values())) >= (2 if taker.has_script else ASKED)


def frame_of(page: RecordedResponse, position: int) -> str:
    body = " ".join(re.sub(r'<div class="one-question".*?(?=</main>)', "QUESTION", page.text, flags=re.DOTALL).split())
    for told in (
        f"Question {position} of",
        f"{position - 1} of {ASKED} answered",
        f'class="participant-progress" value="{position - 1}"',
        f"/questions/{position}/",
        f'"position": {position}',
    ):
        body = body.replace(told, "PLACE")
    body = re.sub(r'<div class="notice notice-accent" data-notice="resumed".*?</div> ', "", body)
    body = re.sub(r'"secondsLeft": \d+|\d+ min left', "TIME", CSRF.sub(r"\1", body))
    return f"{page.status} {kept(page)} {body}"


def kept(each: RecordedResponse) -> list[tuple[str, str]]:
    """Return the headers that hold no time, no length, and no secret of the browser."""
    return [(name, value) for name, value in each.headers if name not in CHANGING]


def assert_all_answers_are_acknowledged_alike(takers: Sequence[Taker]) -> None:
    """A right and a wrong answer, to a question and to a check, are answered in the same words."""
    for taker in takers:
        said = {}
        for each in taker.received:
            if each.path.partition("?")[0].endswith("/answer/"):
                words = re.sub(r'(?<="saved_at": ")[^"]{20,32}|(?<="seconds_left": )\d+', "TIME", each.text)
                leads = re.sub(r"(?<=/questions/)\d+/|finish/", "NEXT", dict(kept(each)).get("location", ""))
                others = [(name, value) for name, value in kept(each) if name != "location"]
                said.setdefault((each.status, words, leads.replace("questions/", ""), *others), set()).add(each.path)
        assert len(said) == 1, said
        [answered] = said.values()
        assert len(answered) == ASKED


def assert_no_token_is_known_again(takers: Sequence[Taker]) -> None:
    """Tokens have one shape, and no one's tell another person anything, though both have the same checks."""
    tokens = [token for taker in takers for each in taker.all_presentations for token in each.tokens]
    assert len(set(tokens)) == len(tokens)
    assert all(re.fullmatch(r"[\w-]{8}", token) for token in tokens)
    checks = [{each.question.pk for each in taker.presentations.values() if each.question.study_id} for taker in takers]
    assert checks[0] == checks[1]


# ---- what is right --------------------------------------------------------------------------------------------------
def assert_only_practice_says_what_is_right(takers: Sequence[Taker], study: Study) -> None:
    told = [each.explanation for each in own_questions_of(study, QuestionPurpose.PRACTICE)]
    told += ["Right. This is the line", "Another line came next", "<q"]
    for taker in takers:
        saying = [
            each for each in taker.received if any(escape(text) in each.text or text in each.text for text in told)
        ]
        assert len(saying) == 2  # once after each practice question was answered
        assert {each.path.split("/")[3] for each in saying} == {"on"}
        begun = next(at for at, each in enumerate(taker.received) if "/questions/" in each.path)
        assert all(each in taker.received[:begun] for each in saying)
        practised = [at for at, each in enumerate(taker.received) if each.path.endswith("/practice/")]
        assert taker.received.index(saying[0]) > practised[0]
        assert taker.received.index(saying[1]) > practised[1]


def assert_only_the_own_code_is_told_and_at_the_end(takers: Sequence[Taker], study: Study) -> None:
    assert [taker.code for taker in takers] == [study.codes["complete"], study.codes["failed_checks"]]
    for taker in takers:
        finished = next(at for at, each in enumerate(taker.received) if (each.method, each.path[-7:]) == FINISH)
        for at, each in enumerate(taker.received):
            codes = {code for code in study.codes.values() if code in each.all}
            assert codes <= ({taker.code, study.codes["withdrawn"]} if at > finished else set()), each.path


FINISH = ("POST", "finish/")


def assert_the_end_names_no_question(takers: Sequence[Taker]) -> None:
    """The last page may say that checks were failed. It names no question and no line, and is the same each time."""
    for taker in takers:
        pages = [each.text for each in taker.received if taker.code in each.text and each.status == 200]
        assert len(pages) >= 2
        asked = [each.question for each in taker.presentations.values()]
        lines = {text for each in asked for text in candidate_texts(each.candidates).texts}
        said = lines | {turn["text"] for each in asked for turn in each.context}
        assert not [text for text in said for page in pages if escape(text) in page]
        assert not [page for page in pages if re.search(r"questions/\d", page)]
        assert len({CSRF.sub(r"\1", re.sub(r"/back/\w{40}/", "BACK", page)) for page in pages}) == 1
