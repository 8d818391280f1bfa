"""The form of an answer of the API."""

from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation


class AlwaysAnswered(DefaultContentNegotiation):
    """Negotiation that always ends with an answer: a browser, which does not ask for JSON, gets JSON too."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            return renderers[0], renderers[0].media_type
