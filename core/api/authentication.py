"""Authentication of the API: a person by a token, whose last use is stored."""

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokens

from core.actions import accounts


class TokenScheme(KnoxTokenScheme):
    """The API's schema says of these tokens what it says of knox's."""

    target_class = "core.api.authentication.TokenAuthentication"


class TokenAuthentication(KnoxTokens):  # type: ignore[misc]  # knox has no types
    def validate_user(self, auth_token: Any) -> Any:
        found = super().validate_user(auth_token)
        accounts.note_use(token=auth_token)
        return found
