"""Save, submit and skip what authors write; the candidates and the cut are one draft, saved as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.qualification import practice_drafts
from annotation.actions.queue import drafts
from annotation.actions.queue.assignments import lock, lock_queue, submit_assignment
from annotation.actions.queue.drafts import NotSubmitted, must_own
from annotation.actions.queue.slots import open_slot
from annotation.domain.rewriting.rewriting import (
    LETTERS,
    LONGEST_CANDIDATE,
    CandidateRole,
    Flaw,
    flaws,
    is_to_be_inspected,
)
from annotation.domain.rewriting.versions import MOST_VERSIONS, DraftState, is_worth_keeping
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, DraftVersion, Queue, Rewrite, Step
from annotation.selectors.drafts import draft_before
from annotation.selectors.rewriting.rewrites import rewrite_in_force, submitted_before
from core.actions.events import move
from core.actions.refusals import Refused, must_be_shown
from core.domain.text import normalise
from core.models import User

NOT_DRAWN = "not drawn for inspection"  # the reason in the audit log
LONGEST_DRAFT = 10 * LONGEST_CANDIDATE  # characters kept while the author shortens a text
SKIP_REASONS = {
    "no_clue": _("Nothing to reason about"),
    "unclear": _("The dialogue or its question is unclear"),
    "unsuitable": _("Should not be shown to anyone"),
    "other": _("Another reason"),
}


@transaction.atomic
def open_assignment(*, assignment: Assignment, by: User) -> Rewrite:
    """Return the rewrite of the assignment; create it when its page is first opened. Raises Refused."""
    must_own(assignment, by)
    return _begun(lock(assignment))


def _begun(assignment: Assignment) -> Rewrite:
    """Return the assignment's rewrite, created if missing: from the person's own earlier draft of the slot, else from
    the returned text, else empty.
    """
    if found := drafts.begun(Rewrite, assignment):
        return found
    if draft := draft_before(Rewrite, assignment):
        again = drafts.begin_again(draft, assignment)
        draft.versions.update(rewrite=again)
        return again
    if earlier := rewrite_in_force(assignment.slot.item):
        return Rewrite.objects.create(assignment=assignment, cut=earlier.cut, candidates=earlier.candidates)
    turns = assignment.slot.item.content["turns"]
    return Rewrite.objects.create(assignment=assignment, cut=len(turns) - 1, candidates=[""] * len(CandidateRole))


@transaction.atomic
def save(
    *,
    rewrite: Rewrite,
    cut: int,
    candidates: Sequence[str],
    revision: int,
    save_key: UUID | None = None,
    takes_over: bool = False,
    by: User,
) -> Rewrite:
    """Save the whole draft. `revision` is the one that was edited; if it is not the latest, nothing is saved.

    A page that `takes_over` knowingly replaces what another one saved, which becomes a version. An expired lease is no
    obstacle; a draft that was submitted or skipped is refused. Raises Refused.
    """
    rewrite = _locked(rewrite, by)
    drafts.go_on(rewrite)
    _keep(rewrite, cut, candidates, revision, save_key, takes_over=takes_over)
    return rewrite


@transaction.atomic
def restore(
    *,
    rewrite: Rewrite,
    version: int,
    cut: int,
    candidates: Sequence[str],
    revision: int,
    save_key: UUID | None = None,
    by: User,
) -> Rewrite:
    """Save the text on the page, then replace it by an earlier version, given by its revision.

    The replaced text becomes a version itself. Raises Refused as save() does.
    """
    rewrite = save(rewrite=rewrite, cut=cut, candidates=candidates, revision=revision, save_key=save_key, by=by)
    versions = list(rewrite.versions.all())
    wanted = next((kept for kept in versions if kept.revision == version), None)
    if wanted is None:
        raise Refused("version_gone", _("Not restored: this version is no longer kept. Choose another one."))
    is_kept = any(drafts.has_text(rewrite, _text(kept.cut, kept.candidates)) for kept in versions)
    keeps = any(rewrite.candidates) and not is_kept
    _write_over(rewrite, _text(wanted.cut, wanted.candidates), save_key, keeps=keeps)
    return rewrite


def submit(
    *,
    rewrite: Rewrite,
    cut: int,
    candidates: Sequence[str],
    revision: int,
    save_key: UUID | None = None,
    shown_next: int | None = None,
    by: User,
) -> Rewrite:
    """Submit the rewrite. A seeded draw decides whether it is inspected; its author is not told. Raises Refused.

    `shown_next` is the assignment whose page was asked for ahead and is shown now: time at work on it begins.

    Sent twice, it is submitted once. With flaws, or if another person has the item by now or practice is over, the text
    is kept as a draft and NotSubmitted says why.
    """
    with transaction.atomic():
        queue = lock_queue(rewrite.assignment.slot.queue.project, Step.INSPECT)
        rewrite = _locked(rewrite, by)
        assignment = rewrite.assignment
        if assignment.state == AssignmentState.SUBMITTED:
            if drafts.has_text(rewrite, _text(cut, candidates)):
                return rewrite
            raise drafts.submitted()
        _keep(rewrite, cut, candidates, revision, save_key)
        found = flaws(assignment.slot.item.content["turns"], rewrite.cut, rewrite.candidates)
        is_drawn, is_unchanged = _is_drawn(assignment, by), _is_unchanged(rewrite)
        is_wanted = not assignment.slot.item.is_practice or practice_drafts.may_submit_draft(assignment)
        if not found and not is_unchanged and is_wanted and submit_assignment(assignment, by=by):
            rewrite.guideline = queue.project.guidelines.first()
            drafts.close(rewrite, "guideline")
            if shown_next is not None:
                drafts.begin_now(Rewrite, shown_next, by=by)
            _submit_draft(rewrite, queue, is_drawn=is_drawn, by=by)
            return rewrite
    raise _not_submitted(assignment, found, is_unchanged)


def _is_unchanged(rewrite: Rewrite) -> bool:
    """Tell whether the text equals the one returned for revision, which inspectors must not judge again knowing its
    key.
    """
    slot = rewrite.assignment.slot
    earlier = rewrite_in_force(slot.item) if slot.round > 1 else None
    return earlier is not None and drafts.has_text(rewrite, _text(earlier.cut, earlier.candidates))


def _is_drawn(assignment: Assignment, by: User) -> bool:
    """Tell whether a submission on the assignment is inspected.

    The caller holds the lock of the inspection queue, so the count of the author's earlier submissions cannot change.
    """
    slot = assignment.slot
    if slot.item.is_practice:
        return True
    project, settings = slot.queue.project, slot.queue.project.rewriting
    earlier = submitted_before(assignment, most=settings.first_in_full)
    return is_to_be_inspected(
        settings, project.seed, project.secret, slot.item.digest, by.username, earlier=earlier, round=slot.round
    )


def _submit_draft(rewrite: Rewrite, queue: Queue, *, is_drawn: bool, by: User) -> None:
    """Put the rewrite into the inspection queue, or accept it at once if it was not drawn for inspection."""
    slot, project = rewrite.assignment.slot, rewrite.assignment.slot.queue.project
    if slot.item.is_practice:
        practice_drafts.submit_draft(rewrite, queue, by=by)
        return
    if not is_drawn:
        move(slot.item, ItemState.KEPT, scope=project, why=NOT_DRAWN, by=by)
        return
    move(slot.item, ItemState.WRITTEN, scope=project, by=by)
    open_slot(item=slot.item, queue=queue, round=slot.round, required=project.rewriting.inspectors)


def skip(*, rewrite: Rewrite, reason: str, by: User) -> None:
    """Leave an item to others, with a reason. The person is not asked about it again. Raises Refused."""
    must_be_shown(reason, SKIP_REASONS)
    drafts.skip(rewrite, reason, by=by)


def _locked(rewrite: Rewrite, by: User) -> Rewrite:
    """Return the rewrite as stored now, with its locked assignment; after a second lease on the slot, that of the
    newer assignment.
    """
    return _begun(drafts.locked_to_write(rewrite.assignment, by))


def _text(cut: int, candidates: Sequence[str]) -> dict[str, Any]:
    return {"cut": cut, "candidates": [normalise(text) for text in candidates]}


def _keep(
    rewrite: Rewrite,
    cut: int,
    candidates: Sequence[str],
    revision: int,
    save_key: UUID | None,
    *,
    takes_over: bool = False,
) -> None:
    text = _text(cut, candidates)
    if drafts.has_text(rewrite, text):
        return  # also if the response to the last save was lost
    drafts.must_be_newest(rewrite, revision)
    _check_shape(cut, candidates)
    _write_over(rewrite, text, save_key, keeps=(takes_over and any(rewrite.candidates)) or None)


def _write_over(rewrite: Rewrite, text: Mapping[str, Any], save_key: UUID | None, *, keeps: bool | None = None) -> None:
    """Replace the draft. The old text becomes a version if `keeps` is true or, for None, if is_worth_keeping."""
    before = _state_of(rewrite)
    drafts.write(rewrite, text, save_key)
    if is_worth_keeping(before, _state_of(rewrite)) if keeps is None else keeps:
        _keep_version(rewrite, before)


def _state_of(rewrite: Rewrite) -> DraftState:
    return DraftState(rewrite.cut, rewrite.candidates, rewrite.revision, rewrite.saved_at)


def _keep_version(rewrite: Rewrite, draft: DraftState) -> None:
    """Store a version and delete the oldest beyond MOST_VERSIONS, but never the first, which is the text as returned or
    first written.
    """
    DraftVersion.objects.create(rewrite=rewrite, **draft._asdict())
    newest = rewrite.versions.values("pk")[: MOST_VERSIONS - 1]
    first = rewrite.versions.reverse().values("pk")[:1]
    rewrite.versions.exclude(pk__in=newest).exclude(pk__in=first).delete()


def _check_shape(cut: int, candidates: Sequence[str]) -> None:
    if not 0 <= cut <= 32_767 or len(candidates) != len(CandidateRole):
        raise Refused("draft_wrong", _("Not saved: an item must have one cut and four texts."))
    for letter, text in zip(LETTERS, candidates, strict=True):
        if len(text) > LONGEST_DRAFT:
            said = _("Not saved: %(letter)s has %(length)s characters; at most %(limit)s are kept. Shorten it.")
            raise Refused("draft_too_long", said % {"letter": letter, "length": len(text), "limit": LONGEST_DRAFT})


def _not_submitted(assignment: Assignment, found: Sequence[Flaw], is_unchanged: bool) -> NotSubmitted:
    is_practice = assignment.slot.item.is_practice
    if assignment.state == AssignmentState.OUTDATED and not is_practice:
        text = _("Not submitted: this item has been taken back. Your text is kept, in case you get the item again.")
        return NotSubmitted("taken_back", text)
    if not found and is_unchanged:
        text = _("Not submitted: nothing has changed since it was sent back. Revise it, or skip it with a reason.")
        return NotSubmitted("unchanged", text)
    if not found and is_practice:
        text = _("Not submitted: your practice is over, and no further draft is needed. Your text is kept.")
        return NotSubmitted("practice_over", text)
    return drafts.not_submitted(found)
