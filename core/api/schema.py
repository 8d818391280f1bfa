"""The API's description of itself (OpenAPI)."""

from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema

REFUSED = {
    "description": "Refused: a parameter that cannot be (400), no token (401), no right (403), not there (404). "
    "`detail`, or the name of the parameter, says why."
}


class Described(AutoSchema):
    """The description of one address; every address can refuse."""

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        return {**super()._get_response_bodies(direction), "4XX": REFUSED}
