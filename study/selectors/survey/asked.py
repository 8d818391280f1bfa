"""Questions of a study, each once in whatever conditions it is asked, with the forms that ask it."""

from dataclasses import dataclass

from study.domain.survey.phases import StudyState
from study.models import FormQuestion, Question, Study
from study.selectors.survey.plans import counting_questions


@dataclass(frozen=True)
class StudyQuestion:
    """A question in its whole context, the keys of it in each of its conditions, and its forms."""

    question: Question
    conditions: dict[int, str]
    forms: list[int]

    @property
    def name(self) -> str:
        """Its name in the study, as figures call it."""
        question = self.question
        return f"{question.question_set.name}/{question.name}" if question.question_set else question.name


def asked_questions(study: Study) -> list[StudyQuestion]:
    """Return the questions of a study's forms, or in a draft those of its sets, by set and position."""
    forms: dict[int, list[int]] = {}
    for pk, form in FormQuestion.objects.filter(study=study).order_by("form").values_list("question", "form"):
        forms.setdefault(pk, []).append(form)
    rows = counting_questions(study).select_related("question_set").order_by("question_set__name", "position")
    by_name: dict[tuple[int | None, str], list[Question]] = {}
    for row in rows.defer("candidates", "origins"):
        by_name.setdefault((row.question_set_id, row.name), []).append(row)
    is_drawn = study.state != StudyState.DRAFT and bool(forms)
    return [
        StudyQuestion(
            next((each for each in of_one if not each.condition), of_one[0]),
            {each.pk: each.condition for each in of_one},
            sorted({form for each in of_one for form in forms.get(each.pk, [])}),
        )
        for of_one in by_name.values()
        if not is_drawn or any(each.pk in forms for each in of_one)
    ]
