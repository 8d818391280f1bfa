"""Answers of people in a study, read once and prepared for the figures."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from study.domain.results.answer_table import Names, Table
from study.domain.results.exclusions import (
    LATE,
    OF_PLAN,
    PERHAPS_VALID,
    RuleSwitches,
    excluded_people,
    medians_of_people,
    thresholds_of,
)
from study.domain.results.labels import WHOLE, Label, places_of
from study.domain.results.metrics import Ranked
from study.domain.survey.demographics import DemographicQuestion
from study.domain.survey.validity import Validity
from study.models import Behaviour, LateAnswer, Presentation, Study
from study.selectors.results.behaviour import behaviour_of, signs_of
from study.selectors.results.facts import CHUNK, QuestionFacts, Respondent, labels_of, people_of, questions_of
from study.selectors.survey.demographics import demographics_of

NOT_AMONG = -1  # `better` of an answer in which the true candidate has no rank
CHOICE = [("better", "i2"), ("tied", "i2"), ("depth", "i2")]  # depth 0: left empty
PLACE = [("place", "i2"), ("places", "i2")]  # in a person's own order, from 0, and how many it has
SHOWN = [("presentation", "i8"), ("person", "i8"), ("question", "i8"), ("condition", "i2"), *PLACE]
ROW = np.dtype([*SHOWN, *CHOICE, ("ms", "f8")])
LATE_ROW = np.dtype([("presentation", "i8"), *CHOICE])
NO_ANSWER = {"better": NOT_AMONG, "tied": 0, "depth": 0}

# Fields that are read, and the column of each, of which those of CHOICE may be NaN.
PRESENTATION = {
    "pk": ("presentation", "i8"),
    "participant": ("person", "i8"),
    "question": ("question", "i8"),
    "condition": ("condition", "U20"),
    "position": ("place", "i2"),
    "answer__better": ("better", "f8"),
    "answer__tied": ("tied", "f8"),
    "answer__depth": ("depth", "f8"),
    "answer__milliseconds": ("ms", "f8"),
}
LATE_ANSWER = {"presentation": ("presentation", "i8"), **{name: (name, "f8") for name in NO_ANSWER}}


@dataclass(frozen=True)
class StudyAnswers:
    """Answers of a study under some rules. `table` has those that count.

    `unanswered` questions were shown to people who count and left empty; `without_key` answers cannot be scored.
    """

    table: Table
    questions: dict[int, QuestionFacts]
    unanswered: int
    without_key: int


@dataclass(frozen=True)
class EveryAnswer:
    """All that was shown, with the answers that came in time or with the late ones, too; `table` has what is scored."""

    rows: NDArray[Any]
    is_scored: NDArray[np.bool_]
    table: Table


@dataclass(frozen=True)
class GivenAnswers:
    """All that was asked and answered in a study, under no rule yet: a row for each question of work shown to a person.

    Columns of `rows` are positions in `people`, `conditions` and among the keys of `questions`, and the place of the
    question in the person's own order; rows are in order of person and question. `late` has the same length, with depth
    0 where no answer came late. `asked` are the questions about people. `rules` are those of the study, each with its
    threshold, or None; `is_out` marks the people that each of them leaves out, and `is_marked` the questions that the
    rule about questions does. Those `still_answering` do not count yet and are not among the people, whose own keys are
    `keys`. `signs` has what the behaviour log flags, by the key of each person of whom it flags anything.
    """

    study: Study
    rows: NDArray[Any]
    late: NDArray[Any]
    people: list[Respondent]
    questions: dict[int, QuestionFacts]
    asked: list[DemographicQuestion]
    conditions: list[str]
    rules: dict[str, int | None]
    is_out: dict[str, NDArray[np.bool_]]
    is_marked: NDArray[np.bool_]
    still_answering: int
    keys: NDArray[np.int64]
    signs: dict[int, list[str]]

    @property
    def by_default(self) -> frozenset[str]:
        """The rules that apply where none is switched: those of the plan, and exclusion by hand."""
        return RuleSwitches().applied(self.rules)

    @property
    def of_plan(self) -> frozenset[str]:
        """The rules of the plan alone."""
        return self.by_default & {*OF_PLAN}

    def are_counted(self, applied: Collection[str]) -> NDArray[np.bool_]:
        """Mark the people who count under some rules."""
        out = [marked for name, marked in self.is_out.items() if name in applied]
        counted: NDArray[np.bool_] = ~np.any([np.zeros(len(self.people), dtype=np.bool_), *out], axis=0)
        return counted

    def everyone(self, applied: Collection[str]) -> EveryAnswer:
        """Return the answers of all people, late ones too if no rule leaves them out."""
        return self._in_time if LATE in applied else self._late_too

    def table_under(self, applied: Collection[str]) -> Table:
        """Return the scored answers that count under some rules."""
        table, inside = self.everyone(applied).table, self.count_in(applied)
        return table if inside.all() else table.where(inside)

    def count_in(self, applied: Collection[str]) -> NDArray[np.bool_]:
        """Mark the rows of `everyone(applied).table` that count under some rules."""
        return self._are_shown(applied)[self.everyone(applied).is_scored]

    def under(self, applied: Collection[str]) -> StudyAnswers:
        """Return the answers that count under some rules."""
        shown, table = self._are_shown(applied), self.table_under(applied)
        answered = shown & (self.everyone(applied).rows["depth"] > 0)
        return StudyAnswers(
            table=table,
            questions={pk: facts for pk, facts in self.questions.items() if facts.is_scored},
            unanswered=int(shown.sum() - answered.sum()),
            without_key=int(answered.sum()) - len(table),
        )

    def _are_shown(self, applied: Collection[str]) -> NDArray[np.bool_]:
        """Mark the rows of people who count, without questions that a rule leaves out."""
        shown: NDArray[np.bool_] = self.are_counted(applied)[self.rows["person"]]
        return shown & ~self.is_marked[self.rows["question"]] if PERHAPS_VALID in applied else shown

    @cached_property
    def _in_time(self) -> EveryAnswer:
        return self._every(self.rows)

    @cached_property
    def _late_too(self) -> EveryAnswer:
        is_late, rows = self.late["depth"] > 0, self.rows.copy()
        for name, _kind in CHOICE:
            rows[name][is_late] = self.late[name][is_late]
        return self._every(rows)

    def _every(self, rows: NDArray[Any]) -> EveryAnswer:
        facts = list(self.questions.values())
        has_key = np.array([each.is_scored for each in facts], dtype=np.bool_)
        is_scored = (rows["depth"] > 0) & has_key[rows["question"]]
        scored = rows if is_scored.all() else rows[is_scored]  # labels keep these rows in memory
        return EveryAnswer(rows, is_scored, self._table(scored, facts))

    def labels_of(self, rows: NDArray[Any]) -> dict[str, Label]:
        """Return the labels of some of the rows, by name."""
        facts = list(self.questions.values())
        return labels_of(self.study, self.people, facts, self.asked, self.conditions, rows)

    def _table(self, rows: NDArray[Any], facts: list[QuestionFacts]) -> Table:
        person, question = rows["person"], rows["question"]
        ranked, ranking = _rankings(rows, np.array([each.candidates for each in facts], dtype=np.int64)[question])
        return Table(
            people=Names.of([each.key for each in self.people], person),
            questions=Names.of([each.whole for each in facts], question),
            asked=Names.of([each.key for each in facts], question),
            labels=self.labels_of(rows),
            ranked=ranked,
            ranking=ranking,
        )


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
    people, still = people_of(study)
    rows, conditions = _shown(study)
    asked, question = np.unique(rows["question"], return_inverse=True)
    questions, checks = questions_of(study, asked.tolist())
    keys = np.array(sorted(people), dtype=np.int64)
    is_work = np.isin(asked, list(questions))
    counts = is_work[question] & np.isin(rows["person"], keys)
    rows["question"] = (np.cumsum(is_work) - 1)[question]
    rows = rows[counts]
    rows["person"] = np.searchsorted(keys, rows["person"])
    by_key = {pk: questions[pk] for pk in sorted(questions)}
    own = [people[pk] for pk in keys.tolist()]
    rows = _in_order(rows, own, [*by_key.values()])
    rows["place"], rows["places"] = places_of(rows["person"], rows["place"])
    late = _late(study, rows["presentation"])
    given = np.bincount(rows["person"][(rows["depth"] > 0) | (late["depth"] > 0)], minlength=len(keys))
    times = medians_of_people(rows["person"], rows["ms"], len(keys))
    signs = signs_of(Behaviour.objects.filter(participant__study=study))
    behaviour = behaviour_of(
        study,
        keys,
        given,
        times,
        asked=Presentation.objects.filter(participant__study=study),
        checks=Presentation.objects.filter(question__in=checks),
        signs=signs,
    )
    is_out = excluded_people(study.survey, behaviour)
    is_marked = _marked(study, by_key)
    rules = dict.fromkeys(is_out) | thresholds_of(study.survey)
    return GivenAnswers(
        study=study,
        rows=rows,
        late=late,
        people=own,
        questions=by_key,
        asked=demographics_of(study),
        conditions=conditions,
        rules=rules | ({PERHAPS_VALID: None} if is_marked.any() else {}),
        is_out=is_out,
        is_marked=is_marked,
        still_answering=still,
        keys=keys,
        signs=signs,
    )


def _marked(study: Study, questions: dict[int, QuestionFacts]) -> NDArray[np.bool_]:
    """Mark the questions, in all their conditions, at which another line may be right, as researchers decided."""
    decided = study.decisions.filter(decision=Validity.PERHAPS_VALID).values_list("question", flat=True)
    marked = {questions[pk].whole for pk in decided if pk in questions}
    return np.array([one.whole in marked for one in questions.values()], dtype=np.bool_)


def _in_order(rows: NDArray[Any], people: list[Respondent], questions: list[QuestionFacts]) -> NDArray[Any]:
    """Return the rows in order of person and question, by their names."""
    by_person = Names.of([one.key for one in people], rows["person"]).codes
    by_question = Names.of([one.whole for one in questions], rows["question"]).codes
    return rows[np.lexsort((by_question, by_person))]


def _shown(study: Study) -> tuple[NDArray[Any], list[str]]:
    """Return every question shown in a study with the answer given in time, and the names of its conditions."""
    read = _read(Presentation.objects.filter(participant__study=study).order_by(), PRESENTATION)
    names, conditions = np.unique(read["condition"], return_inverse=True)
    shown = _filled(read, ROW)
    shown["condition"] = conditions
    return shown, [name or (WHOLE if len(names) > 1 else "") for name in names.tolist()]


def _read(found: QuerySet[Any], columns: Mapping[str, tuple[str, str]]) -> NDArray[Any]:
    return np.fromiter(found.values_list(*columns).iterator(chunk_size=CHUNK), dtype=[*columns.values()])


def _filled(read: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Return rows with the numbers that were read, and with those of no answer where there is none."""
    rows = np.zeros(len(read), dtype=kind)
    for name in {*(read.dtype.names or ())} - {"condition"}:
        rows[name] = np.where(np.isnan(read[name]), NO_ANSWER[name], read[name]) if name in NO_ANSWER else read[name]
    return rows


def _late(study: Study, presentations: NDArray[np.int64]) -> NDArray[Any]:
    """Return, for each presentation, the answer that came late."""
    given = _filled(_read(LateAnswer.objects.filter(presentation__participant__study=study), LATE_ANSWER), LATE_ROW)
    given = given[np.isin(given["presentation"], presentations)]
    late = np.zeros(len(presentations), dtype=LATE_ROW)
    order = np.argsort(presentations)
    late[order[np.searchsorted(presentations, given["presentation"], sorter=order)]] = given
    return late
