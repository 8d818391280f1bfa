"""The API's reference: its own schema as a page, without external resources."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

from core.permissions import AuthenticatedRequest, requires
from core.presenters.api_reference import resources


@requires("api.read")
def api_reference(request: AuthenticatedRequest) -> HttpResponse:
    with translation.override("en"):  # the addresses and fields are in English
        schema = SchemaGenerator().get_schema(request=None, public=True)
    return render(request, "core/api/reference.html", {"resources": resources(schema)})
