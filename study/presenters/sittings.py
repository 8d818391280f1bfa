"""The page on which an expert rests: what is saved, in which sittings, and how long the rest may take."""

from statistics import median
from typing import Any

from study.domain.survey.sittings import sittings_of
from study.presenters.survey import common
from study.presenters.visit import Visit
from study.selectors.survey import experts
from study.selectors.survey.visits import presentations_of, progress_of, reached


def rest_context(visit: Visit) -> dict[str, Any]:
    """Return the context of study/survey/take/rest.html: how far a person is, and the sittings in which they came."""
    given = experts.times_of([visit.person])[visit.person.pk]
    asked, times = presentations_of(visit.person), [milliseconds for _at, milliseconds in given if milliseconds]
    done, count = progress_of(asked, visit.study)
    sittings, seconds = sittings_of(given), median(times) / 1000 if times else None
    most = max((each.answers for each in sittings), default=1)
    return {
        **common(visit),
        "count": count,
        "done": done,
        "position": min(reached(asked, visit.study), count),
        "share": done / max(1, count),
        "sittings": [(each, each.answers / most) for each in sittings],
        "minutes": sum(each.minutes for each in sittings),
        "seconds": seconds,
        "minutes_to_go": None if seconds is None else (count - done) * seconds / 60,
    }
