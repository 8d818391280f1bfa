"""Who joined a study and does not count: what a rule leaves out is told apart from who withdrew."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.selectors.reports.facts import ReportFacts


def left_out_of(facts: ReportFacts) -> str:
    """Return how many people were excluded by rules and by hand, and how many withdrew, of those who joined."""
    found = facts.left_out
    counts = {
        _("excluded by rules"): found.by_rules,
        _("excluded by hand alone"): found.by_hand,
        _("withdrew"): found.withdrew,
    }
    if found.others:
        counts[_("still answering, or without an answer that can be scored")] = found.others
    told = [
        _("%(title)s: %(n)s (%(share)s %%)")
        % {"title": title, "n": f"{n:,}", "share": f"{100 * n / facts.joined if facts.joined else 0:.1f}"}
        for title, n in counts.items()
    ]
    joined = ngettext("%(joined)s person joined", "%(joined)s people joined", facts.joined) % {
        "joined": f"{facts.joined:,}"
    }
    return _("; ").join([joined, *told])
