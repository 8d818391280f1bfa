"""Files of pairs: checked without a trace, stored whole or not at all, in an order drawn from the seed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest
from django.db import connection

from annotation.actions.imports import file_rows, import_jobs, imports
from annotation.actions.projects import projects
from annotation.domain.releases.splitting import prompt_group
from annotation.domain.workflow import ImportState
from annotation.importers.layout import LayoutChoice
from annotation.models import Import, Item, Kind, Project, Queue, RefusedRow, Slot, Step
from core.actions import jobs
from core.actions.refusals import Refused
from core.domain.text import digest
from core.domain.transitions import JobState
from core.models import Event, Job
from tests import factories
from tests.factories import checked, no_progress, received, stored
from tests.live_server import PATIENCE

PAIRS = "吃了吗?\t吃了,你呢?\n周末去哪儿?\t去爬山。\n周末去哪儿?\t在家睡觉。\n"
BROKEN = "没有回复\t\n\t没有提问\n只有一列\n"


def counts(file: Import) -> tuple[int, int, int, int]:
    return file.rows, file.good, file.duplicate, file.refused


def texts(project: Project) -> set[tuple[str, str]]:
    return {(item.content["prompt"], item.content["response"]) for item in project.items.all()}


def store(file: Import, *, partial: bool = False) -> Import:
    return imports.store(received=file, partial=partial, report=no_progress, by=file.created_by)


def history(file: Import) -> list[str]:
    return list(Event.objects.filter(subject="import", subject_id=file.pk).values_list("became", flat=True))


def test_checking_counts_what_storing_would_do_and_stores_nothing(project):
    stored(project, "吃了吗?\t吃了,你呢?\n")
    file = checked(project, PAIRS + "周末去哪儿?\t去爬山。\n" + BROKEN)
    assert (file.state, file.encoding) == (ImportState.CHECKED, "utf-8")
    assert counts(file) == (7, 2, 2, 3)
    assert project.items.count() == 1


def test_every_refused_row_has_its_line_its_reason_and_its_text(project):
    rows = checked(project, PAIRS + BROKEN).refused_rows.values_list("line", "code", "excerpt")
    assert list(rows) == [
        (4, "no_response_after_tab", r"没有回复\t"),
        (5, "no_prompt", r"\t没有提问"),
        (6, "no_tab", "只有一列"),
    ]


def test_good_pairs_are_stored_with_what_the_file_says_of_them(project):
    header = "id,source,prompt,topic,response\n"
    file = stored(project, header + "a1,tieba,吃了吗?,生活,吃了。\n", "pairs.csv")
    item = project.items.get()
    assert item.content == {"prompt": "吃了吗?", "response": "吃了。"}
    assert (item.external_id, item.source, item.topic, item.origin, item.line) == ("a1", "tieba", "生活", file, 2)
    assert (item.digest, item.group) == (digest("吃了吗?", "吃了。"), prompt_group("吃了吗?"))
    assert (item.purpose, item.state) == ("work", "open")
    assert history(file) == ["received", "checked", "stored"]


def test_every_character_of_a_text_is_stored_as_it_is_in_the_file(project):
    stored(project, 'prompt,response\n"说""好""了\n吗?","\\n {""a"": 😀}\u2028\u200d。"\n', "pairs.csv")
    assert texts(project) == {('说"好"了\n吗?', '\\n {"a": 😀}\u2028\u200d。')}


def test_each_pair_waits_for_as_many_people_as_the_project_wants(project):
    stored(project, PAIRS)
    slots = Slot.objects.order_by("position").values_list("required", "free", "round", "position", "item__position")
    assert list(slots) == [(2, 2, 1, position, position) for position in (1, 2, 3)]
    assert Queue.objects.get(project=project, step=Step.RATE).tail == 3


def many(pairs: int, start: int = 0) -> str:
    return "".join(f"第{number}问\t第{number}答\n" for number in range(start, start + pairs))


def order_of(project: Project) -> list[str]:
    return [item.content["prompt"] for item in project.items.order_by("position")]


def test_the_seed_alone_draws_the_order(researcher):
    orders = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8), ("below", -7)):
        project = projects.create(slug=slug, kind=Kind.RATING, seed=seed, by=researcher)
        stored(project, many(50))
        stored(project, many(50, start=50))
        orders.append(order_of(project))
    first, second, third, _below = orders
    assert first == second
    assert first != third
    assert first != [f"第{number}问" for number in range(100)]
    assert set(first[:50]) == {f"第{number}问" for number in range(50)}, "a second file comes after the first"


def test_one_refused_row_keeps_all_out_unless_the_good_ones_are_asked_for(project):
    file = checked(project, PAIRS + BROKEN)
    with pytest.raises(Refused) as refused:
        store(file)
    assert refused.value.code == "rows_refused"
    assert project.items.count() == 0
    assert store(file, partial=True).state == ImportState.STORED
    assert project.items.count() == 3


def test_storing_a_file_twice_changes_nothing(project):
    file = stored(project, PAIRS)
    again = store(file)
    assert (again.stored_at, counts(again)) == (file.stored_at, counts(file))
    assert project.items.count() == 3
    assert history(file).count("stored") == 1


def test_the_same_file_again_adds_nothing_and_says_so(project):
    stored(project, PAIRS)
    again = checked(project, PAIRS)
    assert counts(again) == (3, 0, 3, 0)
    with pytest.raises(Refused) as refused:
        store(again)
    assert refused.value.code == "nothing_new"


def test_rows_that_another_file_brought_since_the_check_count_as_duplicate(project):
    slow, quick = checked(project, PAIRS), checked(project, PAIRS.splitlines()[0])
    store(quick)
    assert counts(store(slow)) == (3, 2, 1, 0)
    assert project.items.count() == 3
    stored(project, "还有吗?\t还有。\n")
    assert project.items.values("position").distinct().count() == 4


def test_a_failure_in_the_middle_stores_nothing(project, monkeypatch):
    file = checked(project, many(file_rows.CHUNK + 1))

    def fails_late(done: int, total: int | None = None) -> None:
        if done > file_rows.CHUNK:
            raise MemoryError

    with pytest.raises(MemoryError):
        imports.store(received=file, partial=False, report=fails_late, by=None)
    assert project.items.count() == Slot.objects.count() == 0
    file.refresh_from_db()
    assert file.state == ImportState.CHECKED


def test_a_failure_when_all_rows_are_in_stores_nothing(project, monkeypatch):
    def fails(*_: object) -> None:
        raise MemoryError

    file = checked(project, PAIRS)
    monkeypatch.setattr(file_rows, "open_slots", fails)
    with pytest.raises(MemoryError):
        store(file)
    assert project.items.count() == Slot.objects.count() == 0
    file.refresh_from_db()
    assert file.state == ImportState.CHECKED


def test_others_write_while_the_rows_of_a_file_are_read(transactional_db, project):
    """SQLite has one writer: a file that kept it while it is read would keep every annotator waiting."""
    file = received(project, PAIRS)
    renamed = threading.Event()

    def rename() -> None:
        Project.objects.filter(pk=project.pk).update(title="Meanwhile")
        connection.close()
        renamed.set()

    def report(done: int, total: int | None = None) -> None:
        threading.Thread(target=rename, daemon=True).start()
        assert renamed.wait(timeout=PATIENCE)

    store(imports.check(received=file, report=report, by=None))
    project.refresh_from_db()
    assert (project.title, project.items.count()) == ("Meanwhile", 3)


def test_a_file_that_two_store_at_once_is_stored_once(transactional_db, project):
    file = checked(project, PAIRS)

    def one_of_two() -> ImportState:
        try:
            return store(file).state
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as both:
        answers = [both.submit(one_of_two) for _ in range(2)]
        assert [answer.result() for answer in answers] == [ImportState.STORED] * 2
    assert project.items.count() == Slot.objects.count() == 3
    assert history(file).count("stored") == 1


def test_a_discarded_file_keeps_its_counts_and_cannot_be_stored(project, researcher):
    file = checked(project, PAIRS + BROKEN)
    imports.discard(received=file, by=researcher)
    file.refresh_from_db()
    assert (file.state, counts(file)) == (ImportState.DISCARDED, (6, 3, 0, 3))
    with pytest.raises(Refused) as refused:
        store(file, partial=True)
    assert refused.value.code == "not_waiting"


def test_checking_again_replaces_the_refused_rows(project):
    file = checked(project, PAIRS + BROKEN)
    imports.check(received=file, report=no_progress, by=None)
    assert RefusedRow.objects.count() == 3
    assert history(file) == ["received", "checked"]


def test_a_check_that_ends_after_the_file_was_dropped_changes_nothing(project, researcher):
    file = received(project, PAIRS)
    imports.discard(received=file, by=researcher)
    assert imports.check(received=file, report=no_progress, by=None).state == ImportState.DISCARDED


def test_all_refused_rows_are_counted_and_the_first_are_kept(project, monkeypatch):
    monkeypatch.setattr(imports, "ROWS_KEPT", 5)
    file = checked(project, PAIRS + "没有回复\t\n" * 20)
    assert (file.refused, file.refused_rows.count()) == (20, 5)


def test_progress_is_told_in_rows_of_about_as_many_lines(project):
    told = []
    file = received(project, many(2 * file_rows.CHUNK + 1))
    imports.check(received=file, report=lambda done, total=None: told.append((done, total)), by=None)
    assert told == [
        (number, 2 * file_rows.CHUNK + 1) for number in (file_rows.CHUNK, 2 * file_rows.CHUNK, 2 * file_rows.CHUNK + 1)
    ]


def test_a_file_is_worked_on_by_one_job_at_a_time(project, researcher):
    file = received(project, PAIRS)
    job = import_jobs.ask_for_check(received=file, by=researcher)
    for ask in (import_jobs.ask_for_check, imports.discard):
        with pytest.raises(Refused) as refused:
            ask(received=file, by=researcher)
        assert refused.value.code == "busy"
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    imports.check(received=file, report=no_progress, by=researcher)
    assert import_jobs.ask_for_store(received=file, partial=False, by=researcher).arguments == {
        "import": file.pk,
        "partial": False,
    }


def test_a_job_is_not_asked_for_what_would_be_refused(project, researcher):
    file = checked(project, PAIRS + BROKEN)
    with pytest.raises(Refused) as refused:
        import_jobs.ask_for_store(received=file, partial=False, by=researcher)
    assert refused.value.code == "rows_refused"
    assert not Job.objects.exists()


def test_a_file_can_be_read_again_in_another_format(project, researcher):
    file = checked(project, PAIRS)
    assert import_jobs.ask_for_check(received=file, format="csv", by=researcher) is None  # its columns are not there
    file.refresh_from_db()
    assert (file.good, file.refused) == (0, 1)
    assert list(file.refused_rows.values_list("line", "code")) == [(None, "missing_columns")]


def test_jobs_do_what_the_actions_do(project, researcher):
    file = received(project, PAIRS)
    job = import_jobs.ask_for_check(received=file, by=researcher)
    assert import_jobs.run_check(job, no_progress) == {"rows": 3, "good": 3, "duplicate": 0, "refused": 0}
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    job = import_jobs.ask_for_store(received=file, partial=False, by=researcher)
    outcome = {"rows": 3, "stored": 3, "duplicate": 0, "refused": 0}
    assert import_jobs.run_store(job, no_progress) == outcome
    assert import_jobs.run_store(job, no_progress) == outcome, "its process may have died after its commit"
    assert texts(project) == {("吃了吗?", "吃了,你呢?"), ("周末去哪儿?", "去爬山。"), ("周末去哪儿?", "在家睡觉。")}


def test_pairs_of_another_project_are_not_duplicate(project, researcher):
    other = projects.create(slug="other", kind=Kind.RATING, by=researcher)
    stored(other, PAIRS)
    assert checked(project, PAIRS).good == 3


def test_a_pair_that_is_stored_can_be_rated(project, annotator):
    stored(project, PAIRS)
    [assignment] = factories.grade_next(project, annotator, 4)
    assert assignment.slot.item in Item.objects.filter(project=project)


def test_nothing_of_a_file_but_itself_is_left_on_disk_once_it_is_stored_or_dropped(
    project, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        kept = stored(project, PAIRS)
        dropped = checked(project, BROKEN + "还有吗?\t还有。\n")
        imports.discard(received=dropped, by=dropped.created_by)
    for file in (kept, dropped):
        path = Path(file.file.path)
        assert [other.name for other in path.parent.glob(f"{path.name}*")] == [path.name]


def test_a_checked_file_is_read_again_where_its_rows_were_cleared_away(project):
    file = checked(project, PAIRS)
    file_rows.Kept(file).drop()
    assert counts(store(file)) == (3, 3, 0, 0)
    assert len(texts(project)) == 3


def test_a_reading_that_breaks_leaves_nothing_of_its_rows(project, monkeypatch):
    file = received(project, PAIRS)

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(imports.FileContents, "add", breaks)
    with pytest.raises(ZeroDivisionError):
        imports.check(received=file, report=no_progress, by=file.created_by)
    path = Path(file.file.path)
    assert [other.name for other in path.parent.iterdir() if other != path and ".part" in other.name] == []
    assert not file_rows.Kept(file).is_there


def test_rows_of_an_earlier_choice_are_never_stored_for_those_of_a_later_one(project):
    """Storing reads the file again by the later choice, although the job to read it was cancelled."""
    file = received(project, "吃了吗?,吃了。\n", "posts.csv")
    file.choice = asdict(LayoutChoice(header=False))
    file.save()
    imports.check(received=file, report=no_progress, by=file.created_by)
    other = LayoutChoice(header=False, columns={"prompt": "2", "response": "1"})
    jobs.cancel(job=import_jobs.ask_for_check(received=file, choice=other, by=file.created_by), by=file.created_by)
    file.refresh_from_db()
    store(file)
    assert texts(project) == {("吃了。", "吃了吗?")}
