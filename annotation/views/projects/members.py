"""Pages of a project's members, and to void a person's work."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.forms.projects.members import IN_PROJECTS, AddMemberForm, RoleForm, SinceForm, VoidForm
from annotation.forms.projects.people import LinksForm
from annotation.models import Kind, Project
from annotation.permissions import project_at, projects_of
from annotation.selectors.projects.members import members_of, people_of, people_with_work, work_since
from annotation.views.projects.people import new_links
from core.actions.refusals import Refused, sentence_space
from core.models import Role, User
from core.permissions import AuthenticatedRequest, may, requires
from core.tasks import dispatch


@requires("project.manage")
@require_safe
def members(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    return _members_page(request, project, _links_form(request, project))


@requires("project.manage")
def invite(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Invite people into the project. The response shows the links, which are stored nowhere."""
    project = project_at(request, slug)
    if request.method != "POST":
        return redirect("members", slug)
    form = _links_form(request, project, request.POST)
    if not form.is_valid():
        return _members_page(request, project, form)
    links = new_links(request, form, project)
    if links is None:
        return _members_page(request, project, form)
    return _members_page(request, project, _links_form(request, project), **links)


def _links_form(request: AuthenticatedRequest, project: Project, sent: QueryDict | None = None) -> LinksForm:
    return LinksForm(sent, by=request.user, project=project, auto_id="id_invite_%s")  # two forms ask for a role


def _members_page(request: AuthenticatedRequest, project: Project, links_form: LinksForm, **more: Any) -> HttpResponse:
    context = {
        "project": project,
        "links_form": links_form,
        "members": members_of(project),
        "past_members": people_with_work(project).exclude(memberships__project=project),
        "form": AddMemberForm(project=project),
        "roles": IN_PROJECTS,
        **more,
    }
    return render(request, "annotation/projects/members.html", context)


@requires("project.manage")
@require_POST
def add(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    project = project_at(request, slug)
    form = AddMemberForm(request.POST, project=project)
    if form.is_valid():
        _give_role(request, project, form.cleaned_data["person"], form.cleaned_data["role"])
    else:
        messages.error(request, _("No one was added: choose a person who does not belong to the project yet."))
    return redirect("members", slug)


@requires("project.manage")
@require_POST
def role(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Change what a member does in the project."""
    project = project_at(request, slug)
    person = get_object_or_404(members_of(project), pk=pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        _give_role(request, project, person, form.cleaned_data["role"])
    else:
        messages.error(request, _("The role was not changed: choose one of those in the list."))
    still_manages = projects_of(request.user, "project.manage").filter(pk=project.pk).exists()
    return redirect("members", slug) if still_manages else redirect("home")


def _give_role(request: AuthenticatedRequest, project: Project, person: User, role: str) -> None:
    try:
        projects.add_member(project=project, person=person, role=role, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        said = _("%(name)s has joined the project, as %(role)s.")
        messages.success(request, said % {"name": person, "role": Role(role).label.lower()})


@requires("project.manage")
@require_POST
def remove(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    project = project_at(request, slug)
    person = get_object_or_404(members_of(project), pk=pk)
    try:
        projects.remove_member(project=project, person=person, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        said = _("%(name)s is no longer in the project. Their work is kept and still counts.")
        messages.success(request, said % {"name": person})
    still_manages = projects_of(request.user, "project.manage").filter(pk=project.pk).exists()
    return redirect("members", slug) if still_manages else redirect("home")


@requires("raters.judge")
@require_http_methods(["GET", "HEAD", "POST"])
def void(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Show how much would be voided, then void it with a reason; a large amount in a job."""
    project = project_at(request, slug)
    person = get_object_or_404(people_of(project), pk=pk)
    since_form = SinceForm(request.POST if request.method == "POST" else request.GET or None)
    since = since_form.cleaned_data["since"] if since_form.is_valid() else None
    form = VoidForm(request.POST) if request.method == "POST" else VoidForm(initial={"since": request.GET.get("since")})
    if request.method == "POST" and form.is_valid():
        return _void(request, project, person, form.cleaned_data["since"], form.cleaned_data["why"])
    count = work_since(project, person, since).count() if since else None
    context = {
        "project": project,
        "person": person,
        "since_form": since_form,
        "form": form,
        "count": count,
        "back": _after_voiding(request, project),
    }
    return render(request, "annotation/projects/void_work.html", context)


def _void(request: AuthenticatedRequest, project: Project, person: User, since: datetime, why: str) -> HttpResponse:
    if work_since(project, person, since).count() > voiding.AT_ONCE:
        job = voiding.ask_for(project=project, person=person, since=since, why=why, by=request.user)
        dispatch(job)
        if may(request.user, "project.manage", within=project):
            return redirect("job", job.pk)
        messages.success(request, _("The grades are being voided; you can do something else in the meantime."))
        return redirect(_after_voiding(request, project))
    voided = voiding.void_work(project=project, person=person, since=since, why=why, by=request.user)
    if project.kind == Kind.REWRITING:
        said = ngettext(
            "%(count)s transcript, text, verdict or type was voided.",
            "%(count)s transcripts, texts, verdicts or types were voided.",
            voided,
        )
    else:
        said = ngettext("%(count)s grade was voided.", "%(count)s grades were voided.", voided)
    if not voided:
        messages.info(request, _("There was nothing left to void."))
        return redirect(_after_voiding(request, project))
    follows = _("Others will be asked for what is missing now.")
    messages.success(request, said % {"count": voided} + sentence_space() + follows)
    return redirect(_after_voiding(request, project))


def _after_voiding(request: AuthenticatedRequest, project: Project) -> str:
    """Return the address of a page the person may see; inspectors may void but not manage the project."""
    page = "members" if may(request.user, "project.manage", within=project) else "qualification"
    return reverse(page, args=[project.slug])
