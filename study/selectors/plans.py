"""What a study consists of before anybody takes it."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.models.people import Role, User
from study.domain import texts
from study.models import Answer, Participant, Question, QuestionSet, Study, StudyText

CONSENT, INSTRUCTIONS = TEXTS = ("consent", "instructions")


@dataclass(frozen=True)
class Prospect:
    """Whether the study could be opened as it is."""

    questions: int
    needed: int  # for one form
    wanted: int  # for all forms without a question in two of them
    by_corpus: list[tuple[str, int]]

    @property
    def is_ready(self) -> bool:
        return 0 < self.needed <= self.questions

    @property
    def shares_questions(self) -> bool:
        return self.is_ready and self.questions < self.wanted


def counting_questions(study: Study) -> QuerySet[Question]:
    """The questions that the study's figures are made of: of its sets, and its own where answers came with them."""
    return Question.objects.counting().filter(Q(question_set__in=study.question_sets.all()) | Q(study=study))


def prospect_of(study: Study) -> Prospect:
    corpora = Counter(counting_questions(study).values_list("corpus", flat=True))
    questions, survey = corpora.total(), study.survey
    needed = questions if survey.assign == "all" else survey.per_form
    wanted = needed * (1 if survey.assign == "all" else survey.forms)
    return Prospect(questions, needed, wanted, sorted(corpora.items()))


def newest_text(study: Study, kind: str) -> StudyText:
    newest: StudyText = study.texts.filter(kind=kind, language=study.language)[:1].get()
    return newest


def first_text(study: Study, kind: str) -> str:
    """What participants are told until somebody writes it anew: it follows the study's settings."""
    if kind == INSTRUCTIONS:
        return texts.instructions(study.language)
    minutes, by = study.survey.minutes, str(study.created_by)
    return texts.consent(study.language, questions=conversations(study), minutes=minutes, by=by)


def is_first(text: StudyText) -> bool:
    """Whether it is still the wording that the study came with."""
    return text.text == first_text(text.study, text.kind)


def conversations(study: Study) -> int:
    """How many a participant reads after the practice question: those of a form and the attention check."""
    return 1 + (study.survey.per_form if study.survey.assign == "forms" else counting_questions(study).count())


def questions_by_set(sets: QuerySet[QuestionSet]) -> list[QuestionSet]:
    """Question sets by name, each with its `question_count` and its `corpora`."""
    found = {each.pk: each for each in sets.order_by("name")}
    for each in found.values():
        each.question_count, each.corpora = 0, []
    rows = Question.objects.counting().filter(question_set__in=found).order_by("corpus")
    for pk, corpus, count in rows.values_list("question_set", "corpus").annotate(Count("pk")):
        found[pk].question_count += count
        found[pk].corpora += [corpus] if corpus else []
    return list(found.values())


def members_of(study: Study) -> QuerySet[User]:
    return User.objects.filter(study_memberships__study=study).order_by("name", "username")


def researchers_beside(study: Study) -> QuerySet[User]:
    """Those who could be let into a study: researchers with an account who do not belong to it."""
    researchers = User.objects.filter(is_active=True, role=Role.RESEARCHER)
    return researchers.exclude(study_memberships__study=study).order_by("name", "username")


@dataclass(frozen=True)
class Counts:
    """What a study with answers from elsewhere has stored."""

    people: int
    questions: int
    answers: int
    by_corpus: list[tuple[str, int]]


def counts_of(study: Study) -> Counts:
    corpora = Counter(counting_questions(study).values_list("corpus", flat=True))
    people = Participant.objects.counting().filter(study=study)
    answers = Answer.objects.filter(presentation__participant__in=people)
    return Counts(people.count(), corpora.total(), answers.count(), sorted(corpora.items()))
