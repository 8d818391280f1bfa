"""Content of a study before people take it."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import CharField, Count, Q, QuerySet, Value
from django.db.models.functions import Cast, Coalesce, Concat, NullIf

from core.models.people import Role, User
from core.permissions import researchers
from study.domain.survey import texts
from study.domain.survey.phases import ParticipantState, StudyState
from study.models import Answer, FormQuestion, Participant, Question, QuestionSet, Study, StudyText
from study.models.questions import QuestionQuerySet
from study.selectors.survey.demographics import demographics_of

CONSENT, INSTRUCTIONS = TEXTS = ("consent", "instructions")
WHOLE_QUESTION = Concat(  # of a form's question: equal in all its conditions
    Cast("question__question_set", CharField()),
    Value("/"),
    Coalesce(NullIf("question__whole_id", Value("")), "question__external_id"),
)


@dataclass(frozen=True)
class StudyProspect:
    """Questions of a study compared with what its forms need; one in several conditions counts once."""

    questions: int
    needed: int  # for one form
    wanted: int  # for all forms, without repeated questions
    by_corpus: list[tuple[str, int]]
    has_own_forms: bool = False  # of a group, because it has a mix of its own

    @property
    def is_ready(self) -> bool:
        return 0 < self.needed <= self.questions

    @property
    def shares_questions(self) -> bool:
        """True when forms share questions: there are too few, or groups have forms of their own."""
        return self.is_ready and (self.questions < self.wanted or self.has_own_forms)


def counting_questions(study: Study) -> QuestionQuerySet:
    """Return the questions that figures count: of the study's sets, and its own when answers were imported."""
    return Question.objects.counting().filter(Q(question_set__in=study.question_sets.all()) | Q(study=study))


def prospect_of(study: Study) -> StudyProspect:
    """Return what opening the study would find, counted now."""
    corpora = Counter(counting_questions(study).whole().values_list("corpus", flat=True))
    questions = corpora.total()
    forms, per_form = study.survey.dealt(questions)
    return StudyProspect(questions, per_form, forms * per_form, sorted(corpora.items()), bool(study.survey.mixes))


def newest_text(study: Study, kind: str) -> StudyText:
    """Return the newest text for participants of a kind in TEXTS, in the study's language."""
    newest: StudyText = study.texts.filter(kind=kind, language=study.language)[:1].get()
    return newest


def first_text(study: Study, kind: str) -> str:
    """Return the default text for participants; it follows the study's settings."""
    if kind == INSTRUCTIONS:
        return texts.instructions(study.language, study.survey.answer)
    return texts.consent(
        study.language,
        questions=conversations(study),
        minutes=study.survey.minutes,
        takers=study.survey.takers,
        about=len(demographics_of(study)),
        pay=study.survey.pay_in_words,
        by=_name_of_maker(study),
    )


def is_first(text: StudyText) -> bool:
    """Return whether a text is still the default."""
    return text.text == first_text(text.study, text.kind)


def names_no_person(study: Study) -> bool:
    """Return whether the consent names no contact: it is the default text, and the study's creator has no name.

    The account of the shell, for example, has none.
    """
    return not _name_of_maker(study) and is_first(newest_text(study, CONSENT))


def _name_of_maker(study: Study) -> str:
    return study.created_by.name if study.created_by else ""


def conversations(study: Study) -> int:
    """Return how many dialogues a participant reads after the practice: those of a form and the checks."""
    _forms, per_form = study.survey.dealt(counting_questions(study).whole().count())
    return study.survey.checks_asked + per_form


def questions_by_set(sets: QuerySet[QuestionSet]) -> list[QuestionSet]:
    """Return question sets by name, each with its `question_count` and its `corpora`."""
    found = {each.pk: each for each in sets.order_by("name")}
    for each in found.values():
        each.question_count, each.corpora = 0, []
    rows = Question.objects.counting().whole().filter(question_set__in=found).order_by("corpus")
    for pk, corpus, count in rows.values_list("question_set", "corpus").annotate(Count("pk")):
        found[pk].question_count += count
        found[pk].corpora += [corpus] if corpus else []
    return list(found.values())


def tells_its_checks(study: Study) -> bool:
    """Return whether a plan may be read in full: no one who is asked its checks can still answer them.

    Studies with an equal plan ask the same, and so do all copies of one study, its pilots among them. After a study
    is closed those who have begun go on to the end of their time.
    """
    family, found = {study.pk}, {study.pk}
    while found:
        related = Study.objects.filter(Q(copy_of__in=found) | Q(copies__in=found))
        found = set(related.values_list("pk", flat=True)) - family
        family |= found
    asked = Study.objects.filter(Q(pk__in=family) | Q(plan_checksum=study.plan_checksum))
    are_asked = asked.filter(Q(state=StudyState.OPEN) | Q(participants__state=ParticipantState.ANSWERING))
    return study.state == StudyState.CLOSED and not are_asked.exists()


def members_of(study: Study) -> QuerySet[User]:
    """Return the study's researchers."""
    own = {"study_memberships__study": study, "study_memberships__role": Role.RESEARCHER}
    return User.objects.filter(**own).order_by("name", "username")


def researchers_beside(study: Study) -> QuerySet[User]:
    """Return researchers with an active account who are not members of the study."""
    others = researchers().filter(is_active=True).exclude(study_memberships__study=study)
    return others.order_by("name", "username")


def question_counts(studies: QuerySet[Study]) -> dict[int, int]:
    """Return how many counting questions each study has, by its key.

    They are those in its forms; before there are forms, those of its sets; with imported answers, its own. A question
    counts once in however many conditions it is asked.
    """
    counting = Question.objects.counting().whole().order_by()
    own = counting.filter(study__in=studies).values_list("study").annotate(Count("pk"))
    drawn = counting.filter(question_set__studies__in=studies)
    of_sets = drawn.values_list("question_set__studies").annotate(Count("pk", distinct=True))
    in_forms = FormQuestion.objects.filter(study__in=studies).order_by().values_list("study")
    asked = in_forms.annotate(count=Count(WHOLE_QUESTION, distinct=True))
    return dict(of_sets) | dict(own) | dict(asked)


@dataclass(frozen=True)
class Counts:
    """Stored rows of a study with imported answers."""

    people: int
    questions: int
    answers: int
    by_corpus: list[tuple[str, int]]


def counts_of(study: Study) -> Counts:
    corpora = Counter(counting_questions(study).values_list("corpus", flat=True))
    people = Participant.objects.counting().filter(study=study)
    answers = Answer.objects.filter(presentation__participant__in=people)
    return Counts(people.count(), corpora.total(), answers.count(), sorted(corpora.items()))
