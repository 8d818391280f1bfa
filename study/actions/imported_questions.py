"""Questions of answers given elsewhere: those of a question set that have these names, or questions of their own."""

from collections.abc import Mapping, Sequence

from django.db.models import Count, Max

from core.actions.names import keep
from core.models.bulk import is_one_of
from core.models.people import User
from study.domain.results.ranks import RanksGiven
from study.importers.answers import AnswerRow
from study.models import Question, QuestionSet, Study
from study.permissions import question_sets_of
from study.selectors.runs.sources import instance_of

CHUNK = 5_000


def tie(study: Study, rows: Sequence[AnswerRow], ranks: RanksGiven, *, by: User) -> None:
    """Tie a new study to the question set that has the questions of a file by their names, if there is one.

    It has all of them, with a key and, as far as the file tells, in the same corpus and with as many candidates. Where
    several sets have them, they have to ask the same.
    """
    names = {row.question for row in rows}
    corpora = {(row.question, row.corpus) for row in rows if row.corpus}
    asked = Question.objects.counting().filter(is_one_of("external_id", sorted(names)))
    sets = QuestionSet.objects.filter(
        pk__in=asked.filter(question_set__in=question_sets_of(by), answer__isnull=False)
        .order_by()
        .values("question_set")
        .annotate(times=Count("pk"))
        .filter(times=len(names))
        .values("question_set")
    ).order_by("pk")
    found: dict[tuple[str, ...], QuestionSet] = {}
    for question_set in sets:
        questions = list(asked.filter(question_set=question_set).order_by("external_id"))
        counts = {question.candidates_count for question in questions}
        if corpora <= {(question.external_id, question.corpus) for question in questions} and (
            not ranks.candidates
            or counts == {ranks.candidates}
            or (ranks.is_guessed and min(counts) > ranks.candidates)
        ):
            found.setdefault(tuple(instance_of(one, one.external_id).content for one in questions), question_set)
    if len(found) == 1:
        keep(question_set.name for question_set in found.values())
        study.question_sets.add(*found.values())


def make(
    study: Study, known: Mapping[str, Question], corpora: Mapping[str, str], ranks: RanksGiven
) -> dict[str, Question]:
    """Create the questions that the study lacks, after its own. Set the number of candidates where it was unknown."""
    unknown = [one.pk for one in known.values() if not one.candidates_count]
    if unknown and ranks.candidates:
        Question.objects.filter(pk__in=unknown).update(
            candidates_count=ranks.candidates, candidates_guessed=ranks.is_guessed
        )
    last = study.own_questions.aggregate(last=Max("position"))["last"] or 0
    names_of_new = [name for name in corpora if name not in known]
    made = Question.objects.bulk_create(
        [
            Question(
                study=study,
                position=position,
                external_id=name,
                corpus=corpora[name],
                candidates_count=ranks.candidates,
                candidates_guessed=ranks.is_guessed,
            )
            for position, name in enumerate(names_of_new, start=last + 1)
        ],
        batch_size=CHUNK,
    )
    return {one.external_id: one for one in made}
