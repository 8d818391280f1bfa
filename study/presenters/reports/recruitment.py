"""How people came to a study, and whether one person can have taken part twice."""

from django.utils.translation import gettext as _

from core.actions.refusals import sentence_space
from study.selectors.reports.facts import ReportFacts


def taken_once(facts: ReportFacts) -> str:
    """Return in which groups each person took part once: those with accounts or with ids of a platform."""
    groups = facts.planned.get("groups", [])
    plain = [group["name"] for group in groups if not group["requires_id"]]
    if facts.study.survey.is_signed_in or (groups and not plain):
        return _("Each person can take a study only once.")
    shared = _("With a plain link, several people, or one person more than once, may have taken part from one browser.")
    if len(plain) == len(groups):
        return shared
    told = _("Each person can take a study only once, except in these groups: %(groups)s.")
    return sentence_space().join([told % {"groups": _(", ").join(plain)}, shared])


def recruited_by(facts: ReportFacts) -> str:
    """Return by what people came to the study; "" of answers from elsewhere."""
    if facts.study.is_imported:
        return ""
    if facts.study.survey.is_signed_in:
        return _("experts with an account, asked by the researchers")
    wanted = [
        group["name"] if group["quota"] is None else f"{group['name']} ({group['quota']:,})"
        for group in facts.planned.get("groups", [])
    ]
    if not wanted:
        return ""
    return _("by a link for each group (people wanted): %(groups)s") % {"groups": _(", ").join(wanted)}
