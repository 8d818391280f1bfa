"""The page of a person's own work: what each row says, by step."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from annotation.actions import reasoning
from annotation.actions.adjudication import adjudication
from annotation.actions.inspection import inspections
from annotation.actions.inspection.taking_back import may_take_back_verdict
from annotation.actions.rating import ratings
from annotation.actions.rewriting import rewrites
from annotation.actions.rewriting.taking_back import may_take_back_text
from annotation.actions.transcription import transcripts
from annotation.domain.own_work import TAKE_BACK, Doubt, WorkState
from annotation.domain.rewriting.rewriting import LETTERS, WHOLE, CandidateRole, InspectionVerdict
from annotation.models import Assignment, Kind, Project, Rewrite, Step
from annotation.models.items import KEY
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.reasoning.reasoning_words import NAMES
from annotation.selectors.own_work import TOLD, comments_on, shown_assignments
from annotation.selectors.rewriting.own_returns import OwnReturns

STATES = {
    WorkState.SUBMITTED: gettext_lazy("submitted"),
    WorkState.ACCEPTED: gettext_lazy("accepted"),
    WorkState.RETURNED: gettext_lazy("sent back"),
    WorkState.DISCARDED: gettext_lazy("discarded"),
    WorkState.SKIPPED: gettext_lazy("skipped"),
    WorkState.VOIDED: gettext_lazy("voided"),
}
BADGES = {
    WorkState.ACCEPTED: " badge-good",
    WorkState.RETURNED: " badge-warn",
    WorkState.DISCARDED: " badge-bad",
    WorkState.VOIDED: " badge-bad",
}
VERDICTS = {
    InspectionVerdict.ACCEPT: gettext_lazy("You accepted it."),
    InspectionVerdict.RETURN: gettext_lazy("You sent it back."),
    InspectionVerdict.DISCARD: gettext_lazy("You discarded it."),
}
DOUBTS = {
    Doubt.KEY: gettext_lazy("the key is in doubt"),
    Doubt.UNIQUE: gettext_lazy("another candidate may be right, too"),
    Doubt.FIXABLE: gettext_lazy("it cannot be fixed"),
    Doubt.CUT: gettext_lazy("a comment on the cut"),
    Doubt.CONTEXT: gettext_lazy("a comment on the context"),
}
SKIP_REASONS: Mapping[str, Mapping[str, Any]] = {
    Step.RATE: ratings.SKIP_REASONS,
    Step.ADJUDICATE: adjudication.SKIP_REASONS,
    Step.TRANSCRIBE: transcripts.SKIP_REASONS,
    Step.CHECK: transcripts.SKIP_REASONS,
    Step.WRITE: rewrites.SKIP_REASONS,
    Step.INSPECT: inspections.SKIP_REASONS,
    Step.TYPE: reasoning.SKIP_REASONS,
}
TAKING_BACK = {
    Step.WRITE: ("take_back_rewrite", may_take_back_text),
    Step.INSPECT: ("take_back_verdict", may_take_back_verdict),
}


class StateLink(NamedTuple):
    """A state to filter by, with the rest of the address and the number of rows; an empty state is all of them."""

    name: str
    query: str
    number: int
    is_current: bool


class DoubtBar(NamedTuple):
    """A reason, with the number of texts that came back for it and its length beside the longest bar, up to 1."""

    name: str
    texts: int
    length: float


@dataclass
class ShownWork:
    """A row. `said` is what the person decided, `candidates` are letters and texts in the order they had before them.

    `turns` and `candidates` show the work whole. `take_back` is the address, empty where it would be refused, and
    `minutes` the time left for it, rounded up; `revise` leads to the revision that the person has to make. A grade has
    an address to change it or, once it can no longer be changed, one to flag it if no flag is open.
    """

    assignment: Assignment
    state: WorkState
    lead: str = ""
    own: str = ""
    said: str = ""
    turns: Sequence[Mapping[str, str]] = ()
    candidates: Sequence[tuple[str, str]] = ()
    comments: Sequence[tuple[str, str]] = field(default_factory=list)
    take_back: str = ""
    until: datetime | None = None
    minutes: int = 0
    revise: str = ""
    change: str = ""
    flag: str = ""
    flag_key: UUID = field(default_factory=uuid4)  # of the form: a flag sent twice is stored once

    @property
    def key(self) -> str:
        """What names the item. Of a pair it is never the id of its file: gold has none, and it may tell the source."""
        item = self.assignment.slot.item
        return item.digest[:KEY] if self.assignment.slot.queue.project.kind == Kind.RATING else item.key

    @property
    def is_of_rounds(self) -> bool:
        """True where the item was written, or is to be written, more than once."""
        slot = self.assignment.slot
        return slot.queue.step == Step.WRITE and (slot.round > 1 or self.state == WorkState.RETURNED)

    @property
    def step_name(self) -> str:
        return str(Step(self.assignment.slot.queue.step).label)

    @property
    def state_name(self) -> str:
        return str(STATES[self.state])

    @property
    def badge(self) -> str:
        return BADGES.get(self.state, "")


def state_links(states: Mapping[WorkState, int], wanted: Mapping[str, str]) -> list[StateLink]:
    """Return a link for all states and for each one that occurs or is chosen."""
    chosen = wanted.get("state", "")
    rest = {name: value for name, value in wanted.items() if name != "state"}
    links = [StateLink(_("All"), urlencode(rest), sum(states.values()), not chosen)]
    return links + [
        StateLink(str(name), urlencode({**rest, "state": state}), states.get(state, 0), chosen == state)
        for state, name in STATES.items()
        if states.get(state) or chosen == state
    ]


def bars(returns: OwnReturns) -> list[DoubtBar]:
    """Return the reasons why texts were returned or discarded, the most frequent first."""
    counts = returns.doubts.most_common()
    return [DoubtBar(str(DOUBTS[doubt]), texts, texts / counts[0][1]) for doubt, texts in counts]


def shown_work(
    project: Project,
    states: Mapping[int, WorkState],
    keys: Sequence[int],
    changeable: Container[int],
    revisions: Mapping[tuple[int, int], Assignment],
) -> list[ShownWork]:
    """Return the rows of these assignments, in their order.

    The grades of those in `changeable` can be changed; `revisions` are what the person has to
    revise, by item and round.
    """
    assignments = shown_assignments(keys)
    told = [each for each in assignments if states[each.pk] in TOLD]
    comments, types = comments_on(told), type_names(project) if project.kind == Kind.RATING else {}
    rows = [_row(each, states[each.pk], comments.get(each.pk, []), types) for each in assignments]
    for row in rows:
        slot = row.assignment.slot
        if row.state == WorkState.RETURNED and (revision := revisions.get((slot.item_id, slot.round))):
            row.revise = f"{reverse('write', args=[project.slug])}?{urlencode({'assignment': revision.pk})}"
        if row.state == WorkState.SUBMITTED and row.assignment.slot.queue.step == Step.RATE:
            _show_second_thought(project, row, is_changeable=row.assignment.pk in changeable)
    return rows


def _show_second_thought(project: Project, row: ShownWork, *, is_changeable: bool) -> None:
    if is_changeable:
        row.change = f"{reverse('rate', args=[project.slug])}?{urlencode({'change': row.assignment.pk})}"
    elif all(flag.resolved_at for flag in row.assignment.flags.all()):  # an open one is shown, and enough
        row.flag = reverse("flag", args=[project.slug, row.assignment.pk])


def _row(
    assignment: Assignment, state: WorkState, comments: Sequence[tuple[str, str]], types: Mapping[str, str]
) -> ShownWork:
    step, content = Step(assignment.slot.queue.step), assignment.slot.item.content
    row = ShownWork(assignment, state, lead=content.get("question") or content.get("prompt", ""))
    row.own = content.get("response", "")
    if state == WorkState.SKIPPED:
        reason = SKIP_REASONS[step].get(assignment.reason, assignment.reason)
        row.said = _("Your reason: %(reason)s") % {"reason": reason}
    elif step in (Step.RATE, Step.ADJUDICATE):
        row.said = _graded(assignment, types)
    elif step == Step.TYPE:
        row.said = _type_said(assignment)
    elif step in (Step.TRANSCRIBE, Step.CHECK):
        _show_transcript(row)
    elif step == Step.WRITE and hasattr(assignment, "rewrite"):
        _show_text(row, assignment.rewrite, list(CandidateRole))
        row.comments = [(_named(name, list(CandidateRole)), text) for name, text in comments]
    elif step == Step.INSPECT and hasattr(assignment, "inspection"):
        _show_verdict(row)
    address, may_take_back = TAKING_BACK.get(step, ("", None))
    if may_take_back and assignment.ended_at and may_take_back(assignment):
        row.take_back = reverse(address, args=[assignment.slot.queue.project.slug, assignment.pk])
        row.until = assignment.ended_at + TAKE_BACK
        row.minutes = ceil((row.until - timezone.now()) / timedelta(minutes=1))
    return row


def _graded(assignment: Assignment, types: Mapping[str, str]) -> str:
    """Return the person's own grade in force, or their decision about a pair."""
    given = [each for each in (*assignment.ratings.all(), *assignment.adjudications.all()) if not each.replaced_at]
    if not given:
        return ""
    made = given[0]
    names = {**types, **adjudication.REMOVAL_REASONS}
    why = [str(names.get(made.reason, made.reason))] if made.reason else []
    what = _("Your grade: %(grade)s") % {"grade": made.grade} if made.grade is not None else _("You removed it.")
    return " · ".join([what, *why])


def _type_said(assignment: Assignment) -> str:
    answers = [each.answer for each in assignment.type_choices.all() if not each.replaced_at]
    return _("Your type: %(type)s") % {"type": NAMES[answers[0]]} if answers else ""


def _show_transcript(row: ShownWork) -> None:
    transcript = getattr(row.assignment, "transcript", None)
    row.turns = transcript.turns if transcript else ()


def _show_text(row: ShownWork, rewrite: Rewrite, order: Sequence[int]) -> None:
    row.turns = row.assignment.slot.item.content["turns"][: rewrite.cut]
    row.candidates = [(letter, rewrite.candidates[part]) for letter, part in zip(LETTERS, order, strict=True)]
    row.lead = row.turns[-1]["text"] if row.turns else row.lead
    row.own = rewrite.candidates[CandidateRole.RIGHT]


def _show_verdict(row: ShownWork) -> None:
    inspection = row.assignment.inspection
    _show_text(row, inspection.rewrite, inspection.order)
    row.said = str(VERDICTS[InspectionVerdict(inspection.verdict)]) if inspection.verdict else ""
    row.comments = [(_named(name, inspection.order), text) for name, text in inspection.comments.items()]


def _named(name: str, order: Sequence[int]) -> str:
    """Name the part that a comment is on, with the letters of this order."""
    return pgettext("comment on", "the whole item") if name == WHOLE else inspections.called(name, order)
