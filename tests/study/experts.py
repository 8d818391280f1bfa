"""Studies that signed-in experts take, and browsers of theirs."""

from django.test import Client

from core.models import Role, User
from study.actions.survey import members, studies
from study.models import Participant, QuestionSet, Study
from tests import factories
from tests.study import study_cases

SETTINGS = {"minutes": 0, "assign": "all", "answer": "ranking", "takers": "signed-in"}
CONSENT = {"is_adult": "on", "agrees": "on"}


def ceiling(*experts: User, by: User, questions: QuestionSet | None = None, **settings: object) -> Study:
    """Open a study in which the experts put all lines of each question in order."""
    drawn = questions or study_cases.question_set("ceiling-questions", 4, by=by, candidates=4)
    made = studies.create(
        slug="ceiling", title="The ceiling", question_sets=[drawn], settings=SETTINGS | settings, by=by
    )
    for person in experts:
        members.add(study=made, person=person, role=Role.EXPERT, by=by)
    return studies.open_(study=made, reason="Written for tests.", by=by)


def account(username: str) -> User:
    """Return a person without a role anywhere."""
    return factories.person(username)


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def link_of(study: Study) -> str:
    return f"/take/{study.groups.get().token}/"


def begin(client: Client, study: Study) -> Participant:
    """Go to the first question without a script and return the participant."""
    link = link_of(study)
    client.post(f"{link}join/", CONSENT)
    client.post(f"{link}about/", {})
    person = Participant.objects.latest("pk")
    practice = person.presentations.get(position=0)
    client.post(f"{link}practice/", places(practice.tokens))
    client.post(f"{link}begin/")
    return person


def places(tokens: list[str]) -> dict[str, str]:
    """Return the fields of a form in which the lines of these tokens are in this order."""
    return {f"place-{token}": str(place) for place, token in enumerate(tokens, start=1)}


def rank(client: Client, person: Participant, position: int, *numbers: int):
    """Send a ranking of candidates, by their numbers, as the form without a script does."""
    asked = person.presentations.get(position=position)
    token = dict(zip(asked.order, asked.tokens, strict=True))
    address = f"{link_of(person.study)}questions/{position}/answer/"
    return client.post(address, places([token[number] for number in numbers]))
