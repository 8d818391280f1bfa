"""Practice questions and attention checks of a study, and those of the product's own that it begins with."""

from django.db.models import Count

from core.domain.text import candidate_texts
from study.domain.survey.look import language_of, look_of
from study.domain.survey.own_questions import CHECKS, OwnQuestion, attention_check
from study.domain.survey.own_questions import PRACTICE as PRACTICE_QUESTIONS
from study.models import Question, QuestionPurpose, Study
from study.models.questions import QuestionQuerySet
from study.selectors.survey.plans import counting_questions

LOOKED_AT = 200  # questions whose language and look the attention check takes
PRACTICE, CHECK = QuestionPurpose.PRACTICE, QuestionPurpose.CHECK


def own_questions_of(study: Study, purpose: QuestionPurpose) -> QuestionQuerySet:
    """Return the practice questions or the attention checks of a study, in their order."""
    return Question.objects.filter(study=study, purpose=purpose).order_by("position")


def name_of(purpose: QuestionPurpose, number: int) -> str:
    """Return the external id of one of a study's own questions, from number 0."""
    return f"{purpose}-{number + 1}" if number else str(purpose)


def asked_of(study: Study) -> dict[QuestionPurpose, int]:
    """Return how many practice questions and checks the settings of a study ask for."""
    return {PRACTICE: study.survey.practice, CHECK: study.survey.checks_asked}


def still_to_write(study: Study) -> dict[QuestionPurpose, int]:
    """Return how many practice questions and checks the settings ask for beyond those that there are."""
    return {purpose: count - own_questions_of(study, purpose).count() for purpose, count in asked_of(study).items()}


def ready_questions(study: Study) -> dict[QuestionPurpose, list[OwnQuestion]]:
    """Return the practice questions and checks that the product has for a study; more are written by its researchers.

    The checks are in its questions' language, size and look: one in the language of the survey would be recognised
    among questions in another one.
    """
    shown = _shown_texts(study)
    language, look, candidates = language_of(shown) or study.language, look_of(shown), _usual_candidates(study)
    checks = [attention_check(language, candidates, look, number) for number in range(len(CHECKS[language]))]
    return {PRACTICE: PRACTICE_QUESTIONS[study.language], CHECK: checks}


def is_as_first(question: Question, first: OwnQuestion) -> bool:
    """Return whether an own question is still in the product's words."""
    stored = (question.context, question.candidates, question.explanation, question.place)
    return stored == tuple(first)


def _usual_candidates(study: Study) -> int:
    """Return how many candidates most of the study's questions have."""
    counts = counting_questions(study).values("candidates_count").annotate(times=Count("pk"))
    most = counts.order_by("-times", "candidates_count").first()
    return int(most["candidates_count"]) if most else 5


def _shown_texts(study: Study) -> list[str]:
    """Return what people read in the study's first questions, those of its sets in turn."""
    rows = counting_questions(study).order_by("position", "pk").values_list("context", "candidates")[:LOOKED_AT]
    shown = ([turn["text"] for turn in context] + [*candidate_texts(candidates).texts] for context, candidates in rows)
    return [text for texts_of_one in shown for text in texts_of_one]
