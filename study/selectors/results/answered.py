"""Answers of people in a study, read once and prepared for the figures."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from study.domain.results.answer_table import Names, Table, turns_class
from study.domain.results.exclusions import (
    LATE,
    applies,
    excluded_people,
    medians_of_people,
    thresholds_of,
)
from study.domain.results.metrics import Ranked
from study.domain.survey.survey import DerivedGroup
from study.models import LateAnswer, Presentation, Question, QuestionPurpose, Study
from study.selectors.results.behaviour import behaviour_of

CHUNK = 10_000
NOT_AMONG = -1  # `better` of an answer in which the true candidate has no rank
WHOLE = "whole"  # the condition of a context to which nothing was done, where there are others
CHOICE = [("better", "i8"), ("tied", "i8"), ("depth", "i8")]  # depth 0: left empty
ROW = np.dtype(
    [
        *(("presentation", "i8"), ("person", "i8"), ("question", "i8"), ("condition", "i8")),
        *(*CHOICE, ("ms", "f8"), ("position", "i8")),
    ]
)
LATE_ROW = np.dtype([("presentation", "i8"), *CHOICE])


class QuestionFacts(NamedTuple):
    """A question as figures need it. `turns` is the length of its context.

    `key` is its name in the study, `whole` that of the same question in its whole context: one for all conditions.
    """

    key: str
    whole: str
    corpus: str
    candidates: int
    turns: int
    answer: int | None
    is_scored: bool


class Respondent(NamedTuple):
    """A person as figures need them. `key` sorts in the order of joining, so that resamples are always the same."""

    key: str
    group: str
    form: str


@dataclass(frozen=True)
class StudyAnswers:
    """Answers of a study under some rules. `table` has those that count.

    `excluded` is how many people each rule applies to, of late answers how many gave some. `unanswered` questions were
    shown to people who count and left empty; `without_key` answers cannot be scored.
    """

    table: Table
    questions: dict[int, QuestionFacts]
    excluded: dict[str, int]
    unanswered: int
    without_key: int


@dataclass(frozen=True)
class GivenAnswers:
    """All that was asked and answered in a study, under no rule yet: a row for each question of work shown to a person.

    Columns of `rows` are positions in `people`, `conditions` and among the keys of `questions`; `late` has the same
    length, with depth 0 where no answer came late. `derived` are the groups that an answer makes, with their people.
    `thresholds` are the rules of the study, `is_out` marks the people that each of them leaves out. Those
    `still_answering` do not count yet and are not among the people, whose own keys are `keys`.
    """

    rows: NDArray[Any]
    late: NDArray[Any]
    people: list[Respondent]
    questions: dict[int, QuestionFacts]
    conditions: list[str]
    derived: list[tuple[DerivedGroup, NDArray[np.bool_]]]
    thresholds: dict[str, int | None]
    is_out: dict[str, NDArray[np.bool_]]
    still_answering: int
    keys: NDArray[np.int64]

    def are_counted(self, without: Collection[str] = (), also: Collection[str] = ()) -> NDArray[np.bool_]:
        """Mark the people who count under all rules except those named in `without`, and those in `also`."""
        out = [marked for name, marked in self.is_out.items() if applies(name, without, also)]
        counted: NDArray[np.bool_] = ~np.any([np.zeros(len(self.people), dtype=np.bool_), *out], axis=0)
        return counted

    def under(self, without: Collection[str] = (), also: Collection[str] = ()) -> StudyAnswers:
        """Return the answers that count under all rules except those named in `without`, and those in `also`."""
        shown = self.are_counted(without, also)[self.rows["person"]]
        is_late = self.late["depth"] > 0
        counts_late = LATE in without or LATE not in self.thresholds
        rows = self.rows.copy() if counts_late else self.rows
        if counts_late:
            for name, _kind in CHOICE:
                rows[name][is_late] = self.late[name][is_late]
        answered = shown & (rows["depth"] > 0)
        scored = answered & self._is_scored[rows["question"]]
        return StudyAnswers(
            table=self._table(rows[scored]),
            questions={pk: facts for pk, facts in self.questions.items() if facts.is_scored},
            excluded={name: int(marked.sum()) for name, marked in self.is_out.items()}
            | {LATE: len(np.unique(self.rows["person"][shown & is_late]))},
            unanswered=int(shown.sum() - answered.sum()),
            without_key=int(answered.sum() - scored.sum()),
        )

    @cached_property
    def _is_scored(self) -> NDArray[np.bool_]:
        return np.array([facts.is_scored for facts in self.questions.values()], dtype=np.bool_)

    def _table(self, rows: NDArray[Any]) -> Table:
        facts = list(self.questions.values())
        person, question = rows["person"], rows["question"]
        ranked, ranking = _rankings(rows, np.array([each.candidates for each in facts], dtype=np.int64)[question])
        return Table(
            people=Names.of([each.key for each in self.people], person),
            questions=Names.of([each.whole for each in facts], question),
            asked=Names.of([each.key for each in facts], question),
            labels={
                "corpus": Names.of([each.corpus for each in facts], question),
                "group": Names.of([each.group for each in self.people], person),
                "form": Names.of([each.form for each in self.people], person),
                "condition": Names.of(self.conditions, rows["condition"]),
                "turns": Names.of([turns_class(each.turns) for each in facts], question),
            },
            ranked=ranked,
            ranking=ranking,
            derived={
                group.name: members[person] & np.isin([facts[each].corpus for each in question.tolist()], group.corpora)
                for group, members in self.derived
            },
        ).in_order()


def _rankings(rows: NDArray[Any], candidates: NDArray[np.int64]) -> tuple[tuple[Ranked, ...], NDArray[np.int64]]:
    """Return the different rankings, and which of them each row is."""
    columns = np.stack([*(rows[name] for name, _kind in CHOICE), candidates]) + 1  # from 0: none is below NOT_AMONG
    sizes = columns.max(axis=1, initial=0) + 1
    distinct, ranking = np.unique(np.ravel_multi_index(tuple(columns), tuple(sizes)), return_inverse=True)
    found = zip(*(column.tolist() for column in np.array(np.unravel_index(distinct, tuple(sizes))) - 1), strict=True)
    ranked = tuple(
        Ranked(None if better == NOT_AMONG else better, tied, depth, among) for better, tied, depth, among in found
    )
    return ranked, ranking.astype(np.int64)


def answers_given(study: Study) -> GivenAnswers:
    """Return what people of a study were asked and answered."""
    people, still = _people(study)
    rows, conditions = _shown(study)
    asked, question = np.unique(rows["question"], return_inverse=True)
    questions, checks = _questions(study, asked.tolist())
    keys = np.array(sorted(people), dtype=np.int64)
    is_work = np.isin(asked, list(questions))
    counts = is_work[question] & np.isin(rows["person"], keys)
    rows["question"] = (np.cumsum(is_work) - 1)[question]
    rows = rows[counts]
    rows["person"] = np.searchsorted(keys, rows["person"])
    late = _late(study, rows["presentation"])
    given = np.bincount(rows["person"][(rows["depth"] > 0) | (late["depth"] > 0)], minlength=len(keys))
    times = medians_of_people(rows["person"], rows["ms"], len(keys))
    behaviour = behaviour_of(
        study,
        keys,
        given,
        times,
        asked=Presentation.objects.filter(participant__study=study),
        checks=Presentation.objects.filter(question__in=checks),
    )
    is_out = excluded_people(study.survey, behaviour)
    return GivenAnswers(
        rows=rows,
        late=late,
        people=[people[pk] for pk in keys.tolist()],
        questions={pk: questions[pk] for pk in sorted(questions)},
        conditions=conditions,
        derived=_derived(study, keys),
        thresholds=dict.fromkeys(is_out) | thresholds_of(study.survey),
        is_out=is_out,
        still_answering=still,
        keys=keys,
    )


def _people(study: Study) -> tuple[dict[int, Respondent], int]:
    """Return by key the people who did not withdraw and whose time is not running, and how many have time running.

    People of a pilot do not count.
    """
    if study.survey.pilot:
        return {}, 0
    under_way = set(study.participants.still_answering().values_list("pk", flat=True))
    rows = study.participants.counting().values_list("pk", "label", "group__name", "form")
    people = {
        pk: Respondent(label or f"{pk:012}", group or "", str(form or "")) for pk, label, group, form in rows.iterator()
    }
    return {pk: person for pk, person in people.items() if pk not in under_way}, len(under_way)


def _shown(study: Study) -> tuple[NDArray[Any], list[str]]:
    """Return every question shown in a study with the answer given in time, and the names of its conditions."""
    number: dict[str, int] = {}
    read = Presentation.objects.filter(participant__study=study).order_by()
    found = read.values_list(
        "pk",
        "participant",
        "question",
        "condition",
        "answer__better",
        "answer__tied",
        "answer__depth",
        "answer__milliseconds",
        "position",
    )
    rows = (
        (pk, person, question, number.setdefault(condition, len(number)), *_choice(better, tied, depth), ms, position)
        for pk, person, question, condition, better, tied, depth, ms, position in found.iterator(chunk_size=CHUNK)
    )
    shown = np.fromiter(rows, dtype=ROW)
    return shown, [name or (WHOLE if len(number) > 1 else "") for name in number]


def _choice(better: int | None, tied: int | None, depth: int | None) -> tuple[int, int, int]:
    """Return the columns of CHOICE; no depth is that of no answer."""
    return NOT_AMONG if better is None else better, tied or 0, depth or 0


def _late(study: Study, presentations: NDArray[np.int64]) -> NDArray[Any]:
    """Return, for each presentation, the answer that came late."""
    read = LateAnswer.objects.filter(presentation__participant__study=study)
    found = read.values_list("presentation", "better", "tied", "depth").iterator(chunk_size=CHUNK)
    given = np.fromiter(((pk, *_choice(*choice)) for pk, *choice in found), dtype=LATE_ROW)
    given = given[np.isin(given["presentation"], presentations)]
    late = np.zeros(len(presentations), dtype=LATE_ROW)
    order = np.argsort(presentations)
    late[order[np.searchsorted(presentations, given["presentation"], sorter=order)]] = given
    return late


def _derived(study: Study, keys: NDArray[np.int64]) -> list[tuple[DerivedGroup, NDArray[np.bool_]]]:
    """Return each derived group with a mask of its people."""
    found = []
    for group in study.survey.derived_groups:
        of_group = study.participants.filter(group__name=group.group).values_list("pk", "demographics")
        people = [pk for pk, said in of_group.iterator() if said.get(group.question) in group.answers]
        found.append((group, np.isin(keys, people)))
    return found


def _questions(study: Study, keys: list[int]) -> tuple[dict[int, QuestionFacts], list[int]]:
    """Return those of these questions that count, by key, and the keys of attention checks.

    A question is scored if its answer is known; imported answers were scored by their file.
    """
    fields = ("pk", "purpose", "question_set__name", "external_id", "whole_id")
    facts = ("corpus", "candidates_count", "context", "answer", "study")
    counting, checks = {}, []
    for pk, purpose, of_set, name, whole, corpus, candidates, context, answer, own in (
        Question.objects.filter(pk__in=keys).values_list(*fields, *facts).iterator(chunk_size=CHUNK)
    ):
        is_scored = answer is not None or bool(own and study.is_imported)
        if purpose == QuestionPurpose.WORK:
            key, of_all = (f"{of_set}/{each}" if of_set else each for each in (name, whole or name))
            counting[pk] = QuestionFacts(key, of_all, corpus, candidates, len(context), answer, is_scored)
        elif purpose == QuestionPurpose.CHECK:
            checks.append(pk)
    return counting, checks
