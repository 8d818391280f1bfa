"""Who may read the API: the roles of the permission table, and each project through its members."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from core.models import User
from core.permissions import may


class ApiRequest(Request):
    """The request that a view behind `MayReadApi` gets: its person is signed in."""

    user: User


class MayReadApi(BasePermission):
    """A view's `permission` is the row of the page that shows the same, where that is asked for besides."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return may(request.user, "api.read") and may(request.user, getattr(view, "permission", "api.read"))
