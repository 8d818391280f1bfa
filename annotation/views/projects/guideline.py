"""Page of the guideline: the version in force, earlier ones, and the draft of a new one."""

from dataclasses import dataclass, replace
from typing import Any, Self

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.actions.projects import fixed, guideline_drafts, guidelines, publishing
from annotation.domain.rating import guideline_edits, guideline_merging
from annotation.domain.rating.guideline import Guideline, complete
from annotation.forms.assignments import UNREADABLE
from annotation.forms.projects.guideline import GuidelineForm, PublishingForm, typed
from annotation.forms.projects.rewriting_guideline import RewritingGuidelineForm
from annotation.forms.projects.sent_guideline import SentGuideline, version_number
from annotation.models import GuidelineDraft, GuidelineVersion, Kind, Project
from annotation.permissions import project_at
from annotation.presenters.projects import guideline_editor, guideline_page
from annotation.selectors.projects.guideline_drafts import own_draft
from annotation.selectors.projects.guidelines import readers_of
from annotation.views.drafts import go_on
from core.actions.refusals import Refused
from core.forms.sent import Malformed, is_json
from core.permissions import AuthenticatedRequest, requires
from core.presenters.refusals import status_of

UNCHANGED = gettext_lazy("Nothing was changed, so there is no new version.")


@requires("project.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def guideline(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Show the editor of the newest version, or an older one by ?version=. POST writes a new one, or edits its rows."""
    project = project_at(request, slug)
    versions = list(project.guidelines.select_related("created_by"))
    if wanted := request.GET.get("version"):
        if (old := next((each for each in versions if str(each.number) == wanted), None)) is None:
            raise Http404
        context = guideline_page.of_version(project, versions, old)
        return render(request, "annotation/projects/guideline_version.html", context)
    answer = _rating if project.kind == Kind.RATING else _rewriting
    return answer(request, project, versions)


def _rating(request: AuthenticatedRequest, project: Project, versions: list[GuidelineVersion]) -> HttpResponse:
    draft = own_draft(project, request.user)
    if request.method != "POST":
        return _page(request, EditedGuideline.stored(project, versions, draft), draft)
    edited = EditedGuideline.sent_by(request, project, versions)
    return _saved(request, edited, draft) if edited.sent.edit else _published(request, edited, draft)


@requires("project.manage")
@require_POST
def save_draft(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Save what the editor's script sends as the person's draft."""
    project = project_at(request, slug, Kind.RATING)
    versions = list(project.guidelines.select_related("created_by"))
    return _saved(request, EditedGuideline.sent_by(request, project, versions), own_draft(project, request.user))


@requires("project.manage")
@require_POST
def discard_draft(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug, Kind.RATING)
    guideline_drafts.discard(project=project, by=request.user)
    return go_on(request, reverse("guideline", args=[slug]), _("The draft is discarded."))


@dataclass(frozen=True)
class EditedGuideline:
    """A guideline on the page of its editor, as it is stored or as it was sent."""

    project: Project
    versions: list[GuidelineVersion]
    form: GuidelineForm
    sent: SentGuideline
    has_grades: bool

    @classmethod
    def stored(cls, project: Project, versions: list[GuidelineVersion], draft: GuidelineDraft | None) -> Self:
        seen = draft.began_from if draft else versions[0].number
        sent = SentGuideline(texts={}, edit="", why=draft.why if draft else "", seen=seen, revision=0, save_key=None)
        return cls._of(project, versions, complete((draft or versions[0]).content), sent)

    @classmethod
    def sent_by(cls, request: AuthenticatedRequest, project: Project, versions: list[GuidelineVersion]) -> Self:
        sent = SentGuideline.of(request)
        known = (complete(version.content) for version in (versions[0], _seen_of(versions, sent)))
        content = guideline_edits.edited(typed(sent.texts, *known), sent.edit)
        is_draft = bool(sent.edit) or request.path != reverse("guideline", args=[project.slug])
        return cls._of(project, versions, content, sent, is_sent=True, is_draft=is_draft)

    def from_newest(self) -> Self:
        """Return it as begun from the newest version, which its content is on top of."""
        return replace(self, sent=replace(self.sent, seen=self.versions[0].number))

    @classmethod
    def _of(
        cls, project: Project, versions: list[GuidelineVersion], content: Guideline, sent: SentGuideline, **how: bool
    ) -> Self:
        newest, has_grades = complete(versions[0].content), fixed.has_grades(project)
        if (began_from := _seen_of(versions, sent)) != versions[0]:
            content = guideline_merging.on_top_of(newest, content, complete(began_from.content))
            content = guideline_edits.with_types_of(newest, content) if has_grades else content
            if content == newest:
                sent = replace(sent, seen=versions[0].number)
        kept = frozenset(kind["key"] for guide in newest["grades"] for kind in guide["types"] if has_grades)
        form = GuidelineForm(content=content, language=project.rating.language, kept=kept, why=sent.why, **how)
        return cls(project, versions, form, sent, has_grades)


def _seen_of(versions: list[GuidelineVersion], sent: SentGuideline) -> GuidelineVersion:
    """Return the version that was edited; the newest one where there is none of that number."""
    return next((version for version in versions if version.number == sent.seen), versions[0])


def _saved(
    request: AuthenticatedRequest, edited: EditedGuideline, draft: GuidelineDraft | None, refused: Refused | None = None
) -> HttpResponse:
    """Save a draft and stay on the page, with why it was not published. What is too large is shown, and not saved."""
    if edited.sent.seen is None:
        refused = Malformed("malformed", UNREADABLE)
    elif not edited.form.is_valid():
        refused = Refused("flaws", _("Not saved as a draft: shorten what is marked."))
    else:
        try:
            draft = guideline_drafts.save(
                project=edited.project,
                content=edited.form.content,
                why=edited.sent.why,
                seen=edited.sent.seen,
                revision=edited.sent.revision,
                save_key=edited.sent.save_key,
                by=request.user,
            )
        except Refused as stale:
            refused, draft = stale, own_draft(edited.project, request.user)
    return _page(request, edited, draft, refused)


def _published(request: AuthenticatedRequest, edited: EditedGuideline, draft: GuidelineDraft | None) -> HttpResponse:
    """Publish what was sent as a new version, with which the draft ends; else stay on the page with what is wrong."""
    project, sent = edited.project, edited.sent
    refused: Refused | None = None
    if not edited.form.is_valid():
        refused = Refused("flaws", _("Not published: something must be changed first. Your text is kept."))
    elif edited.form.content == complete(edited.versions[0].content):
        refused = Refused("unchanged", UNCHANGED)
    else:
        try:
            with guideline_drafts.ended_by_publishing(project=project, revision=sent.revision, by=request.user):
                version = publishing.publish(
                    project=project,
                    content=edited.form.content,
                    seen=sent.seen,
                    why=sent.why,
                    **_switches(edited.sent).cleaned_data,
                    by=request.user,
                )
        except Refused as told:
            if told.code == "changed_meanwhile":
                return _saved(request, edited.from_newest(), draft, told)
            refused, draft = told, own_draft(project, request.user)
        else:
            return go_on(request, reverse("guideline", args=[project.slug]), _applies(version))
    return _page(request, edited, draft, refused)


def _page(
    request: AuthenticatedRequest, edited: EditedGuideline, draft: GuidelineDraft | None, refused: Refused | None = None
) -> HttpResponse:
    """Answer with the editor: a page, or for its script the parts of it that follow what was sent."""
    context = guideline_editor.editor(
        edited.project, edited.versions, edited.form, draft=draft, seen=edited.sent.seen, has_grades=edited.has_grades
    )
    if is_json(request):
        html = render_to_string("annotation/projects/_guide_answer.html", context, request)
        answer = guideline_editor.answer(context, draft, html, refused)
        return JsonResponse(answer, status=status_of(refused))
    context |= {
        "switches": _switches(edited.sent),
        "readers": readers_of(edited.project),
        "refusal": str(refused or ""),
        "page_state": guideline_editor.script_state(context, request.user),
        "page_keys": guideline_editor.page_keys(),
    }
    return render(request, "annotation/projects/guideline.html", context, status=status_of(refused))


def _switches(sent: SentGuideline) -> PublishingForm:
    switches = PublishingForm(sent.texts or None)
    switches.is_valid()
    return switches


def _rewriting(request: AuthenticatedRequest, project: Project, versions: list[GuidelineVersion]) -> HttpResponse:
    newest = versions[0].content if versions else None
    form = RewritingGuidelineForm(request.POST or None, content=newest, language=project.rewriting.language)
    if request.method == "POST" and form.is_valid() and "edit" not in request.POST:
        if form.content == newest:
            messages.info(request, UNCHANGED)
            return redirect("guideline", project.slug)
        try:
            version = guidelines.write_for_rewriting(
                project=project,
                content=form.content,
                seen=_seen(request),
                why=form.cleaned_data["why"],
                by=request.user,
            )
        except Refused as refused:
            form.add_error(refused.field or None, str(refused))
        else:
            return _written(request, version)
    context: dict[str, Any] = guideline_page.rewriting_editor(project, versions, form)
    context["seen"] = _seen(request) if "edit" in request.POST else versions[0].number if versions else None
    return render(request, "annotation/projects/guideline_rewriting.html", context)


def _seen(request: AuthenticatedRequest) -> int | None:
    """Return the number of the version that the page edited."""
    return version_number(request.POST.get("seen", ""))


def _written(request: AuthenticatedRequest, version: GuidelineVersion) -> HttpResponse:
    messages.success(request, _applies(version))
    return redirect("guideline", version.project.slug)


def _applies(version: GuidelineVersion) -> str:
    return _("Version %(number)s applies from now on.") % {"number": version.number}
