"""Studies that many people join in the same second (benchmarks/serving/joining.py), and how many have joined them.

python rows_of_joining.py fill 200 3     make so many people a link for each of so many studies; print both as JSON
python rows_of_joining.py joined NAME    print how many have joined a study, by group and form

One of two groups has fewer places than people who come to it.
"""

import json
import sys
from typing import Any
from urllib.parse import urlencode

import django

django.setup()

from django.db.models import Count  # noqa: E402

from core.models import Role, User  # noqa: E402
from study.domain.survey.phases import ParticipantState, VisitOutcome  # noqa: E402
from study.models import FormPlaces, Participant  # noqa: E402
from tests import factories  # noqa: E402
from tests.study import study_cases  # noqa: E402

FORMS, PER_FORM = 4, 39  # and the attention check
SHARE = 0.31  # of all people, for whom the small group has places; half of them come to it


def fill(people: str, rounds: str) -> None:
    researcher = factories.person("ria", Role.RESEARCHER)
    print(json.dumps([study(f"joining-{number}", int(people), researcher) for number in range(int(rounds))]))


def study(name: str, people: int, by: User) -> dict[str, Any]:
    """Make a study; return its name, the quota of its small group, its code for "full", and each person's link."""
    quota, settings = int(people * SHARE), {"forms": FORMS, "per_form": PER_FORM}
    groups = {"large": None, "small": quota}
    made = study_cases.study(name, by=by, questions=FORMS * PER_FORM, settings=settings, groups=groups)
    links = [f"/take/{group.token}/" for group in made.groups.order_by("name")]
    ids = [
        {"PROLIFIC_PID": f"{number:024x}", "STUDY_ID": f"{made.pk:024x}", "SESSION_ID": f"{number:024x}"}
        for number in range(people)
    ]
    paths = [f"{links[number % 2]}?{urlencode(each)}" for number, each in enumerate(ids)]
    come = [{"number": number, "path": path} for number, path in enumerate(paths)]
    return {"name": name, "quota": quota, "full": made.codes[VisitOutcome.FULL], "people": come}


def joined(name: str) -> None:
    """Print how many are under way and how many places are taken, by group and form; all people; questions of each."""
    there = Participant.objects.filter(study__slug=name)
    under_way = there.filter(state=ParticipantState.ANSWERING, has_place=True)
    places = FormPlaces.objects.filter(group__study__slug=name).order_by("form")
    told: dict[str, Any] = {
        "all": there.count(),
        "people": {each.group.name: [] for each in places},
        "places": {each.group.name: [] for each in places},
        "questions": sorted({each.count for each in under_way.annotate(count=Count("presentations"))}),
    }
    for each in places:
        told["people"][each.group.name].append(under_way.filter(group=each.group, form=each.form).count())
        told["places"][each.group.name].append(each.taken)
    print(json.dumps(told))


if __name__ == "__main__":
    {"fill": fill, "joined": joined}[sys.argv[1]](*sys.argv[2:])
