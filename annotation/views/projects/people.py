"""Pages of all accounts and open invitations, and to administer accounts."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.forms.projects.people import AccountKindForm, ActiveForm, InviteForm, LinksForm
from annotation.models import Project
from annotation.selectors.projects.members import open_invitations, people_for
from core.actions import accounts
from core.actions import people as people_actions
from core.actions.refusals import Refused
from core.models import User
from core.models.scoped import with_scopes
from core.permissions import AuthenticatedRequest, may, requires

NO_REASON = gettext_lazy("Not changed: give a reason. It is recorded in the audit log.")


@requires("people.invite")
@require_safe
def people(request: AuthenticatedRequest) -> HttpResponse:
    return _people_page(request, InviteForm(by=request.user))


@requires("people.invite")
def invite(request: AuthenticatedRequest) -> HttpResponse:
    """Invite people. The response shows the links without a redirect, because they are stored nowhere."""
    if request.method != "POST":
        return redirect("people")
    form = InviteForm(request.POST, by=request.user)
    if not form.is_valid():
        return _people_page(request, form)
    links = new_links(request, form, form.cleaned_data["project"])
    if links is None:
        return _people_page(request, form)
    return _people_page(request, InviteForm(by=request.user), **links)


def new_links(request: AuthenticatedRequest, form: LinksForm, project: Project | None) -> dict[str, Any] | None:
    """Create the links that a valid form asks for, into `project`. Return what shows them.

    None where they are refused: the form then has the error.
    """
    asked = form.cleaned_data
    try:
        tokens = people_actions.invite_several(
            number=asked["number"], role=asked["role"], scope=project, note=asked["note"], by=request.user
        )
    except Refused as refused:
        form.add_error("note", str(refused.message))
        return None
    links = [request.build_absolute_uri(reverse("invitation", args=[token])) for token in tokens]
    return {"new_links": links}


@requires("people.invite")
@require_POST
def withdraw(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(open_invitations(request.user), pk=pk)
    people_actions.withdraw(invitation=invitation, by=request.user)
    messages.success(request, _("Invitation withdrawn. Its link no longer works."))
    return redirect("people")


@requires("people.administer")
@require_safe
def person(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    return _person_page(request, get_object_or_404(User, pk=pk))


@requires("people.administer")
@require_POST
def account(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    form = AccountKindForm(request.POST)
    if not form.is_valid():
        return _unchanged(request, person, NO_REASON)
    try:
        accounts.change_account(person=person, **form.cleaned_data, by=request.user)
    except Refused as refused:
        return _unchanged(request, person, str(refused))
    messages.success(request, _("Saved."))
    return redirect("person", pk=pk)


@requires("people.administer")
@require_POST
def active(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    form = ActiveForm(request.POST)
    if not form.is_valid():
        return _unchanged(request, person, NO_REASON)
    try:
        accounts.set_active(person=person, **form.cleaned_data, by=request.user)
    except Refused as refused:
        return _unchanged(request, person, str(refused))
    messages.success(request, _("Saved."))
    return redirect("person", pk=pk)


@requires("people.administer")
def new_password(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Set a new password. The response shows it without a redirect, because only its digest is stored."""
    person = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        return redirect("person", pk=pk)
    try:
        password = accounts.new_password(person=person, by=request.user)
    except Refused as refused:
        return _unchanged(request, person, str(refused))
    return _person_page(request, person, new_password=password)


def _unchanged(request: AuthenticatedRequest, person: User, why: str | Promise) -> HttpResponse:
    messages.error(request, str(why))
    return redirect("person", pk=person.pk)


def _people_page(request: AuthenticatedRequest, form: InviteForm, **more: Any) -> HttpResponse:
    search = request.GET.get("q", "").strip()
    context = {
        "form": form,
        "people": people_for(request.user, search),
        "search": search,
        "may_administer": may(request.user, "people.administer"),
        "shared_titles": form.shared_titles,
        "invitations": with_scopes(open_invitations(request.user)),
        **more,
    }
    return render(request, "core/account/people.html", context)


def _person_page(request: HttpRequest, person: User, **more: Any) -> HttpResponse:
    context = {
        "person": person,
        "account_form": AccountKindForm(initial={"account": person.account}),
        "active_form": ActiveForm(),
    }
    return render(request, "core/account/person.html", {**context, **more})
