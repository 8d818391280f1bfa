"""Pages of all accounts and open invitations, and to administer accounts."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.forms.projects.people import ActiveForm, InviteForm, RoleForm
from annotation.selectors.projects.people import open_invitations, people_for
from core.actions import accounts
from core.actions import people as people_actions
from core.actions.refusals import Refused
from core.models import User
from core.models.scoped import with_scopes
from core.permissions import AuthenticatedRequest, may, requires


@requires("people.invite")
@require_safe
def people(request: AuthenticatedRequest) -> HttpResponse:
    return _people_page(request, InviteForm(by=request.user, initial=request.GET.dict()))


@requires("people.invite")
def invite(request: AuthenticatedRequest) -> HttpResponse:
    """Invite a person. The response shows the link without a redirect, because it is stored nowhere."""
    if request.method != "POST":
        return redirect("people")
    form = InviteForm(request.POST, by=request.user)
    if not form.is_valid():
        return _people_page(request, form)
    _invitation, token = people_actions.invite(
        role=form.cleaned_data["role"],
        scope=form.cleaned_data["project"],
        note=form.cleaned_data["note"],
        by=request.user,
    )
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    return _people_page(request, InviteForm(by=request.user), new_link=link)


@requires("people.invite")
@require_POST
def withdraw(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(open_invitations(request.user), pk=pk)
    people_actions.withdraw(invitation=invitation, by=request.user)
    messages.success(request, _("Withdrawn. Its link leads nowhere from now on."))
    return redirect("people")


@requires("people.administer")
@require_safe
def person(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    return _person_page(request, get_object_or_404(User, pk=pk))


@requires("people.administer")
@require_POST
def role(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    return _administer(request, pk, RoleForm, accounts.change_role)


@requires("people.administer")
@require_POST
def active(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    return _administer(request, pk, ActiveForm, accounts.set_active)


@requires("people.administer")
def new_password(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Set a new password. The response shows it without a redirect, because only its digest is stored."""
    somebody = get_object_or_404(User, pk=pk)
    if request.method != "POST":
        return redirect("person", pk=pk)
    try:
        password = accounts.new_password(person=somebody, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("person", pk=pk)
    return _person_page(request, somebody, new_password=password)


def _administer(
    request: AuthenticatedRequest, pk: int, form_class: type[forms.Form], act: Callable[..., None]
) -> HttpResponse:
    somebody = get_object_or_404(User, pk=pk)
    form = form_class(request.POST)
    try:
        if form.is_valid():
            act(person=somebody, **form.cleaned_data, by=request.user)
            messages.success(request, _("Saved."))
        else:
            messages.error(request, _("Not changed: say why. The reason stands in the audit log."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("person", pk=pk)


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


def _person_page(request: HttpRequest, somebody: User, **more: Any) -> HttpResponse:
    context = {"person": somebody, "role_form": RoleForm(initial={"role": somebody.role}), "active_form": ActiveForm()}
    return render(request, "core/account/person.html", {**context, **more})
