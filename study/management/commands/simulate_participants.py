"""Let bots take a survey over HTTP. Example: manage.py simulate_participants lines --people 145

Without --url they use the address of the running product. They answer like people of different skill.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from secrets import token_hex
from typing import Any

from django.core.management.base import CommandParser
from django.db import close_old_connections
from django.urls import reverse

from core.domain.draws import uniforms
from core.domain.text import candidate_texts
from core.management.command import ColloquyCommand, ProgressPrinter, seed
from core.models.people import User
from study.actions.survey import participants
from study.domain.survey.phases import StudyState, VisitOutcome
from study.domain.survey.simulation import milliseconds, ranking
from study.management.bots import Bot, PageQuestion, Unreachable
from study.management.command import live_address, study
from study.models import FormQuestion, Question, QuestionPurpose, Study
from study.selectors.survey.demographics import demographics_of

AT_ONCE = 8
Key = tuple[tuple[str, ...], tuple[str, ...]]


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--people", type=int, default=145, help="how many bots (default 145)")
        parser.add_argument("--seed", type=seed, default=0, help="of what they choose (default 0)")
        parser.add_argument("--url", help="where the product answers, default: where it does")

    def act(self, *, by: User, slug: str, people: int, seed: int, url: str | None, **options: Any) -> None:
        found = study(slug, by=by)
        if found.state != StudyState.OPEN:
            self.refuse(f"Nobody can join {slug}: the study is not open.", code="not_open")
        if found.survey.is_signed_in:
            self.refuse(f"Bots have no account, and only experts with one take {slug}.", code="signed_in")
        base = (url or live_address()).rstrip("/")
        crowd = Crowd(found, seed, base)
        report, codes = ProgressPrinter(self, "people"), []
        try:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for done, code in enumerate(pool.map(crowd.take, range(1, people + 1)), start=1):
                    codes.append(code)
                    report(done, people)
        except Unreachable as away:
            self.refuse(f"Stopped: {base} did not answer as it should ({away}).", code="unreachable")
        completed, ended = codes.count(found.codes[VisitOutcome.COMPLETE]), sum(map(bool, codes))
        self.say(
            {"study": slug, "people": people, "completed": completed, "ended": ended, "turned_away": people - ended},
            f"{completed} of {people} bots completed the survey; "
            f"{ended - completed} ended in another way, {people - ended} found no place.",
        )


class Crowd:
    """The bots of one run. They look up the right lines in the database, because no page shows them.

    `base` is where the product answers.
    """

    def __init__(self, study: Study, seed: int, base: str) -> None:
        asked = FormQuestion.objects.filter(study=study).values("question")
        rows = [*Question.objects.filter(pk__in=asked), *Question.objects.filter(study=study)]
        self.known = {
            _key([turn["text"] for turn in row.context], [*candidate_texts(row.candidates).texts]): row for row in rows
        }
        self.study, self.seed, self.base = study, seed, base
        self.groups = list(study.groups.all())
        self.asked = demographics_of(study)

    def take(self, number: int) -> str:
        """Let one bot take the survey. Return its completion code; "" when no group has room."""
        try:
            for link in self._links_from(number):
                bot = Bot(link, lambda asked: self.choose(f"bot {number}", asked), self.demographics(number))
                if bot.join():
                    participants.mark_simulated(secret=bot.secret, study=self.study)
                    for _asked in bot.answer_all(bot.begin()):
                        pass
                    return bot.finish()
            return ""
        finally:
            close_old_connections()

    def _links_from(self, number: int) -> Iterator[str]:
        """Yield all groups' links, with an id where one is required; successive bots begin with different ones."""
        start = (number - 1) % len(self.groups)
        for group in self.groups[start:] + self.groups[:start]:
            sent = f"?PROLIFIC_PID={token_hex(12)}" if group.requires_id else ""
            yield self.base + reverse("take", args=[group.token]) + sent

    def question(self, asked: PageQuestion) -> Question:
        """Return the question that a page shows."""
        found: Question = self.known[_key(asked.context, asked.lines)]
        return found

    def right(self, asked: PageQuestion) -> int:
        """Return the number of the right line as the page shows them."""
        question = self.question(asked)
        return asked.lines.index(candidate_texts(question.candidates).texts[question.answer or 0])

    def choose(self, person: str, asked: PageQuestion) -> tuple[list[int], int]:
        question, right = self.question(asked), self.right(asked)
        is_check = question.purpose != QuestionPurpose.WORK
        name = question.external_id
        order = ranking(self.seed, person, name, lines=len(asked.lines), right=right, is_check=is_check)
        return order, milliseconds(self.seed, person, name)

    def demographics(self, number: int) -> dict[str, str]:
        draws = cycle(uniforms(self.seed, "about", str(number)))
        answers = {question.key: list(question.answers) for question in self.asked}
        return {name: keys[int(draw * len(keys))] for (name, keys), draw in zip(answers.items(), draws, strict=False)}


def _key(context: list[str], lines: list[str]) -> Key:
    return tuple(context), tuple(sorted(lines))
