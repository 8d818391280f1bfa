"""Shortcuts that a person has changed, for the script of the page that is open (static/js/core/page.js)."""

import json

from django.http import HttpRequest

from core.domain.keys import KEYED_PAGES


def own_keys_at(request: HttpRequest) -> str:
    """Return as JSON whether single keys are off, and own keys by the usual ones; "" where all is usual."""
    person, at = getattr(request, "user", None), request.resolver_match
    if person is None or not person.is_authenticated or at is None:
        return ""
    page = next((page for page in KEYED_PAGES if at.url_name in page.addresses), None)
    own_of = person.own_keys.get(page.name, {}) if page else {}
    if person.has_single_keys and not own_of:
        return ""
    return json.dumps({"isOff": not person.has_single_keys, "ownOf": own_of})
