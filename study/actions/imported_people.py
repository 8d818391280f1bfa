"""People of answers given elsewhere: their groups and forms, and what they say about themselves."""

import secrets
from collections.abc import Iterable, Mapping

from study.domain.survey.phases import ParticipantState
from study.models import Participant, Study, StudyGroup
from study.models.people import Origin

CHUNK = 5_000


def make(
    study: Study, known: Iterable[str], groups: Mapping[str, str], forms: Mapping[str, int | None]
) -> dict[str, Participant]:
    """Create the people who are not `known`, with the groups that the study lacks; return them by label."""
    of_name = {group.name: group for group in study.groups.all()}
    for name in sorted(set(groups.values()) - set(of_name) - {""}):
        of_name[name] = StudyGroup.objects.create(study=study, name=name, token=secrets.token_urlsafe(24))
    made = Participant.objects.bulk_create(
        [
            Participant(
                study=study,
                label=label,
                group=of_name.get(group),
                form=forms.get(label),
                origin=Origin.IMPORT,
                state=ParticipantState.COMPLETE,
            )
            for label, group in groups.items()
            if label not in known
        ],
        batch_size=CHUNK,
    )
    return {one.label: one for one in made}


def describe(people: Mapping[str, Participant], said: Mapping[str, Mapping[str, str]]) -> int:
    """Store what people say about themselves, by question and label; return of how many something is new."""
    changed = []
    for label, person in people.items():
        new = {key: of_question[label] for key, of_question in said.items() if of_question.get(label)}
        if new.items() - person.demographics.items():
            person.demographics = person.demographics | new
            changed.append(person)
    Participant.objects.bulk_update(changed, ["demographics"], batch_size=CHUNK)
    return len(changed)
