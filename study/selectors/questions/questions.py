"""Question sets as their pages show them."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.selectors.corpora.corpus_pages import Option, options_of
from core.domain.text import candidate_texts
from core.models.people import User
from core.selectors.paging import RowsPage
from study.domain.questions.picks import UniformPick
from study.models import Question, QuestionSet
from study.permissions import question_sets_of


@dataclass(frozen=True)
class SetQuestion:
    """A question with its number, from 1, and its candidates as people read them, with their letters."""

    number: int
    question: Question
    options: list[Option]


def listed(by: User) -> QuerySet[QuestionSet]:
    return question_sets_of(by).select_related("created_by")


def shown(page: RowsPage) -> list[SetQuestion]:
    return [
        SetQuestion(row.position + 1, row, options_of(candidate_texts(row.candidates).texts, row.answer))
        for row in page.rows
    ]


def command_of(question_set: QuestionSet) -> list[str]:
    """Return the command that draws the same questions, word by word."""
    recipe = question_set.recipe
    sources = [source["name"] for source in recipe["sources"]]
    numbers = {
        "count": recipe["count"],
        "distractors": recipe["distractors"],
        "max-turns": recipe["max_turns"],
        "seed": question_set.seed,
    }
    options = [word for name, number in numbers.items() for word in (f"--{name}", str(number))]
    pick = [] if recipe["pick"] == UniformPick.name else ["--pick", recipe["pick"]]
    conditions = ["--ablate", *recipe["conditions"]] if "conditions" in recipe else []
    return ["build_questions", question_set.name, "--from", *sources, *options, *pick, *conditions]
