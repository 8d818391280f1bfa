"""A database of 0.2.0 is led on to the present version with what it holds."""

from collections.abc import Iterator

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE_ROLES_OF_MEMBERS = [
    ("core", "0003_token_use"),
    ("annotation", "0005_undone_skips_and_save_keys"),
    ("study", "0003_survey"),
]
PERSON, CREATOR, ADMINISTRATOR = "person", "creator", "administrator"


def migrate(targets: list[tuple[str, str]]) -> Apps:
    """Bring the tests' database to these migrations, and return the models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def newest() -> list[tuple[str, str]]:
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


@pytest.fixture
def earlier(transactional_db: None) -> Iterator[Apps]:
    yield migrate(BEFORE_ROLES_OF_MEMBERS)
    migrate(newest())


@pytest.mark.every_database
def test_the_role_that_a_person_had_everywhere_becomes_that_of_their_memberships(earlier):
    project = earlier.get_model("annotation", "Project").objects.create(slug="weibo", kind="rating")
    study = earlier.get_model("study", "Study").objects.create(slug="lines")
    for role in ("annotator", "inspector", "expert", "researcher", "administrator"):
        person = earlier.get_model("core", "User").objects.create(username=role, role=role)
        earlier.get_model("annotation", "Membership").objects.create(project=project, person=person)
        earlier.get_model("study", "StudyMembership").objects.create(study=study, person=person)
    present = migrate(newest())
    accounts = dict(present.get_model("core", "User").objects.values_list("username", "account"))
    assert accounts == {
        **dict.fromkeys(("annotator", "inspector", "expert"), PERSON),
        "researcher": CREATOR,
        "administrator": ADMINISTRATOR,
    }
    for model in (present.get_model("annotation", "Membership"), present.get_model("study", "StudyMembership")):
        roles = dict(model.objects.values_list("person__username", "role"))
        assert roles == {name: name for name in accounts}
