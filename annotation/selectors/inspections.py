"""What inspectors found, as figures: one of the doors from study down to annotation."""

from collections import Counter
from typing import Any

from django.db.models import Count

from annotation.domain.rewriting import Part
from annotation.domain.workflow import SeatState
from annotation.models import Inspection, Project, Purpose


def inspection_report(project: Project) -> dict[str, Any]:
    """Every verdict of the project that counts, JSON-ready, without people.

    ``inspections`` n; ``blind`` {answers, right, undecided}: what was answered before the key was shown;
    ``verdicts`` {accept, return, discard}; ``rounds`` {"1": n, ...} of the inspections.
    """
    counting = Inspection.objects.filter(
        seat__place__queue__project=project, seat__place__item__purpose=Purpose.WORK,
        seat__state=SeatState.SUBMITTED, decided_at__isnull=False,
    ).order_by()  # fmt: skip
    verdicts = Counter(dict(counting.values_list("verdict").annotate(Count("pk"))))
    rounds = dict(counting.values_list("seat__place__round").annotate(Count("pk")))
    total = verdicts.total()
    undecided = counting.filter(answer=None).count()
    return {
        "inspections": total,
        "blind": {
            "answers": total - undecided,
            "right": counting.filter(answer=Part.RIGHT).count(),
            "undecided": undecided,
        },
        "verdicts": {name: verdicts[name] for name in ("accept", "return", "discard")},
        "rounds": {str(number): rounds[number] for number in sorted(rounds)},
    }
