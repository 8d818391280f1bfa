"""Pages to sign in and out, one's own account, and the choice of language and theme."""

from typing import Any

from axes.helpers import get_client_username
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from knox.models import AuthToken

from core.actions import accounts
from core.domain.keys import KEYED_PAGES, keyed_page
from core.forms.accounts import LANGUAGES, THEMES, AccountForm, PasswordForm, TokenForm
from core.forms.keys import KeysForm
from core.forms.sign_in import SignInForm
from core.permissions import AuthenticatedRequest, may, requires
from core.presenters.device_cookies import A_YEAR, remember
from core.presenters.reading import page_state
from core.presenters.refusals import is_of_storage
from core.selectors.locks import minutes_locked, seconds_to_turn
from core.views.errors import still_signed_in


class SignIn(LoginView):
    template_name = "core/account/signin.html"
    form_class = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        return remember(form.get_user(), self.request, super().form_valid(form))


def locked_out(request: HttpRequest, response: HttpResponse, credentials: dict[str, str]) -> HttpResponse:
    """Set the status of a locked-out sign-in, and for how long; the form says it too (AXES_LOCKOUT_CALLABLE)."""
    response.status_code = 429
    key = get_client_username(request, credentials)
    if seconds := 60 * minutes_locked(key) or seconds_to_turn(key):
        response["Retry-After"] = str(seconds)
    return response


@requires("account")
@require_POST
def sign_out(request: AuthenticatedRequest) -> HttpResponse:
    """End the session; where it cannot be ended now, keep it whole and say so."""
    try:
        logout(request)
    except Exception as trouble:
        request.session.modified = False  # it was emptied here, before its row was to be deleted
        if not is_of_storage(trouble):
            raise
        return still_signed_in(request)
    return redirect("signin")


@requires("account")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: AuthenticatedRequest) -> HttpResponse:
    form = AccountForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        accounts.change_own(**form.cleaned_data, by=request.user)
        messages.success(request, _("Saved."))
        return redirect("account")
    return _account_page(request, form=form)


@requires("account")
@require_http_methods(["GET", "HEAD", "POST"])
def reading(request: AuthenticatedRequest) -> HttpResponse:
    """Change the size of texts, and the keys of the kind of page that `page` names, the first one without it."""
    page = keyed_page(request.GET.get("page", ""))
    form = KeysForm(request.POST or None, instance=request.user, page=page)
    if request.method == "POST" and form.is_valid():
        chosen = {name: form.cleaned_data[name] for name in form.Meta.fields}
        accounts.change_reading(**chosen, page=page.name, keys=form.own_keys(), by=request.user)
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {"form": form, "pages": KEYED_PAGES, "page": page, "page_state": page_state(form)}
    return render(request, "core/account/reading.html", context)


@requires("account")
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: AuthenticatedRequest) -> HttpResponse:
    form = PasswordForm(request.POST or None, person=request.user)
    if request.method == "POST" and form.is_valid():
        accounts.change_password(password=form.cleaned_data["password"], by=request.user)
        update_session_auth_hash(request, request.user)
        messages.success(
            request, _("Your password has been changed. Other browsers are signed out, and API tokens are revoked.")
        )
        return redirect("account")
    return render(request, "core/account/password.html", {"form": form})


@requires("api.read")
def tokens(request: AuthenticatedRequest) -> HttpResponse:
    """Create a token and show it on the page of this response: it is never stored."""
    if request.method != "POST":
        return redirect("account")
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _account_page(request, token_form=form)
    return _account_page(request, new_token=accounts.make_token(**form.cleaned_data, by=request.user))


@requires("api.read")
@require_POST
def revoke_token(request: AuthenticatedRequest, prefix: str) -> HttpResponse:
    if accounts.revoke_token(prefix=prefix, by=request.user):
        messages.success(request, _("Revoked. Requests with this token are refused from now on."))
    return redirect("account")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    return _choose(request, "language", allowed=dict(LANGUAGES), cookie=settings.LANGUAGE_COOKIE_NAME)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    return _choose(request, "theme", allowed=dict(THEMES), cookie="theme")


def _choose(request: HttpRequest, what: str, *, allowed: dict[str, object], cookie: str) -> HttpResponse:
    """Store a choice on the account of a signed-in person, for others in a cookie."""
    chosen = request.POST.get(what, "")
    answer = HttpResponseRedirect(_way_back(request))
    if chosen not in allowed:
        return answer
    if request.user.is_authenticated:
        setattr(request.user, what, chosen)
        request.user.save(update_fields=[what])
    else:
        answer.set_cookie(cookie, chosen, max_age=A_YEAR, samesite="Lax", secure=request.is_secure())
    return answer


def _account_page(request: AuthenticatedRequest, **more: Any) -> HttpResponse:
    context = {"form": AccountForm(instance=request.user), "tokens": _tokens(request), "token_form": TokenForm()}
    return render(request, "core/account/account.html", {**context, **more})


def _tokens(request: AuthenticatedRequest) -> list[AuthToken] | None:
    own = AuthToken.objects.filter(user=request.user).exclude(expiry__lte=timezone.now())
    return list(own.select_related("use").order_by("-created")) if may(request.user, "api.read") else None


def _way_back(request: HttpRequest) -> str:
    """Return the page that a form names as its origin when it is on this site; else the home page."""
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return page if is_ours else reverse("home")
