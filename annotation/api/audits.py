"""Audits under the addresses of corpora and releases."""

from typing import Any

from rest_framework.exceptions import NotFound

from annotation.selectors.releases.audits import Subject, last_report


def audit_or_404(subject: Subject) -> dict[str, Any]:
    """What the last audit of it found."""
    report = last_report(subject)
    if report is None:
        raise NotFound("It was not audited yet. Its page begins an audit.")
    return report
