"""Question sets as their pages show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from django.db.models import F, IntegerField, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.selectors.corpora.corpus_pages import Option, options_of
from core.domain.sorting import Sorting
from core.domain.text import candidate_texts
from core.models import Name
from core.models.people import User
from core.selectors.sorting import in_direction
from study.domain.questions.picks import UniformPick
from study.models import Question, QuestionSet
from study.models.questions import LONGEST_NAME
from study.permissions import question_sets_of


@dataclass(frozen=True)
class SetQuestion:
    """A question with its number, from 1, and its candidates as people read them, with their letters."""

    number: int
    question: Question
    options: list[Option]


def listed(by: User, *, search: str = "") -> QuerySet[QuestionSet]:
    """Return the sets of the list: all but those that are archived; `search` is part of a name."""
    return question_sets_of(by).filter(archived_at=None, name__icontains=search).select_related("created_by")


def sorted_sets(question_sets: QuerySet[QuestionSet], order: Sorting) -> QuerySet[QuestionSet]:
    count_of = Cast(KT("recipe__count"), IntegerField())
    keys = {"made": F("created_at"), "name": F("name"), "questions": count_of}
    return question_sets.order_by(in_direction(keys[order.column], order), "-created_at", "-pk")


def shown(questions: Iterable[Question]) -> list[SetQuestion]:
    return [
        SetQuestion(row.position + 1, row, options_of(candidate_texts(row.candidates).texts, row.answer))
        for row in questions
    ]


def named_in(question_set: QuestionSet, names: Sequence[str]) -> list[SetQuestion]:
    """Return the questions of a set with these ids, in the order of the set."""
    return shown(question_set.questions.filter(external_id__in=names).order_by("position")) if names else []


def next_name(question_set: QuestionSet) -> str:
    """Return an unused name for a revision of a set: its name with a number."""
    base, _hyphen, number = question_set.name.rpartition("-")
    base = (base if base and number.isdecimal() else question_set.name)[: LONGEST_NAME - 5]
    taken = set(Name.objects.filter(name__startswith=f"{base}-").values_list("name", flat=True))
    return next(name for name in (f"{base}-{number}" for number in count(2)) if name not in taken)


def command_of(question_set: QuestionSet) -> list[str]:
    """Return the command that draws the same questions, word by word; of a revision those of its first parent."""
    while question_set.parent:
        question_set = question_set.parent
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
