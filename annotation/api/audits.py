"""Audits of corpora and releases in the API."""

from typing import Any

from rest_framework.exceptions import NotFound

from annotation.selectors.releases.audits import Subject, last_report


def audit_or_404(subject: Subject) -> dict[str, Any]:
    """Return the result of its last audit. Raises NotFound where there is none."""
    report = last_report(subject)
    if report is None:
        raise NotFound("It was not audited yet. Its page begins an audit.")
    return report
