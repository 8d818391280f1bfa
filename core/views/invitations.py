"""Page of an invitation's link, where a person creates an account."""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from core.actions import people
from core.actions.refusals import Refused
from core.forms.accounts import AcceptForm
from core.presenters.device_cookies import remember

BACKEND = "django.contrib.auth.backends.ModelBackend"
GONE = 410


@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest, token: str) -> HttpResponse:
    invitation = people.invitation_for(token)
    if invitation is None or not people.can_be_accepted(invitation):
        return render(request, "core/account/invitation_over.html", {"invitation": invitation}, status=GONE)
    form = AcceptForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = {name: form.cleaned_data[name] for name in ("username", "name", "password")}
        try:
            person = people.accept(token=token, **chosen)
        except Refused as refused:
            form.add_error(refused.field or None, str(refused))
        else:
            login(request, person, backend=BACKEND)
            return remember(person, request, redirect("home"))
    return render(request, "core/account/invitation.html", {"invitation": invitation, "form": form})
