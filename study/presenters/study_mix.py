"""Mix of corpora in the forms of each group, as a bar with its shares beside it."""

from dataclasses import dataclass

from study.domain.survey.plan import shares_in_forms
from study.models import Study
from study.selectors.survey.plans import StudyProspect

STEPS = (5, 3, 2, 4, 1)  # of the ramp of the style sheet, in turn: neighbours differ


@dataclass(frozen=True)
class MixPart:
    """A corpus in a bar: its share, where it begins and how wide it is in per cent, and its step of the ramp."""

    corpus: str
    share: float
    begins: str
    width: str
    step: int


@dataclass(frozen=True)
class GroupMix:
    """The parts of a group's bar. `is_own` marks a mix that the plan sets; others are even."""

    group: str
    parts: list[MixPart]
    is_own: bool


def mix_of_groups(study: Study, prospect: StudyProspect) -> list[GroupMix]:
    """Return the mix of each group; [] with one corpus, and without the group whose mix does not fit the corpora."""
    sizes = dict(prospect.by_corpus)
    if len(sizes) < 2 or not prospect.is_ready:
        return []
    forms, per_form = study.survey.dealt(prospect.questions)
    mixes = study.survey.mixes if study.survey.assign == "forms" else {}
    found = []
    for name in study.groups.values_list("name", flat=True):
        own = mixes.get(name, {})
        try:
            shares = shares_in_forms(sizes, forms=forms, per_form=per_form, mix=own)
        except ValueError:  # the page says what is wrong with the mix
            continue
        found.append(GroupMix(name, _parts(shares), bool(own)))
    return found


def _parts(shares: dict[str, float]) -> list[MixPart]:
    parts, begins = [], 0.0
    for place, (corpus, share) in enumerate(shares.items()):
        parts.append(MixPart(corpus, share, f"{100 * begins:.2f}", f"{100 * share:.2f}", STEPS[place % len(STEPS)]))
        begins += share
    return parts
