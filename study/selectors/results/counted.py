"""Whether a person counts by the rules of their study: the same rules as of the figures, for one person."""

import numpy as np

from study.domain.results.exclusions import RuleSwitches, excluded_people, medians_of_people
from study.models import Behaviour, Participant, QuestionPurpose
from study.selectors.results.behaviour import behaviour_of, signs_of


def is_counted(participant: Participant) -> bool:
    """Return whether no rule of the study, and no researcher, leaves out a person who has ended."""
    asked = participant.presentations.order_by("position")
    work = asked.filter(question__purpose=QuestionPurpose.WORK, answer__isnull=False)
    times = np.array(list(work.values_list("answer__milliseconds", flat=True)), dtype=np.float64)  # None becomes NaN
    behaviour = behaviour_of(
        participant.study,
        np.array([participant.pk], dtype=np.int64),
        np.array([len(times)], dtype=np.int64),
        medians_of_people(np.zeros(len(times), dtype=np.int64), times, 1),
        asked=asked,
        checks=asked.filter(question__purpose=QuestionPurpose.CHECK),
        signs=signs_of(Behaviour.objects.filter(participant=participant)),
    )
    is_out = excluded_people(participant.study.survey, behaviour)
    return not any(is_out[rule].any() for rule in RuleSwitches().applied(is_out))
