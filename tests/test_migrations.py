"""A database of 0.2.0 is led on to the present version with what it holds.

Each story writes something down as an earlier version did, and is told the rest at the newest. All are told on one way
through the migrations, of which Django needs half a minute.
"""

from collections.abc import Callable, Generator
from datetime import timedelta
from functools import partial

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from study.baselines.content import content_of

BEFORE_ROLES_OF_MEMBERS = [
    ("core", "0003_token_use"),
    ("annotation", "0005_undone_skips_and_save_keys"),
    ("study", "0003_survey"),
]
BEFORE_GRADING_MODELS = [("core", "0004_account"), ("annotation", "0006_role"), ("study", "0003_survey")]
BEFORE_CONVERSATIONS = [("annotation", "0008_grades_of_grading_models")]
BEFORE_RANKINGS = [("study", "0011_question_audits")]
BEFORE_CONTENT = [("study", "0015_places")]
BEFORE_PAY_RECORDS = [("study", "0017_time_of_answers")]
BEFORE_ANNOUNCEMENTS = [("annotation", "0016_openings_of_duplicate_items")]
OF_MODEL_GRADES = ("Project", "GuidelineVersion", "Item", "ModelGrade")
PERSON, CREATOR, ADMINISTRATOR = "person", "creator", "administrator"

# Writes with the models of its time, is sent those of the newest version, and checks.
Story = Generator[None, Apps, None]


def migrate(targets: list[tuple[str, str]]) -> Apps:
    """Bring the tests' database to these migrations, and return the models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def newest() -> list[tuple[str, str]]:
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


def the_role_that_a_person_had_everywhere_becomes_that_of_their_memberships(earlier: Apps) -> Story:
    project = earlier.get_model("annotation", "Project").objects.create(slug="roles", kind="rating")
    study = earlier.get_model("study", "Study").objects.create(slug="roles")
    for role in ("annotator", "inspector", "expert", "researcher", "administrator"):
        person = earlier.get_model("core", "User").objects.create(username=role, role=role)
        earlier.get_model("annotation", "Membership").objects.create(project=project, person=person)
        earlier.get_model("study", "StudyMembership").objects.create(study=study, person=person)
    present = yield
    accounts = dict(present.get_model("core", "User").objects.values_list("username", "account"))
    assert accounts == {
        **dict.fromkeys(("annotator", "inspector", "expert"), PERSON),
        "researcher": CREATOR,
        "administrator": ADMINISTRATOR,
    }
    for model in (present.get_model("annotation", "Membership"), present.get_model("study", "StudyMembership")):
        roles = dict(model.objects.values_list("person__username", "role"))
        assert roles == {name: name for name in accounts}


def a_models_grades_are_of_the_guideline_that_was_in_force_when_the_first_came_in(earlier: Apps) -> Story:
    tables = {name: earlier.get_model("annotation", name).objects for name in OF_MODEL_GRADES}
    expected = set()
    for slug in ("weibo", "forum"):
        project = tables["Project"].create(slug=slug, kind="rating")
        versions = {
            number: tables["GuidelineVersion"].create(project=project, number=number, content={}) for number in (1, 2)
        }
        for position in (1, 2):
            item = tables["Item"].create(
                project=project, position=position, digest=f"{slug} {position}", group="g", content={}
            )
            for name, later in (("early", -1), ("late", 1)):
                at = versions[2].created_at + later * timedelta(hours=position)
                tables["ModelGrade"].create(item=item, model=name, grade=position, imported_at=at)
                expected.add((slug, position, name, 1 if name == "early" else 2, position))
        tables["GuidelineVersion"].filter(pk=versions[1].pk).update(
            created_at=versions[2].created_at - timedelta(days=1)
        )
    migrate(BEFORE_CONVERSATIONS)
    back = migrate(BEFORE_GRADING_MODELS).get_model("annotation", "ModelGrade").objects
    rows = back.values_list("item__project__slug", "model", "grade")
    assert set(rows) == {(slug, name, grade) for slug, _position, name, _guideline, grade in expected}
    present = yield
    columns = ("item__project__slug", "item__position", "model__name", "model__guideline__number", "grade")
    assert set(present.get_model("annotation", "ModelGrade").objects.values_list(*columns)) == expected
    assert present.get_model("annotation", "GradingModel").objects.count() == 4


def a_dialogue_of_an_earlier_import_is_a_conversation_with_those_of_its_text(earlier: Apps) -> Story:
    corpus = earlier.get_model("annotation", "Corpus").objects.create(name="talk", format="jsonl", checksum="c")
    dialogues = earlier.get_model("annotation", "Dialogue").objects
    for position, digest in enumerate(("one", "two", "one")):
        dialogues.create(corpus=corpus, position=position, external_id=position, digest=digest, turns=[])
    present = (yield).get_model("annotation", "Dialogue").objects.order_by("position")
    assert list(present.values_list("conversation", "facts")) == [("one", {}), ("two", {}), ("one", {})]


def a_first_and_a_second_choice_become_the_ranking_that_was_given(kind: str, earlier: Apps) -> Story:
    tables = {name: earlier.get_model("study", name).objects for name in ("Study", "Participant", "Question", kind)}
    study = tables["Study"].create(slug=kind)
    person = tables["Participant"].create(study=study)
    expected = {}
    for number, (first, second, ranking) in enumerate([(3, 1, [3, 1]), (0, None, [0]), (None, None, [])]):
        question = tables["Question"].create(study=study, position=number, external_id=number, candidates_count=5)
        shown = person.presentations.create(question=question, position=number)
        stored = tables[kind].create(presentation=shown, first=first, second=second, better=None, depth=2)
        expected[stored.pk] = ranking
    present = yield
    assert dict(present.get_model("study", kind).objects.values_list("pk", "ranking")) == expected


def predictions_are_found_by_what_their_question_says(earlier: Apps) -> Story:
    tables = {name: earlier.get_model("study", name).objects for name in ("Study", "Question", "Run")}
    study = tables["Study"].create(slug="predictions")
    run = tables["Run"].create(model="random", on="lines")
    said = {"context": [{"speaker": "F", "text": "Salt?"}], "candidates": ["m: Yes.", "m: No."], "candidates_count": 2}
    question = tables["Question"].create(study=study, position=0, external_id="q", **said)
    shorter = {**said, "context": [], "condition": "all", "whole_id": "q"}
    changed = tables["Question"].create(study=study, position=1, external_id="q@all", **shorter)
    for position, asked in enumerate([question, changed, None]):
        run.predictions.create(position=position, external_id=str(position), question=asked, scores=[1, 2])
    rows = (yield).get_model("study", "Prediction").objects.order_by("position")
    assert [(row.content, row.places, row.condition) for row in rows] == [
        (content_of(["Salt?"], ["Yes.", "No."]), [1, 0], ""),
        (content_of([], ["Yes.", "No."]), [1, 0], "all"),
        ("", [], ""),
    ]


def decisions_about_pay_are_kept_where_the_ids_of_platforms_are_deleted_too(earlier: Apps) -> Story:
    of_study = {name: earlier.get_model("study", name).objects for name in ("Study", "Identity", "Submission")}
    events = earlier.get_model("core", "Event").objects
    study = of_study["Study"].create(slug="pay")
    study.reconciliations.create(platform="mturk", rows=3, without_record=0, withdrew=0)
    people = [study.participants.create(state=state) for state in ("complete", "complete", "withdrawn", "complete")]
    identity = of_study["Identity"].create(participant=people[0], study=study, platform="prolific", person="p1")
    of_study["Submission"].create(identity=identity, status="APPROVED", decision="reject")
    for person, became, why in [
        (people[0], "approve", "complete"),
        (people[0], "reject", "two_checks"),
        (people[1], "approve", "timed_out"),
        (people[2], "approve", ""),
    ]:
        events.create(subject="participant", subject_id=person.pk, became=became, why=why)
    kept = (yield).get_model("study", "PayRecord").objects.order_by("participant")
    assert list(kept.values_list("participant", "platform", "decision", "why")) == [
        (people[0].pk, "prolific", "reject", "two_checks"),
        (people[1].pk, "mturk", "approve", "timed_out"),
    ]


def nothing_is_left_in_decisions_about_people_who_withdrew_under_an_earlier_version(earlier: Apps) -> Story:
    studies, events = (earlier.get_model(*model).objects for model in (("study", "Study"), ("core", "Event")))
    study = studies.create(slug="withdrawn")
    gone, still = (study.participants.create(state=state) for state in ("withdrawn", "complete"))
    for person in (gone, still):
        study.deviations.create(what="excluded", subject=str(person.public_id), why="The sister helped.")
        events.create(subject="participant", subject_id=person.pk, became="excluded", why="The sister helped.")
    study.deviations.create(what="taken back", subject="", why="It was the other one.")  # of one who withdrew
    study.deviations.create(what="quota", subject="crowd", planned=4, now=6, why="More came.")
    events.create(subject="participant", subject_id=gone.pk, became="withdrawn", why="They asked for it.")
    present = yield
    told = present.get_model("study", "Deviation").objects.order_by("pk").values_list("what", "subject", "why")
    assert list(told) == [
        ("excluded", "", ""),
        ("excluded", str(still.public_id), "The sister helped."),
        ("taken back", "", ""),
        ("quota", "crowd", "More came."),
    ]
    of_both = {"subject": "participant", "subject_id__in": [gone.pk, still.pk]}
    reasons = present.get_model("core", "Event").objects.filter(**of_both).order_by("pk")
    assert list(reasons.values_list("why", flat=True)) == ["", "The sister helped.", "They asked for it."]


def who_rates_already_has_read_the_newest_guideline(earlier: Apps) -> Story:
    project = earlier.get_model("annotation", "Project").objects.create(slug="raters", kind="rating")
    queues, cursors = (earlier.get_model("annotation", name).objects for name in ("Queue", "Cursor"))
    person = earlier.get_model("core", "User").objects.first()  # of the first story
    for number in (1, 2):
        earlier.get_model("annotation", "GuidelineVersion").objects.create(
            project=project, number=number, content={"grades": []}
        )
    for step in ("rate", "adjudicate"):
        cursors.create(queue=queues.create(project=project, step=step), person=person)
    read = (yield).get_model("annotation", "Cursor").objects.filter(queue__project=project.pk)
    assert dict(read.values_list("queue__step", "guideline_read")) == {"rate": 2, "adjudicate": 0}


# In the order of the migrations before which they begin.
STORIES: list[tuple[list[tuple[str, str]], Callable[[Apps], Story]]] = [
    (BEFORE_ROLES_OF_MEMBERS, the_role_that_a_person_had_everywhere_becomes_that_of_their_memberships),
    (BEFORE_GRADING_MODELS, a_models_grades_are_of_the_guideline_that_was_in_force_when_the_first_came_in),
    (BEFORE_CONVERSATIONS, a_dialogue_of_an_earlier_import_is_a_conversation_with_those_of_its_text),
    (BEFORE_RANKINGS, partial(a_first_and_a_second_choice_become_the_ranking_that_was_given, "Answer")),
    (BEFORE_RANKINGS, partial(a_first_and_a_second_choice_become_the_ranking_that_was_given, "LateAnswer")),
    (BEFORE_CONTENT, predictions_are_found_by_what_their_question_says),
    (BEFORE_PAY_RECORDS, decisions_about_pay_are_kept_where_the_ids_of_platforms_are_deleted_too),
    (BEFORE_PAY_RECORDS, nothing_is_left_in_decisions_about_people_who_withdrew_under_an_earlier_version),
    (BEFORE_ANNOUNCEMENTS, who_rates_already_has_read_the_newest_guideline),
]


@pytest.mark.every_database
def test_what_earlier_versions_stored_is_there_in_the_newest(transactional_db):
    begun = []
    for before, story in STORIES:
        begun.append(story(migrate(before)))
        next(begun[-1])
    present = migrate(newest())
    for story in begun:
        with pytest.raises(StopIteration):
            story.send(present)
