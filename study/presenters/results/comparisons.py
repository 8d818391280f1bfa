"""Comparisons on the page of results: what the plan fixed first, then the others of a corpus, each with a verdict."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.domain.statistics import Interval, MissingFigure
from core.presenters.axis import Axis
from core.templatetags.figures import p_value
from study.domain.results.compared import ComparisonTest, has_few_questions, is_of_these_people
from study.domain.results.families import ALPHA, ComparisonVerdict, Family
from study.presenters.runs.words import name_of

Comparisons = dict[str, Any]

VERDICTS = {
    ComparisonVerdict.DIFFERENT: gettext_lazy("different"),
    ComparisonVerdict.SIMILAR: gettext_lazy("similar: within the margin"),
    ComparisonVerdict.DIFFERENT_BUT_SIMILAR: gettext_lazy("different, by less than the margin"),
    ComparisonVerdict.NEITHER: gettext_lazy("neither different nor similar is shown"),
    ComparisonVerdict.UNKNOWN: gettext_lazy("not tested: nothing varies, or a group is one person"),
}
FOR_THESE_PEOPLE = {  # where the p of few people says more than one of people in general
    ComparisonVerdict.DIFFERENT: gettext_lazy("different for these people; not shown for others"),
    ComparisonVerdict.DIFFERENT_BUT_SIMILAR: VERDICTS[ComparisonVerdict.SIMILAR],
}
NO_MARGIN = gettext_lazy("no difference is shown")
SHORTEST_AXIS = 0.1  # on each side of 0
ADJUSTED_BY = {"holm": "Holm", "benjamini-hochberg": "BH"}


@dataclass(frozen=True)
class ComparisonRow:
    """A comparison as its row of the table: `row` is as `compare` prints it, `titles` are those of `model_titles`."""

    row: dict[str, Any]
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.first_name} − {self.second_name}"

    @property
    def first_name(self) -> str:
        if self.row["model"] and self.row["against"]:
            return self.titles.get(self.row["model"], str(self.row["model"]))
        return self.row["group"] or _("All people")

    @property
    def second_name(self) -> str:
        """The other group or model; of a planned run of several, which one it is."""
        if self.row["against"]:
            against = str(self.row["against"])
            return self.titles.get(against, against) if self.row["model"] else against
        title = self.titles.get(self.row["model"], str(self.row["model"]))
        if not self.row["first_of"]:
            return title
        mark = _("the first of %(n)s runs") % {"n": self.row["first_of"]}
        return _("%(name)s (%(mark)s)") % {"name": title, "mark": mark}

    @property
    def over(self) -> str:
        """Over how many questions it is, and of how many where people answered more."""
        questions, asked = self.row["questions"], self.asked
        said = {"n": f"{questions:,}", "asked": f"{asked:,}"}
        if questions < asked:
            return ngettext("%(n)s of %(asked)s question", "%(n)s of %(asked)s questions", asked) % said
        return ngettext("%(n)s question", "%(n)s questions", questions) % said

    @property
    def asked(self) -> int:
        """How many questions these people answered."""
        return int(self.row.get("questions_asked", self.row["questions"]))  # what an earlier version stored has none

    @property
    def ends(self) -> Interval | None:
        """The ends of the interval; they meet where nothing varies, which is then said in its place."""
        if self.row["smallest_why"] == MissingFigure.NO_VARIANCE:
            return self.row["difference"], self.row["difference"]
        return self.row["ci"] and (self.row["ci"][0], self.row["ci"][1])

    @property
    def is_primary(self) -> bool:
        return bool(self.row["family"] == Family.PRIMARY)

    @property
    def is_planned(self) -> bool:
        return bool(self.row["family"] != Family.EXPLORATORY)

    @property
    def p(self) -> str:
        return p_value(self.row["p"])

    @property
    def p_adjusted(self) -> str:
        return f"{ADJUSTED_BY[self.row['adjusted_by']]} {p_value(self.row['p_adjusted'])}"

    @property
    def is_of_these_people(self) -> bool:
        """Whether p is by flipped signs and so few people answered that it says little of others."""
        is_flipped = self.row["test"] == ComparisonTest.SIGN_FLIP
        return is_flipped and is_of_these_people(self.row["questions"], self.row["people"])

    @property
    def two_way_p(self) -> str:
        return p_value(self.row["two_way_p"])

    @property
    def finds_none(self) -> bool:
        """Whether so small a set finds no difference, however large, in four of five studies."""
        return bool(self.row["smallest_why"] == MissingFigure.TOO_FEW)

    @property
    def verdict(self) -> Any:
        """What the comparison lets one write; without a margin there is no word on similarity."""
        if self.row["verdict"] == ComparisonVerdict.NEITHER and self.row["margin"] is None:
            return NO_MARGIN
        verdict = ComparisonVerdict(self.row["verdict"])
        if verdict in FOR_THESE_PEOPLE and self.is_of_these_people:
            p = self.row["two_way_p"]
            return VERDICTS[verdict] if p is not None and p < ALPHA else FOR_THESE_PEOPLE[verdict]
        return VERDICTS[verdict]

    @property
    def estimate(self) -> list[tuple[str, float, Interval | None]]:
        """The point and its interval, as `lanes` draws them."""
        return [("people", self.row["difference"], self.ends)]


@dataclass(frozen=True)
class ComparisonTable:
    """Rows by family, planned ones first; `missing` are models and groups of the plan that were not compared."""

    metric: str
    planned: list[ComparisonRow]
    others: list[ComparisonRow]
    missing: list[str]
    margin: float | None
    axis: Axis

    @property
    def zone(self) -> Interval | None:
        return (-self.margin, self.margin) if self.margin else None

    @property
    def families(self) -> list[tuple[str, list[ComparisonRow]]]:
        found = ((_("Planned before the first answer"), self.planned), (_("Exploratory"), self.others))
        return [(title, rows) for title, rows in found if rows]

    @property
    def has_neither(self) -> bool:
        return any(each.row["verdict"] == ComparisonVerdict.NEITHER for each in (*self.planned, *self.others))

    @property
    def has_too_few(self) -> bool:
        return any(each.finds_none for each in (*self.planned, *self.others))

    @property
    def has_few_questions(self) -> bool:
        """Whether a test that flips signs rests on so few questions that it errs more often than it says."""
        flipped = (each.row for each in (*self.planned, *self.others) if each.row["test"] == ComparisonTest.SIGN_FLIP)
        return any(has_few_questions(row["questions"], row["first"]) for row in flipped)

    @property
    def has_few_people(self) -> bool:
        return any(each.is_of_these_people for each in (*self.planned, *self.others))


def comparison_table(
    found: Comparisons, corpus: str | None, figures: Sequence[Mapping[str, Any]]
) -> ComparisonTable | None:
    """Return the planned comparisons and those of people on a corpus (None: on all); None without any.

    `figures` are those of the runs. Models are compared with each other on their own page.
    """
    titles = model_titles(found, figures)
    rows = [row for row in found["rows"] if not (row["model"] and row["against"])]
    own = [ComparisonRow(row, titles) for row in rows]
    planned = sorted((each for each in own if each.is_planned), key=lambda each: not each.is_primary)
    corpora = {row["corpus"] for row in found["rows"] if row["corpus"]}
    here = corpus if corpus in corpora else None
    others = [each for each in own if not each.is_planned and each.row["corpus"] == here]
    missing = [row["against"] for row in found["not_carried_out"]]
    if not (planned or others or missing):
        return None
    margin = found["plan"] and found["plan"]["margin"]
    ends = [end for each in (*planned, *others) for end in (*(each.ends or ()), each.row["difference"])]
    half = max(Axis.around([abs(end) for end in (*ends, margin or 0.0)]).high, SHORTEST_AXIS)
    return ComparisonTable(found["metric"], planned, others, missing, margin, Axis(-half, half))


def model_titles(compared: Comparisons, figures: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what each compared model is called on pages, by its name: its title with what the name tells it apart by.

    `figures` are those of the runs. No title is that of another model or of a group: where it would be, in the page's
    language, it has the number of its run behind it.
    """
    made_with = {figure["run"]: figure.get("made_with") or "" for figure in figures}
    titles, runs = {}, {}
    for row in compared["rows"]:
        if row["model"] and not row["against"]:
            name, key, label = row["names"]
            runs[name] = max(seed["run"] for seed in row["seeds"])
            marks = re.findall(r" \(([^()]*)\)", name.removeprefix(label or key))
            titles[name] = _marked(name_of(key, made_with.get(runs[name], ""), label), marks)
    groups = {str(name) for row in compared["rows"] if not row["model"] for name in (row["group"], row["against"])}
    times = Counter(title.casefold() for title in (*titles.values(), *groups, _("All people")))
    return {
        name: _marked(title, [f"run {runs[name]}"]) if times[title.casefold()] > 1 else title
        for name, title in titles.items()
    }


def _marked(title: str, marks: Sequence[str]) -> str:
    """Return a title with each mark in brackets behind it; the number of a run is said in the page's language."""
    for mark in marks:
        run = re.fullmatch(r"run (\d+)", mark)
        said = _("run %(n)s") % {"n": run[1]} if run else mark
        title = _("%(name)s (%(mark)s)") % {"name": title, "mark": said}
    return title
