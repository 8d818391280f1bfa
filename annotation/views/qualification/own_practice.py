"""Page of an author's practice: its state, and the inspectors' comments. Drafts are written on the writing page."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.actions.inspection.inspections import called
from annotation.domain.rewriting.rewriting import LETTERS, CandidateRole
from annotation.models import Kind, PracticeDraft
from annotation.permissions import project_at
from annotation.presenters.qualification import why_not_writing
from annotation.selectors.qualification.practice_drafts import GradedDraft, graded_drafts, practice_of
from core.permissions import AuthenticatedRequest, requires

SHOWN = 50  # drafts


@dataclass(frozen=True)
class ShownDraft:
    """A draft with its texts by letter, and each comment with the name of its part as the author sees it."""

    draft: PracticeDraft
    texts: list[tuple[str, str]]
    comments: list[tuple[str, str]]


@requires("instances.write")
@never_cache
@require_safe
def own_practice(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.REWRITING)
    practice = practice_of(project, request.user)
    context = {
        "project": project,
        "practice": practice,
        "annotator": practice.annotator,
        "settings": project.rewriting,
        "why_not": why_not_writing(practice),
        "drafts": list(map(shown, graded_drafts(project, request.user, most=SHOWN))),
    }
    return render(request, "annotation/qualification/own_practice.html", context)


def shown(graded: GradedDraft) -> ShownDraft:
    texts = list(zip(LETTERS, graded.draft.rewrite.candidates, strict=True))
    said = [(called(field, list(CandidateRole)), text) for field, text in graded.comments.items()]
    return ShownDraft(graded.draft, texts, said)
