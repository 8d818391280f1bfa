"""The samples of annotation: their content, and that loading them again changes nothing."""

import json
from collections import Counter
from collections.abc import Iterator
from statistics import mean

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation.actions.demo import demo
from annotation.domain.rewriting.overlap import overlap
from annotation.domain.rewriting.rewriting import flaws
from annotation.models import CleaningDecision, Corpus, Import, Inspection, Project, Rewrite
from annotation.selectors.adjudication import waiting_in
from annotation.selectors.cleaning.cleaning import cleaning_report
from annotation.selectors.flags import flags_of
from annotation.selectors.qualification.gold import gold_of
from annotation.selectors.qualification.qualification import qualification_report
from annotation.selectors.rating.pairs import rows_of
from core.models import Event, Role, User
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def dialogues(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Project]:
    """Load the sample once for all tests that look at it."""
    with django_db_blocker.unblock(), transaction.atomic():
        demo.load()
        yield Project.objects.get(slug=demo.DIALOGUES)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def pairs(dialogues: Project) -> Project:
    return Project.objects.get(slug=demo.SLUG)


def test_the_sample_of_rating_shows_every_state(pairs):
    assert set(pairs.items.work().values_list("state", flat=True)) == {
        "open",
        "disputed",
        "kept",
        "removed",
        "cleaned",
    }
    [adjudicated] = [row for row in rows_of(pairs.items.work()) if row.item.state == "kept" and row.decision]
    assert adjudicated.decision.grade == adjudicated.final
    release = pairs.releases.get()
    assert release.counts["instances"] == pairs.items.filter(state="kept").count()


def test_its_cleaning_has_findings_decisions_of_several_people_and_one_that_waits(pairs):
    ledger = cleaning_report(pairs)
    assert ledger["waiting"] == 1
    assert {name for name, rule in ledger["rules"].items() if rule["found"]} == {"telephone", "wechat", "weather"}
    verdicts = Counter(CleaningDecision.objects.of_project(pairs).values_list("verdict", flat=True))
    assert verdicts == {"keep": 1, "sensitive": 1, "knowledge": 1}
    assert len(ledger["people"]) == 2


def test_everybody_passed_its_practice_and_one_is_paused_after_missing_gold(pairs):
    status = {each["user"]: each for each in qualification_report(pairs)["raters"]}
    assert {user: each["status"] for user, each in status.items()} == {
        "linyue": "free",
        "zhou": "free",
        "heman": "free",
        "xujing": "paused",
    }
    assert status["xujing"]["recently_missed"] == pairs.rating.gold_misses
    assert [attempt["state"] for attempt in status["heman"]["attempts"]] == ["failed", "passed"]
    assert not [gold for gold in gold_of(pairs).select_related("gold") if not gold.gold.explanation]


def test_one_of_its_flags_is_open_and_one_dispute_waits_for_the_inspector(pairs):
    [flag] = flags_of(pairs, resolved=False)
    assert flag.comment
    assert waiting_in(pairs, User.objects.get(username="amara")) == 1


def written() -> list[tuple[list[dict[str, str]], int, list[str], str]]:
    """Return turns, cut, candidates and question of each text of the sample."""
    drafts = json.loads(demo._read("rewrites.json"))
    found = []
    for utterances, [question], name in json.loads(demo._read("dialogues.json")):
        turns = [dict(zip(("speaker", "text"), line.split(": ", 1), strict=True)) for line in utterances]
        draft = drafts[f"{name}-1"]
        found.append((turns, draft["cut"], draft["candidates"], question["question"]))
    return found


def test_the_sample_of_rewriting_shows_every_state(dialogues):
    states = Counter(dialogues.items.values_list("state", flat=True))
    assert states == {"kept": 7, "returned": 1, "removed": 1, "written": 1, "open": 2}
    assert Inspection.objects.filter(assignment__slot__round=2, verdict="accept").count() == 1
    [draft] = Rewrite.objects.filter(assignment__person__username="heman", submitted_at=None)
    assert [bool(text) for text in draft.candidates] == [True, True, False, False]


def test_its_import_has_refused_rows_and_its_release_what_was_accepted(dialogues):
    assert (Import.objects.get(project=dialogues).good, Import.objects.get(project=dialogues).refused) == (12, 2)
    release = dialogues.releases.get()
    assert release.instances.count() == 7
    assert set(release.instances.values_list("split", flat=True)) == {"train", "dev", "test"}


def test_what_was_sent_back_is_with_its_author_and_says_why(dialogues):
    item = dialogues.items.get(state="returned")
    [assignment] = item.slots.get(round=2).assignments.all()
    [said] = Inspection.objects.filter(verdict="return", rewrite__assignment__slot__item=item)
    assert (assignment.state, assignment.person) == ("held", said.rewrite.assignment.person)
    assert said.comments


def test_loading_the_samples_again_changes_nothing(dialogues):
    before = Event.objects.count(), Corpus.objects.get().checksum, User.objects.count()
    demo.load(by=factories.person("somebody", Role.RESEARCHER))
    assert (Event.objects.count(), Corpus.objects.get().checksum, User.objects.count() - 1) == before


@pytest.mark.parametrize(("turns", "cut", "candidates", "question"), written(), ids=lambda value: str(value)[:30])
def test_the_samples_authors_keep_the_rules(turns, cut, candidates, question):
    assert flaws(turns, cut, candidates) == []
    assert max(map(len, candidates)) < 2 * min(map(len, candidates))


def test_neither_length_nor_overlap_gives_the_samples_right_candidates_away():
    shares: dict[int, list[float]] = {part: [] for part in range(4)}
    longest = 0
    for turns, cut, candidates, _question in written():
        context = [turn["text"] for turn in turns[:cut]]
        for part, text in enumerate(candidates):
            shares[part].append(overlap(text, context).share or 0)
        longest += max(candidates, key=len) == candidates[0]
    assert longest < len(written()) / 2
    assert abs(mean(shares[0]) - mean(shares[1] + shares[2] + shares[3])) < 0.1
    assert min(map(mean, shares.values())) > 0.4  # wrong ones reuse words of the context, too
