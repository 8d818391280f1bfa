"""The other side of test_survey_survives_kills.

python -m tests.flows.survey_driver prepare     make an open study and print the path of its link
python -m tests.flows.survey_driver report      print what is stored as JSON
"""

import json
import sys

import django

django.setup()

from core.models import Role  # noqa: E402
from study.models import Answer, Participant  # noqa: E402
from tests import factories  # noqa: E402
from tests.study import study_cases  # noqa: E402

FORMS, PER_FORM = 4, 12


def prepare() -> None:
    researcher = factories.person("rui", Role.RESEARCHER)
    settings = {"forms": FORMS, "per_form": PER_FORM}
    study = study_cases.study("kills", by=researcher, questions=FORMS * PER_FORM, settings=settings)
    print(f"/take/{study.groups.get().token}/")


def report() -> None:
    answers = Answer.objects.select_related("presentation__question")
    rows = [
        {
            "key": answer.submission_key,
            "person": answer.presentation.participant_id,
            "position": answer.presentation.position,
            "lines": [answer.presentation.question.candidates[number] for number in (answer.first, answer.second)],
        }
        for answer in answers
    ]
    print(json.dumps({"answers": rows, "people": list(Participant.objects.values("id", "state"))}, default=str))


if __name__ == "__main__":
    {"prepare": prepare, "report": report}[sys.argv[1]]()
