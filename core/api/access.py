"""Access to the API: by the roles of the permission table, and to each project by membership."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from core.models import User
from core.permissions import may


class ApiRequest(Request):
    """The request that a view behind `MayReadApi` gets: its person is signed in."""

    user: User


class MayReadApi(BasePermission):
    """Permission to read the API and, if the view has a `permission`, the page that shows the same data."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return may(request.user, "api.read") and may(request.user, getattr(view, "permission", "api.read"))
