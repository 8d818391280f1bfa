"""Sample study: questions drawn from a corpus and from a release, forty simulated people, two models."""

from django.db import transaction

from annotation.actions.demo import demo
from core.models.people import Role, User
from study.actions.demo import demo_people
from study.actions.questions import questions
from study.actions.runs import baselines
from study.actions.survey import studies
from study.models import Study, StudyMembership

SLUG = "sample-survey"
QUESTIONS = {"sample-talk-questions": (f"{demo.CORPUS}:test", 30), "sample-exam-questions": (demo.DIALOGUES, 6)}
SETTINGS = {"minutes": 10, "forms": 3, "per_form": 12}


def load(*, by: User | None = None) -> Study:
    """Create all samples, also those of annotation; leave existing ones as they are. Return the study."""
    demo.load(by=by)
    return Study.objects.filter(slug=SLUG).first() or _load_study(demo.people_of_the_sample()["ines"], by)


@transaction.atomic
def _load_study(researcher: User, by: User | None) -> Study:
    sets = [
        questions.build(name=name, sources=[source], count=count, seed=0, report=_silent, by=researcher)
        for name, (source, count) in QUESTIONS.items()
    ]
    study = studies.create(
        slug=SLUG,
        title="What comes next? Sample survey",
        question_sets=sets,
        settings=SETTINGS,
        groups=demo_people.NUMBERS.items(),
        by=researcher,
    )
    if by:
        StudyMembership.objects.get_or_create(study=study, person=by, defaults={"role": Role.RESEARCHER})
    demo_people.take(studies.open_(study=study, by=researcher))
    for model, train in (("random", ""), ("tfidf", f"{demo.CORPUS}:train")):
        baselines.run_now(model=model, on=SLUG, train=train, seed=0, report=_silent, by=researcher)
    return studies.close(study=study, why="The sample has as many people as it shows.", by=researcher)


def _silent(done: int, total: int | None = None, **figures: float | None) -> None:
    """Ignore progress: the sample is loaded in a moment."""
