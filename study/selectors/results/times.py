"""Times of the people who count in a study: at a question, in the whole survey, and who is too fast by its rules.

Only for a study that is not open: how long people take is an outcome too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from core.domain.statistics import FloatArray, IntArray
from study.domain.results.answer_table import Names
from study.domain.results.exclusions import medians_of_people
from study.domain.results.log_times import times_as_long
from study.domain.results.times import position_class, quartiles
from study.domain.survey.phases import ENDED, ParticipantState
from study.domain.survey.validity import LEAST_PEOPLE
from study.models import Presentation, Study
from study.selectors.results.against_score import against_score
from study.selectors.results.answered import GivenAnswers, answers_given
from study.selectors.results.facts import CHUNK

TOO_FAST, AGAINST_SCORE = "too_fast", "against_score"
NEVER = datetime.max.replace(tzinfo=UTC)
Masks = Iterable[tuple[str, str, NDArray[np.bool_]]]  # a field, one of its names, and the rows that belong to it


@dataclass(frozen=True)
class _Times:
    """Times of some people, in a unit; `is_cut` marks those that the deadline cut short."""

    people: IntArray
    times: FloatArray
    is_cut: NDArray[np.bool_]

    def part(self, field: str, name: str, rows: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the quartiles of some of the times as JSON; none of fewer than five people."""
        people = len(np.unique(self.people[rows]))
        found = quartiles(self.times[rows], self.is_cut[rows]) if people >= LEAST_PEOPLE else None
        return {
            "field": field,
            "name": name,
            "people": people,
            "times": int(rows.sum()),
            "cut": int(self.is_cut[rows].sum()),
            "quartiles": found,
        }

    def parts(self, masks: Masks) -> list[dict[str, Any]]:
        whole = np.ones(len(self.times), dtype=np.bool_)
        return [self.part("", "", whole), *(self.part(field, name, rows) for field, name, rows in masks)]


def times_of(study: Study, given: GivenAnswers | None = None) -> dict[str, Any]:
    """Return the times as JSON, people by their key.

    `questions` has the milliseconds at a question that the browser told with an answer in time, of all and of each
    group, corpus, condition, form and ten places; a question that was open when the time ran out is as long as it was
    seen, and cut. `ratios` are how many times as long each group of links takes as the one with most times, the same
    corpus and condition. `survey` has the minutes from the first question to the end, cut where the time ran out.
    `too_fast` is the rule's threshold in seconds with the people it leaves out, the fastest first; null without the
    rule. `against_score` has how well people do against their time. `given` are the study's answers where they have
    been read.
    """
    given = given or answers_given(study)
    counted = given.are_counted(given.by_default)
    rows = given.rows[counted[given.rows["person"]]]
    cut = _open_at_deadline(study)
    is_cut = np.isin(rows["presentation"], list(cut)) & (rows["depth"] == 0)
    spent = np.where(is_cut, [cut.get(pk, np.nan) for pk in rows["presentation"].tolist()], rows["ms"])
    known = ~np.isnan(spent)
    at_questions = _Times(rows["person"][known], spent[known], is_cut[known])
    return {
        "without_time": int(((rows["depth"] > 0) & ~known).sum()),
        "questions": at_questions.parts(_parts_of_questions(study, given, rows[known])),
        "ratios": _ratios(given, rows[known], at_questions),
        "survey": _whole_survey(study, given, counted),
        TOO_FAST: _too_fast(study, given),
        AGAINST_SCORE: against_score(study, given),
    }


def _parts_of_questions(study: Study, given: GivenAnswers, rows: NDArray[Any]) -> Masks:
    labels = given.labels_of(rows)
    for field in ("group", "corpus", "condition", "form"):
        label = labels[field]
        found = label.occurring
        if len(set(found) - label.inner) > 1:
            yield from ((field, name, label.are(name)) for name in found if name not in label.inner)
        yield from ((field, name, label.are(name)) for name in found if name in label.inner)
    if not study.is_imported:  # the order in a file is no order of questions
        yield from _named("position", Names.of([position_class(place + 1) for place in rows["place"].tolist()]))


def _ratios(given: GivenAnswers, rows: NDArray[Any], at_questions: _Times) -> list[dict[str, Any]]:
    """Return how the groups of five people or more compare, with the interval for other people and questions."""
    facts = list(given.questions.values())
    groups = Names.of([each.group for each in given.people], rows["person"])
    corpora = Names.of([each.corpus for each in facts], rows["question"])
    sizes = {name: int(groups.are(name).sum()) for name in filter(None, groups.occurring)}
    names = [name for name in sizes if len(np.unique(rows["person"][groups.are(name)])) >= LEAST_PEOPLE]
    if len(names) < 2:
        return []
    names.sort(key=lambda name: (-sizes[name], name))
    chosen = np.isin(groups.codes, [groups.names.index(name) for name in names]) & (at_questions.times > 0)
    number = np.array([names.index(name) if name in names else -1 for name in groups.names])
    found = times_as_long(
        at_questions.times[chosen],
        at_questions.is_cut[chosen],
        number[groups.codes[chosen]],
        beside=[corpora.codes[chosen], rows["condition"][chosen]],
        people=rows["person"][chosen],
        questions=Names.of([each.whole for each in facts], rows["question"]).codes[chosen],
    )
    return [
        {"group": names[each.group], "against": names[0], "ratio": each.ratio, "ci": each.interval, "p": each.p}
        for each in found
    ]


def _named(field: str, column: Names) -> Masks:
    """Yield the names of a field where there are several, numbers in their order."""
    names = sorted(filter(None, column.occurring), key=_number_first)
    if len(names) > 1:
        yield from ((field, name, column.are(name)) for name in names)


def _number_first(name: str) -> tuple[int, str]:
    first = name.partition("–")[0]
    return (int(first) if first.isdecimal() else 0, name)


def _open_at_deadline(study: Study) -> dict[int, float]:
    """Return by key the presentations at which a person's time ran out, with the milliseconds they were seen."""
    newest: dict[int, tuple[datetime, int, bool, datetime]] = {}
    answered: dict[int, datetime] = {}
    shown = Presentation.objects.filter(
        participant__study=study, participant__ended_at__gte=F("participant__deadline_at"), shown_at__isnull=False
    ).order_by()
    fields = ("pk", "participant", "shown_at", "participant__deadline_at", "answer__answered_at")
    for pk, person, shown_at, deadline_at, answered_at in shown.values_list(*fields).iterator(chunk_size=CHUNK):
        if person not in newest or shown_at > newest[person][0]:
            newest[person] = (shown_at, pk, answered_at is None, deadline_at)
        if answered_at and (person not in answered or answered_at > answered[person]):
            answered[person] = answered_at
    return {
        pk: (deadline_at - shown_at).total_seconds() * 1000
        for person, (shown_at, pk, is_open, deadline_at) in newest.items()
        if is_open and shown_at < deadline_at and answered.get(person, shown_at) <= shown_at
    }


def _whole_survey(study: Study, given: GivenAnswers, counted: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return the minutes of all, of each group and of each form; none where people take as many sittings as they need.

    Answers that were given elsewhere do not tell them.
    """
    if study.is_imported or study.survey.is_signed_in:
        return []
    ended = study.participants.filter(state__in=ENDED)
    fields = ended.values_list("pk", "state", "started_at", "ended_at", "deadline_at")
    spans = {
        pk: (min(end, deadline or end) - start, state == ParticipantState.TIMED_OUT or end >= (deadline or NEVER))
        for pk, state, start, end, deadline in fields
        if start and end
    }
    people = [place for place, pk in enumerate(given.keys.tolist()) if counted[place] and pk in spans]
    found = [spans[int(given.keys[place])] for place in people]
    minutes = np.array([span.total_seconds() / 60 for span, _is_cut in found])
    times = _Times(np.array(people), minutes, np.array([is_cut for _span, is_cut in found], dtype=np.bool_))
    own = [given.people[place] for place in people]
    groups, forms = (Names.of([getattr(each, field) for each in own]) for field in ("group", "form"))
    return times.parts([*_named("group", groups), *_named("form", forms)])


def _too_fast(study: Study, given: GivenAnswers) -> dict[str, Any] | None:
    if TOO_FAST not in given.is_out:
        return None
    medians = medians_of_people(given.rows["person"], given.rows["ms"], len(given.keys))
    answers = np.bincount(given.rows["person"][given.rows["depth"] > 0], minlength=len(given.keys))
    people = [
        {"person": int(given.keys[place]), "seconds": float(medians[place]), "answers": int(answers[place])}
        for place in np.flatnonzero(given.is_out[TOO_FAST])
    ]
    return {"threshold": study.survey.too_fast, "people": sorted(people, key=lambda each: each["seconds"])}
