"""What figures need to know of the people and the questions of a study, and the labels that answers get from both."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from study.domain.results.answer_table import Names
from study.domain.results.labels import SAYS, TURNS, Label, halves_label, places_label, turns_class
from study.domain.survey.demographics import DemographicQuestion
from study.domain.survey.survey import DerivedGroup
from study.models import Question, QuestionPurpose, Study

CHUNK = 10_000


class QuestionFacts(NamedTuple):
    """A question as figures need it, in one condition. `turns` is the length of its context, `types` of reasoning.

    There are at least so many `candidates` where their number `is_guessed`.
    `key` is its name in the study, `whole` that of the same question in its whole context: one for all conditions.
    """

    key: str
    whole: str
    corpus: str
    candidates: int
    is_guessed: bool
    turns: int
    answer: int | None
    is_scored: bool
    types: tuple[str, ...]
    condition: str


class Respondent(NamedTuple):
    """A person as figures need them. `key` sorts in the order of joining, so that resamples are always the same.

    `says` are their answers to questions about themselves.
    """

    key: str
    group: str
    form: str
    says: Mapping[str, str]


def people_of(study: Study) -> tuple[dict[int, Respondent], int]:
    """Return by key the people who did not withdraw and whose time is not running, and how many have time running.

    People of a pilot do not count.
    """
    if study.survey.pilot:
        return {}, 0
    under_way = set(study.participants.still_answering().values_list("pk", flat=True))
    rows = study.participants.counting().values_list("pk", "label", "group__name", "form", "demographics")
    people = {
        pk: Respondent(label or f"{pk:012}", group or "", str(form or ""), says)
        for pk, label, group, form, says in rows.iterator()
    }
    return {pk: person for pk, person in people.items() if pk not in under_way}, len(under_way)


def questions_of(study: Study, keys: list[int]) -> tuple[dict[int, QuestionFacts], list[int]]:
    """Return those of these questions that count, by key, and the keys of attention checks.

    A question is scored if its answer is known; imported answers were scored by their file.
    """
    fields = ("pk", "purpose", "question_set__name", "external_id", "whole_id", "condition")
    facts = ("corpus", "candidates_count", "candidates_guessed", "context", "answer", "reasoning", "study")
    counting, checks = {}, []
    for pk, purpose, of_set, name, whole, condition, corpus, candidates, guessed, context, answer, types, own in (
        Question.objects.filter(pk__in=keys).values_list(*fields, *facts).iterator(chunk_size=CHUNK)
    ):
        is_scored = answer is not None or bool(own and study.is_imported)
        if purpose == QuestionPurpose.WORK:
            key, of_all = (f"{of_set}/{each}" if of_set else each for each in (name, whole or name))
            counting[pk] = QuestionFacts(
                key, of_all, corpus, candidates, guessed, len(context), answer, is_scored, tuple(types), condition
            )
        elif purpose == QuestionPurpose.CHECK:
            checks.append(pk)
    return counting, checks


def labels_of(
    study: Study,
    people: Sequence[Respondent],
    questions: Sequence[QuestionFacts],
    asked: Sequence[DemographicQuestion],
    conditions: Sequence[str],
    rows: NDArray[Any],
) -> dict[str, Label]:
    """Return the labels of rows of a study's answers, by name; see `study.selectors.results.answered`.

    `asked` are the questions on people. Imported answers are in no order, so their places tell nothing.
    """
    person, question = rows["person"], rows["question"]
    corpus = Label.of([one.corpus for one in questions], question)
    labels = {
        "corpus": corpus,
        "group": _groups(study.survey.derived_groups, people, questions, rows),
        "form": Label.of([one.form for one in people], person),
        "condition": Label.of(conditions, rows["condition"]),
        "turns": Label.of([turns_class(one.turns) for one in questions], question, TURNS),
        "type": Label.of([one.types for one in questions], question),
    }
    if not study.is_imported:
        labels |= {
            "half": halves_label(rows["place"], rows["places"]),
            "position": places_label(rows["place"]),
        }
    for about in asked:
        said = [one.says.get(about.key, "") for one in people]
        labels[f"{SAYS}{about.key}"] = Label.of(said, person, [*about.answers])
    return labels


def _groups(
    derived: Sequence[DerivedGroup],
    people: Sequence[Respondent],
    questions: Sequence[QuestionFacts],
    rows: NDArray[Any],
) -> Label:
    """Return the label of groups: of links, then those that an answer makes, each in the corpora for which it is."""
    links = Label.of([one.group for one in people], rows["person"])
    if not derived:
        return links
    corpora = Names.of([one.corpus for one in questions], rows["question"])
    belongs = [np.repeat(links.belongs[:, :, None], len(corpora.names), axis=2)]
    for group in derived:
        members = [one.group == group.group and one.says.get(group.question) in group.answers for one in people]
        belongs.append(np.outer(members, np.isin(corpora.names, group.corpora))[None])
    names = (*links.names, *(group.name for group in derived))
    kind = rows["person"] * len(corpora.names) + corpora.codes
    return Label(names, np.concatenate(belongs).reshape(len(names), -1), kind, frozenset(names[len(links.names) :]))
