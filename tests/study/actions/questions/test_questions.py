"""Question sets: built once, frozen, with the recipe that gives them again."""

import json
from hashlib import sha256

import pytest
from django.db import transaction

from annotation.actions.releases import releases
from annotation.models import Instance, Release
from core.actions import names
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Event, Job, Name, Role
from core.models.frozen import Frozen
from study.actions.questions import questions
from study.actions.questions.question_rows import checksum, drawn_rows
from study.actions.questions.questions import build
from study.actions.questions.refusals import NotBuilt
from study.domain.questions.conditions import asked_in
from study.domain.questions.dialogues import SourceDialogue, entry_of
from study.domain.questions.sampling import QuestionDraw, SamplingSettings, arranged
from study.models import Question, QuestionSet
from tests import factories
from tests.corpora import dialogue, stored
from tests.factories import no_progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(researcher):
    rows = [dialogue(number) for number in range(20)]
    return stored("talk", [*rows, *(dialogue(90 + n, split="test") for n in range(5)), dialogue(80, 2)], by=researcher)


@pytest.fixture
def exam(researcher):
    said = {"split": "dev", "candidates": ["yes", "no", "so", "tea"]}
    rows = [dialogue(number, turns=number + 1, answer=number % 4, **said) for number in range(8)]
    odd = [
        dialogue(20, candidates=["Yes", "yes", "YES", "yes."], answer=0),
        dialogue(21, candidates=["yes", "no"]),
    ]
    return stored("exam", [*rows, *odd], by=researcher)


def built(researcher, *sources, name="evening", count=10, **how) -> QuestionSet:
    return build(name=name, sources=sources, count=count, report=no_progress, by=researcher, **how)


def asked_for(researcher, *sources, count, **how) -> Job:
    usual = {"distractors": 4, "pick": "uniform", "max_turns": 6, "conditions": (), "seed": 1}
    return questions.ask_for_build(name="evening", sources=sources, count=count, **usual | how, by=researcher)


def code_of(researcher, *sources, **how) -> str:
    with pytest.raises(Refused) as refused:
        built(researcher, *sources, **how)
    assert not QuestionSet.objects.filter(name="evening").exists()
    assert not Name.objects.filter(kind="questions", name="evening").exists()
    return refused.value.code


def test_a_set_has_its_questions_in_order_with_their_answers(talk, researcher):
    evening = built(researcher, "talk:dev", distractors=3)
    rows = evening.questions.order_by("position")
    assert [row.position for row in rows] == list(range(10))
    assert {row.corpus for row in rows} == {"talk"}
    for row in rows:
        number = row.external_id[1:]
        truth = f"Line {len(row.context)} of story {number}."
        assert row.candidates[row.answer] == truth
        assert row.candidates_count == len(set(row.candidates)) == 4
        assert all(not text.endswith(f"story {number}.") for text in row.candidates if text != truth)
        assert all(int(text.split()[-1][:-1]) < 90 for text in row.candidates), "of the same split"


def test_the_recipe_says_how_to_draw_them_again(talk, researcher):
    evening = built(researcher, "talk:dev", seed=7)
    assert evening.recipe == {
        "sources": [{"name": "talk:dev", "checksum": talk.checksum, "count": 10}],
        "count": 10,
        "distractors": 4,
        "max_turns": 6,
        "pick": "uniform",
        "own_candidates": 0,
    }
    assert (evening.seed, evening.left_out) == (7, {"short": 1, "not_drawn": 10})
    again = built(researcher, "talk:dev", name="again", seed=7)
    other = built(researcher, "talk:dev", name="other", seed=8)
    assert evening.checksum == again.checksum != other.checksum
    assert Event.objects.filter(subject="questionset", became="built", by=researcher).count() == 3


def test_flagged_dialogues_are_counted_and_not_drawn(researcher):
    rows = [dialogue(number) for number in range(10)]
    rows[4]["turns"][2]["text"] = "Line 2 of bullshit story 4."
    stored("film", rows, by=researcher)
    made = built(researcher, "film", count=9)
    assert made.left_out == {"flagged": 1}
    assert not any("bullshit" in text for row in made.questions.all() for text in row.candidates)
    with pytest.raises(Refused) as refused:
        built(researcher, "film", name="more", count=10)
    assert "flagged for its words 1" in str(refused.value)


def test_the_checksum_is_that_of_the_questions_as_lines(talk, researcher):
    evening = built(researcher, "talk:dev")
    digest = sha256()
    for row in evening.questions.order_by("position"):
        turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in row.context]
        line = {
            "id": row.external_id,
            "corpus": row.corpus,
            "context": turns,
            "candidates": row.candidates,
            "answer": row.answer,
        }
        digest.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    assert evening.checksum == digest.hexdigest()


@pytest.mark.parametrize("pick", ["uniform", "similar", "length"])
def test_the_order_in_which_a_corpus_came_changes_nothing(researcher, pick):
    checksums = set()
    for order in (range(20), reversed(range(20))):
        with transaction.atomic():
            stored("film", [dialogue(number) for number in order], by=researcher)
            checksums.add(built(researcher, "film", pick=pick, conditions=["shuffle"]).checksum)
            transaction.set_rollback(True)
    assert len(checksums) == 1


@pytest.mark.parametrize("pick", ["uniform", "similar", "length"])
def test_the_checksum_is_that_of_dialogues_in_memory_so_that_no_database_matters(researcher, pick):
    rows = [
        dialogue(number, turns=3 + number % 5, id=name) for number, name in enumerate(["b", "B", "é", "a-1", "a1", "Z"])
    ]
    rows += [dialogue(number) for number in range(10, 30)]
    stored("film", rows, by=researcher)
    inside = [SourceDialogue(row["id"], row["split"], row["id"], row["turns"]) for row in rows]
    entries = [entry_of(each, position) for position, each in enumerate(inside)]
    settings = SamplingSettings(count=20, distractors=6, pick=pick)
    draw = QuestionDraw("film", entries, lambda places: {place: inside[place] for place in places}, settings, 5)
    drawn = [
        one
        for question in arranged(draw.questions(20, lambda done: None), 5)
        for one in asked_in(question, ["shuffle", "first:2"], 5)
    ]
    conditions = ["shuffle", "first:2"]
    made = built(researcher, "film", count=20, distractors=6, pick=pick, conditions=conditions, seed=5)
    assert made.checksum == checksum(drawn_rows(drawn, {"film": "film"}))


def test_instances_keep_their_candidates(exam, researcher):
    evening = built(researcher, "exam", count=8, distractors=9)
    assert evening.left_out == {"equal_candidates": 1, "no_answer": 1}
    assert evening.recipe["own_candidates"] == 8
    for row in evening.questions.all():
        number = int(row.external_id[1:])
        assert sorted(row.candidates) == ["no", "so", "tea", "yes"]
        assert row.candidates[row.answer] == ["yes", "no", "so", "tea"][number % 4]
        assert len(row.context) == number + 1
    assert sorted(evening.questions.values_list("answer", flat=True)) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_several_sources_give_as_many_each_and_their_names_stand_in_the_ids(talk, exam, researcher):
    evening = built(researcher, "talk:dev", "exam", count=7)
    assert [source["count"] for source in evening.recipe["sources"]] == [4, 3]
    ids = set(evening.questions.values_list("external_id", flat=True))
    assert sum(each.startswith("talk:dev/d") for each in ids) == 4
    assert sum(each.startswith("exam/d") for each in ids) == 3
    corpora = sorted(evening.questions.values_list("corpus", flat=True))
    assert corpora == ["exam"] * 3 + ["talk"] * 4


@pytest.mark.parametrize(
    ("sources", "how", "code"),
    [
        ([], {}, "no_source"),
        (["nowhere"], {}, "no_such_source"),
        (["talk:validation"], {}, "no_such_source"),
        (["weibo"], {}, "no_such_source"),  # a project without a release
        (["talk", "talk:dev"], {}, "sources_overlap"),
        (["talk:dev", "talk:dev"], {}, "sources_overlap"),
        (["talk:dev", "talk:test"], {"count": 1}, "too_few_questions"),
        (["talk:dev"], {"pick": "best"}, "settings"),
        (["talk:dev"], {"conditions": ["first:0"]}, "condition_wrong"),
        (["talk:dev"], {"conditions": ["none"]}, "condition_wrong"),
        (["talk:dev"], {"conditions": ["all", "all"]}, "condition_twice"),
        (["talk:dev"], {"conditions": ["first:6"]}, "condition_empty"),
        (["talk:dev"], {"count": 0}, "settings"),
        (["talk:dev"], {"distractors": 0}, "settings"),
        (["talk:dev"], {"distractors": 100}, "settings"),
        (["talk:dev"], {"max_turns": 1}, "settings"),
        (["talk:dev"], {"name": "two words"}, "name_wrong"),
        (["talk:dev"], {"name": "x" * 61}, "name_wrong"),
        (["talk:dev"], {"name": "weibo"}, "slug_taken"),
    ],
)
def test_what_cannot_be_built_is_refused_and_nothing_is_kept(sources, how, code, talk, project, researcher):
    assert code_of(researcher, *sources, **how) == code


def test_too_few_dialogues_are_told_with_how_many_there_are(talk, researcher):
    with pytest.raises(NotBuilt) as refused:
        built(researcher, "talk:test", count=6)
    assert refused.value.code == "too_few"
    assert "“talk:test” is enough for 5 of the 6 questions asked for." in str(refused.value)
    with pytest.raises(NotBuilt) as refused:
        built(researcher, "talk", count=26)
    assert "enough for 25 of the 26" in str(refused.value)
    assert "fewer than 3 turns 1" in str(refused.value)


def test_two_splits_of_a_corpus_may_be_named_together(talk, researcher):
    evening = built(researcher, "talk:dev", "talk:test", count=8)
    assert {row.corpus for row in evening.questions.all()} == {"talk"}


def test_questions_are_never_built_over(talk, researcher):
    before = built(researcher, "talk:dev")
    with pytest.raises(Refused) as refused:
        built(researcher, "talk:dev", seed=3)
    assert refused.value.code == "questions_exist"
    assert QuestionSet.objects.get().checksum == before.checksum


def test_a_frozen_set_refuses_to_be_changed(talk, researcher):
    evening = built(researcher, "talk:dev")
    for attempt in (evening.save, evening.delete):
        with pytest.raises(Frozen):
            attempt()


def test_a_stranger_s_release_is_no_source(project, researcher, annotator, partner):
    factories.pairs(project, 3)
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 4, 4)
    releases.freeze(project=project, seed=0, report=no_progress, by=researcher)
    assert code_of(researcher, "weibo@1") == "holds_pairs"
    assert code_of(factories.person("other", Role.RESEARCHER), "weibo@1") == "no_such_source"


def test_a_job_that_is_run_twice_builds_once(talk, researcher):
    job = asked_for(researcher, "talk:dev", count=5)
    first, again = (questions.run_build(job, no_progress) for _time in range(2))
    assert first == again
    assert first["checksum"] == QuestionSet.objects.get().checksum
    assert Question.objects.count() == 5


def test_a_job_that_is_refused_says_why_in_the_reader_s_language(talk, researcher):
    job = asked_for(researcher, "talk:test", count=5, distractors=99)
    names.claim("other", "study")
    result = json.loads(json.dumps(questions.run_build(job, no_progress)))
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, result=result)
    job.refresh_from_db()
    assert "enough for 0 of the 5" in questions.why_not(job)
    assert questions.why_not(Job(kind=questions.KIND)) == ""


def test_what_is_known_to_be_too_few_is_refused_without_a_job(talk, researcher):
    with pytest.raises(NotBuilt) as refused:
        asked_for(researcher, "talk:test", count=6)
    assert (refused.value.code, refused.value.params["there"]) == ("too_few", 5)
    assert not Job.objects.exists()


def test_progress_rises_to_the_number_of_questions(talk, exam, researcher):
    told = []
    build(
        name="evening",
        sources=["talk:dev", "exam"],
        count=9,
        seed=0,
        by=researcher,
        report=lambda done, total=None: told.append((done, total)),
    )
    assert told == sorted(told)
    assert told[-1] == (9, 9)


def test_a_set_tells_of_each_candidate_where_it_was_said(talk, researcher):
    for row in built(researcher, "talk:dev").questions.all():
        assert (row.pick, row.conversation != "", row.reasoning) == ("uniform", True, [])
        for text, (name, turn) in zip(row.candidates, row.origins, strict=True):
            assert text == f"Line {turn} of story {name[1:]}."


@pytest.mark.parametrize("pick", ["uniform", "similar", "length"])
def test_every_pick_takes_the_split_and_no_turn_of_the_same_conversation(researcher, pick):
    """Two dialogues tell each story: they are one conversation by the key of their source."""
    rows = [
        dialogue(number, id=f"{part}{number}", split=split, conversation=f"story {number}")
        for split, numbers in (("dev", range(12)), ("test", range(50, 58)))
        for number in numbers
        for part in "de"
    ]
    stored("twice", rows, by=researcher)
    evening = built(researcher, "twice", count=20, pick=pick, distractors=5)
    assert evening.recipe["pick"] == pick
    for row in evening.questions.all():
        own = int(row.external_id[1:])
        others = {int(name[1:]) for place, (name, _turn) in enumerate(row.origins) if place != row.answer}
        assert own not in others
        assert {other < 50 for other in others} == {own < 50}


def test_conditions_are_questions_of_the_same_name_with_another_context(talk, researcher):
    plain = built(researcher, "talk:dev", name="plain")
    evening = built(researcher, "talk:dev", conditions=["first:2", "all", "shuffle"])
    rows = {row.external_id: row for row in evening.questions.order_by("position")}
    whole = [row for row in rows.values() if not row.condition]
    assert [row.external_id for row in whole] == [row.external_id for row in plain.questions.order_by("position")]
    longer = [row for row in whole if len(row.context) > 2]
    assert evening.recipe["conditions"] == {"first:2": len(longer), "all": 10, "shuffle": 10}
    assert (evening.recipe["count"], len(rows)) == (10, 30 + len(longer))
    for row in whole:
        name = row.external_id
        assert (row.whole_id, rows[f"{name}@all"].context) == ("", [])
        shuffled = rows[f"{name}@shuffle"].context
        assert sorted(turn["text"] for turn in shuffled) == sorted(turn["text"] for turn in row.context)
        assert shuffled != row.context
        for condition in ("all", "shuffle"):
            asked = rows[f"{name}@{condition}"]
            assert (asked.whole_id, asked.condition, asked.name) == (name, condition, name)
            assert (asked.candidates, asked.answer, asked.origins) == (row.candidates, row.answer, row.origins)
    for row in longer:
        assert rows[f"{row.external_id}@first:2"].context == row.context[2:]


def test_a_set_in_conditions_has_a_checksum_of_its_own(talk, researcher):
    ways = [(), ("all",), ("shuffle",), ("all", "shuffle")]
    checksums = {built(researcher, "talk:dev", name=f"set{n}", conditions=way).checksum for n, way in enumerate(ways)}
    assert len(checksums) == 4


def test_the_reasoning_types_of_a_release_are_kept(project, researcher):
    release = Release.objects.create(
        project=project, number=1, seed=0, checksum="c" * 64, counts={}, statistics={}, agreement={}, settings={}
    )
    content = {
        "id": "i1",
        "split": "dev",
        "conversation": "c1",
        "answer": 0,
        "context": [{"speaker": "W", "text": "The kettle leaks."}],
        "candidates": ["Mend it.", "Sell it."],
        "reasoning": ["algebra", "situation"],
    }
    Instance.objects.create(release=release, position=0, split="dev", content=content)
    [row] = built(researcher, "weibo@1", count=1).questions.all()
    assert (row.reasoning, row.pick, row.conversation) == (["algebra", "situation"], "own", "c1")
    assert row.origins == [["i1", None], ["i1", None]]


def test_a_release_of_our_own_is_a_source_with_its_candidates(project, researcher):
    instances = [
        {
            "id": f"i{n}",
            "split": ("train", "dev")[n % 2],
            "conversation": f"c{n // 2}",
            "answer": n % 4,
            "context": [{"speaker": "W", "text": f"The kettle of house {n} leaks."}],
            "candidates": [f"Mend it, {n}.", f"Sell it, {n}.", f"Paint it, {n}.", f"Drop it, {n}."],
        }
        for n in range(8)
    ]
    release = Release.objects.create(
        project=project, number=1, seed=0, checksum="c" * 64, counts={}, statistics={}, agreement={}, settings={}
    )
    for position, content in enumerate(instances):
        Instance.objects.create(release=release, position=position, split=content["split"], content=content)
    evening = built(researcher, "weibo@1:dev", count=4)
    assert evening.recipe["sources"] == [{"name": "weibo@1:dev", "checksum": "c" * 64, "count": 4}]
    for row in evening.questions.all():
        number = int(row.external_id[1:])
        assert number % 2 == 1
        assert (row.corpus, row.context) == ("weibo@1", instances[number]["context"])
        assert sorted(row.candidates) == sorted(instances[number]["candidates"])
        assert row.candidates[row.answer] == instances[number]["candidates"][instances[number]["answer"]]
    newest = built(researcher, "weibo", name="newest", count=8)
    assert newest.recipe["sources"][0]["name"] == "weibo@1", "the release is named, not the newest of some day"
