"""Action that loads the samples, from the home page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.permissions import AuthenticatedRequest, requires
from study.actions.demo import demo


@requires("demo.load")
@require_POST
def load_demo(request: AuthenticatedRequest) -> HttpResponse:
    demo.load(by=request.user)
    messages.success(request, _("Sample loaded. Try anything: it does not affect your data."))
    return redirect("home")
