"""The import pages: preview, decision, and every refused row with its line and reason."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from annotation.actions.cleaning import cleaning
from annotation.actions.imports import file_rows, import_jobs, imports
from annotation.actions.projects import projects
from annotation.domain.workflow import ImportState
from annotation.models import Import, Rating
from annotation.views.imports import imports as imports_view
from core import tasks as tasks
from core.actions import jobs
from core.domain.transitions import JobState
from core.models import Job
from tests import factories
from tests.factories import checked, received, stored
from tests.pages import closed_up
from tests.rewriting import file_of, question, rewriting_project

GOOD = "吃了吗?\t吃了,你呢?\n周末去哪儿?\t去爬山。\n"
BROKEN = "没有回复\t\n\t没有提问\n只有一列\n"


@pytest.fixture
def client(researcher) -> Client:
    client = Client()
    client.force_login(researcher)
    return client


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[int]:
    """Return the jobs that were sent to the broker, as those of large files are."""
    sent: list[int] = []
    for kind in ("check_import", "store_import"):
        monkeypatch.setitem(jobs.KINDS, kind, replace(jobs.KINDS[kind], is_quick=lambda job: False))
    monkeypatch.setattr(tasks, "_send", lambda job: sent.append(job.pk))
    return sent


@pytest.fixture
def upload(client, project, django_capture_on_commit_callbacks):
    """Send a file as the page does; the worker takes up its job at once."""

    def send(content: bytes | str, name: str = "pairs.tsv", format: str = "auto") -> Import:
        file = SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(reverse("imports", args=["weibo"]), {"file": file, "format": format})
        newest = Import.objects.first()
        assert answer.url == page(newest)
        work()
        return Import.objects.get(pk=newest.pk)

    return send


def work() -> None:
    """Do what the worker would do."""
    for job in Job.objects.filter(state=JobState.QUEUED):
        tasks.do_here(job.pk)


def page(file: Import) -> str:
    return reverse("import", args=[file.project.slug, file.pk])


def words(client: Client, file: Import) -> str:
    """Return the text of the file's page, without markup."""
    return client.get(page(file)).content.decode()


def test_a_file_is_read_in_the_background_and_its_rows_are_counted(client, upload, sent):
    file = upload(GOOD + BROKEN + GOOD)
    assert sent == [Job.objects.get().pk]
    assert (file.state, file.rows, file.good, file.duplicate, file.refused) == (ImportState.CHECKED, 7, 2, 2, 3)
    assert file.created_by.username == "rui"
    assert "Import the 2 good rows" in words(client, file)
    assert "Discard this file" in words(client, file)


def test_what_became_of_the_rows_adds_up_before_and_after_they_are_stored(client, upload):
    file = upload(GOOD + BROKEN + GOOD)
    assert sums(client, file) == "rows 7 = would be stored 2 + duplicates 2 + refused 3"
    client.post(reverse("store_import", args=["weibo", file.pk]), {"partial": "on"})
    work()
    assert sums(client, file) == "rows 7 = stored 2 + duplicates 2 + refused 3"


def sums(client: Client, file: Import) -> str:
    return " ".join(re.sub("<.*?>", "", words(client, file).split('<p class="sum num">')[1].split("</p>")[0]).split())


@pytest.mark.parametrize(
    ("settings", "about"),
    [({}, ""), ({"show_topic": "on"}, "exams"), ({"show_source": "on", "show_topic": "on"}, "Weibo · exams")],
)
def test_the_first_good_row_is_shown_as_raters_see_it(client, upload, project, researcher, settings, about):
    projects.change_settings(project=project, settings=settings, by=researcher)
    file = upload("prompt,response,source,topic\n,nothing,Weibo,exams\n考试,加油,Weibo,exams\n", "pairs.csv")
    shown = client.get(page(file)).context["as_rater"]
    assert (shown.row.line, shown.row.prompt, shown.row.response, shown.about) == (3, "考试", "加油", about)


@pytest.fixture
def on_its_page(monkeypatch) -> None:
    """Let the size of a file decide again whether its page reads it."""
    for kind in ("check_import", "store_import"):
        monkeypatch.setitem(jobs.KINDS, kind, replace(jobs.KINDS[kind], is_quick=import_jobs.is_quick))


def test_a_small_file_is_read_and_stored_by_its_page(
    client, upload, sent, on_its_page, django_capture_on_commit_callbacks
):
    file = upload(GOOD + BROKEN)
    assert (file.state, file.good, file.refused) == (ImportState.CHECKED, 2, 3)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("store_import", args=["weibo", file.pk]), {"partial": "on"})
    file.refresh_from_db()
    assert (file.state, file.stored, sent) == (ImportState.STORED, 2, [])
    assert [(job.state, job.attempts) for job in Job.objects.all()] == [(JobState.DONE, 1)] * 2


@pytest.mark.parametrize(
    "content", ["a?\ta.\n" * (import_jobs.QUICK_LINES + 1), f"{'a' * 9_000}?\t{'a' * 9_000}\n" * 300]
)
def test_a_file_of_many_lines_or_bytes_is_read_by_the_worker(client, upload, sent, on_its_page, content):
    upload(content)
    assert len(sent) == 1


def test_a_small_file_of_dialogues_is_read_by_the_worker(client, researcher, on_its_page):
    turns = ["W: 吃了吗?", "M: 吃了。"]
    record = [turns, [{"question": "吃了吗?", "choice": ["吃了", "没吃", "不吃"], "answer": "吃了"}], "1-1"]
    file = received(rewriting_project(researcher), json.dumps([record]), "dream.json")
    assert not import_jobs.is_quick(import_jobs.ask_for_check(received=file, by=researcher))


def test_a_small_file_whose_page_cannot_reach_the_database_waits(client, upload, sent, on_its_page, monkeypatch):
    def locked(**_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(jobs, "start", locked)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    file = upload(GOOD)
    assert (file.state, Job.objects.get().state) == (ImportState.RECEIVED, JobState.QUEUED)


def test_until_it_is_read_the_page_shows_its_first_rows_and_asks_again_soon(client, project, researcher):
    file = received(project, GOOD)
    job = import_jobs.ask_for_check(received=file, by=researcher)
    text = words(client, file)
    assert f'data-poll="{reverse("job", args=[job.pk])}" data-every="300"' in text
    assert "Read as tsv in UTF-8." in text
    assert "去爬山。" in text
    assert "Store" not in text.replace("stored", "")


@pytest.mark.parametrize(
    ("switched", "for_all", "for_researchers"),
    [
        ({}, "prompt, response", "id, source, topic, dialogue"),
        ({"show_source": "on"}, "prompt, response, source", "id, topic, dialogue"),
        ({"show_source": "on", "show_topic": "on", "gold_first": 5}, "prompt, response", "id, source, topic, dialogue"),
    ],
)
def test_the_preview_says_who_will_read_which_column(client, project, researcher, switched, for_all, for_researchers):
    projects.change_settings(project=project, settings=switched, by=researcher)
    page_of_file = client.get(page(received(project, GOOD)))
    assert (page_of_file.context["for_all"], page_of_file.context["for_researchers"]) == (for_all, for_researchers)
    text = closed_up(page_of_file.content)
    assert f"Everyone who grades, cleans or adjudicates sees: {for_all}." in text
    assert f"Only researchers see: {for_researchers}." in text


@pytest.mark.parametrize("before", range(6))
def test_a_page_opened_while_its_job_ends_shows_the_job_or_its_outcome(client, project, researcher, before):
    """The worker ends between any two of the page's queries to the tables of jobs and imports."""
    file = received(project, GOOD)
    import_jobs.ask_for_check(received=file, by=researcher)
    seen = 0

    def end_the_job_between(execute, sql, params, many, context):
        nonlocal seen
        if '"annotation_job"' in sql or '"annotation_import"' in sql:
            seen += 1
            if seen == before + 1:
                work()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(end_the_job_between):
        text = words(client, file)
    assert "data-poll" in text or "Import 2 pairs" in text


def test_the_good_rows_are_stored_by_a_job_and_the_page_leads_to_the_board(client, upload, project):
    file = upload(GOOD + BROKEN)
    answer = client.post(reverse("store_import", args=["weibo", file.pk]), {"partial": "yes"})
    assert answer.url == page(file)
    work()
    assert project.items.count() == 2
    text = words(client, file)
    assert "2 pairs are stored" in text
    assert reverse("board", args=["weibo"]) in text
    assert "Store the" not in text


def test_a_file_without_refused_rows_is_stored_as_it_is(client, upload, project):
    file = upload(GOOD)
    assert "Import 2 pairs" in words(client, file)
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    assert project.items.count() == 2


def test_refused_rows_keep_the_others_out_unless_they_are_asked_for(client, upload, project):
    file = upload(GOOD + BROKEN)
    answer = client.post(reverse("store_import", args=["weibo", file.pk]), follow=True)
    work()
    assert "Nothing was stored: some rows were refused." in answer.content.decode()
    assert project.items.count() == 0


def test_nothing_is_stored_when_nothing_is_wanted(client, upload, project):
    file = upload(GOOD + BROKEN)
    client.post(reverse("discard_import", args=["weibo", file.pk]))
    assert Import.objects.get().state == ImportState.DISCARDED
    text = words(client, file)
    assert "Nothing from this file was stored." in text
    assert "Store the" not in text
    assert '<span class="name">not wanted</span><span class="n">−2</span>' in closed_up(text)
    assert '<span class="name">Stored</span><span class="n">0</span>' in closed_up(text)
    assert project.items.count() == 0


def test_a_file_refused_as_a_whole_is_not_called_a_row(client, upload):
    upload(b"PK\x03\x04" + b"\0" * 60, "pairs.zip")
    assert '<td class="n">the file</td>' in closed_up(client.get(reverse("imports", args=["weibo"])).content)


def test_two_clicks_store_once(client, upload, project):
    file = upload(GOOD)
    for _click in range(2):
        answer = client.post(reverse("store_import", args=["weibo", file.pk]), follow=True)
    assert "This file is being worked on." in answer.content.decode()
    work()
    assert project.items.count() == 2


BAD_FILES = {
    "a broken line": (GOOD + "只有一列\n", "pairs.tsv", "no tab between prompt and response"),
    "a header alone": ("prompt,response\n", "pairs.csv", "The file has a header and no rows"),
    "a missing column": ("prompt,antwort\n吃了吗?,吃了。\n", "pairs.csv", "The column &quot;response&quot; is missing"),
    "an empty file": (b"", "pairs.csv", "The file is empty"),
    "a zip": (b"PK\x03\x04" + b"\0" * 60, "pairs.zip", "This is a zip file; unpack it first"),
    "a pdf": (b"%PDF-1.7\n", "pairs.pdf", "This is a PDF file"),
    "a NUL": (GOOD + "吃了\0吗?\t吃了。\n", "pairs.tsv", "a NUL character"),
    "a megabyte in one cell": (GOOD + "长" * 350_000 + "\t吃了。\n", "pairs.tsv", "longer than 128 KiB"),
    "a long cell": (GOOD + "长" * 10_001 + "\t吃了。\n", "pairs.tsv", "10001 characters"),
    "broken JSON": (
        '{"prompt": "吃了吗?", "response": "吃了。"}\n{"prompt": \n',
        "p.jsonl",
        "broken JSON at character",
    ),
    "a quote left open": ('prompt,response\n吃了吗?,"吃了。\n', "pairs.csv", "a quote is opened in this line"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_each_bad_input_is_said_with_its_reason_and_stores_nothing_by_itself(client, upload, project, kind):
    content, name, reason = BAD_FILES[kind]
    file = upload(content, name)
    assert file.state == ImportState.CHECKED
    assert file.refused == 1
    assert reason in words(client, file).replace("&#x27;", "'")
    assert project.items.count() == 0


@pytest.mark.parametrize("kind", ["an empty file", "a header alone", "a zip", "a pdf", "a missing column"])
def test_a_file_refused_at_first_sight_waits_for_nobody(client, project, kind):
    content, name, reason = BAD_FILES[kind]
    file = SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
    told = client.post(reverse("imports", args=["weibo"]), {"file": file, "format": "auto"}, follow=True)
    told = told.content.decode()
    assert reason in told
    assert '<span class="badge badge-bad">refused</span>' in told
    for waiting in ("Reading the file", "waiting for a worker", "not read yet", "Cancel"):
        assert waiting not in told, waiting
    assert not Job.objects.exists()


def test_chinese_in_gb18030_is_recognised(client, upload, project):
    file = upload(GOOD.encode("gb18030"))
    assert (file.encoding, file.good, file.refused) == ("gb18030", 2, 0)
    assert "Read as tsv in GB18030." in words(client, file)
    assert "去爬山。" in words(client, file)


def test_characters_of_no_known_encoding_are_refused_as_a_whole(client, upload):
    file = upload("prénom\tréponse à côté\n".encode("latin-1") * 3)
    assert (file.rows, file.refused) == (0, 1)
    assert "save the file as UTF-8" in words(client, file)


def test_the_same_file_again_adds_nothing_and_says_so(client, upload, project):
    stored(project, GOOD)
    text = words(client, upload(GOOD))
    assert "All rows are stored already." in text
    assert "Store 0" not in text


def test_a_file_of_refused_rows_alone_cannot_be_stored(client, upload):
    text = words(client, upload(BROKEN))
    assert "Every row was refused" in text
    assert "Store the" not in text


def test_a_wrong_guess_is_put_right_by_reading_again(client, upload):
    file = upload("prompt,response\n吃了吗?,吃了。\n", "pairs.csv", format="tsv")
    assert file.rows == 0
    client.post(page(file), {"format": "csv"})
    work()
    file.refresh_from_db()
    assert (file.format, file.good) == ("csv", 1)


NAMED = "甲,乙,备注\n吃了吗?,吃了。,无\n"


def chosen(answer_page, **fields: str) -> dict[str, str]:
    """Return the form on a file's page as it is, with other choices."""
    forms = (answer_page.context["reading_form"], answer_page.context["columns_form"])
    status = {field.html_name: field.value() for form in forms for field in form}
    return {name: value for name, value in status.items() if value is not None} | fields


def test_columns_by_other_names_are_chosen_and_shown_at_once(client, upload, project):
    file = upload(NAMED, "posts.csv")
    first = client.get(page(file))
    assert "The columns prompt, response are missing" in first.content.decode()
    mapping = {"column-prompt": "甲", "column-response": "乙"}
    tried = client.get(page(file), chosen(first, **mapping))
    assert [(row.prompt, row.response) for row in tried.context["look"].rows] == [("吃了吗?", "吃了。")]
    assert "This is only a preview." in tried.content.decode()
    file.refresh_from_db()
    assert file.good == 0
    client.post(page(file), chosen(first, **mapping))
    work()
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    assert project.items.get().content == {"prompt": "吃了吗?", "response": "吃了。"}


def test_a_page_that_shows_another_reading_than_the_last_stores_nothing(client, upload, project):
    file = upload("吃了吗?,吃了。\n", "posts.csv")
    client.post(page(file), chosen(client.get(page(file)), header="no"))
    work()
    seen = client.get(page(file))
    client.post(page(file), chosen(seen, **{"column-prompt": "2", "column-response": "1"}))  # in another tab
    work()
    store = reverse("store_import", args=["weibo", file.pk])
    [reading] = re.findall(r'name="reading" value="(\w+)"', seen.content.decode())
    refused = client.post(store, {"reading": reading}, follow=True)
    assert "read with other settings in the meantime" in refused.content.decode()
    assert project.items.count() == 0
    [reading] = re.findall(r'name="reading" value="(\w+)"', refused.content.decode())
    client.post(store, {"reading": reading})
    work()
    assert project.items.get().content == {"prompt": "吃了。", "response": "吃了吗?"}


def test_columns_without_names_are_told_by_what_stands_in_them(client, upload, project):
    file = upload("吃了。,吃了吗?\n去爬山。,周末去哪儿?\n", "posts.csv")
    shown = client.get(page(file), chosen(client.get(page(file)), header="no"))
    assert "2 · 吃了吗?" in shown.content.decode()
    client.post(page(file), chosen(shown, **{"column-prompt": "2", "column-response": "1"}))
    work()
    file.refresh_from_db()
    assert (file.rows, file.good) == (2, 2)


def test_columns_chosen_under_another_encoding_do_not_count(client, upload):
    file = upload(NAMED.encode("gb18030"), "posts.csv")
    garbled = client.get(page(file), chosen(client.get(page(file)), encoding="cp1252"))
    back = client.get(
        page(file), chosen(garbled, **{"encoding": "", "column-prompt": garbled.context["look"].parsed_header.names[0]})
    )
    assert back.context["look"].parsed_header.names == ("甲", "乙", "备注")
    assert "There is no column" not in back.content.decode()


def test_nonsense_in_the_address_or_the_form_reads_the_file_as_before(client, upload):
    file = upload(GOOD)
    for nonsense in ({"format": "xls"}, {"format": "tsv", "header": "?"}, {"format": "tsv", "encoding": "klingon"}):
        assert [row.line for row in client.get(page(file), nonsense).context["look"].rows] == [1, 2]


def test_duplicate_rows_are_shown_with_the_line_they_equal_and_downloaded(client, upload, project):
    stored(project, "还有吗?\t还有。\n", "first.tsv")
    file = upload(GOOD + GOOD + "还有吗?\t还有。\n")
    text = words(client, file)
    assert ">number 1 of this file</td>" in closed_up(text)
    assert "number 1 of first.tsv" in text
    answer = client.get(reverse("duplicate_csv", args=["weibo", file.pk]))
    assert list(csv.reader(io.StringIO(answer.content.decode())))[1:] == [
        ["3", "pairs.tsv", "1", "吃了吗? / 吃了,你呢?"],
        ["4", "pairs.tsv", "2", "周末去哪儿? / 去爬山。"],
        ["5", "first.tsv", "1", "还有吗? / 还有。"],
    ]


def test_duplicate_questions_are_shown_with_how_both_dialogues_begin(client, researcher):
    project = rewriting_project(researcher)
    other = question(1, id="q8", turns=["W: We had booked room 1.", "M: For thirty."])
    stored(project, file_of([question(1)]), "first.jsonl")
    file = checked(
        project, file_of([question(2), other, {**other, "id": "q9", "turns": ["M: Hm.", "W: No."]}]), "b.jsonl"
    )
    first = "W: Did you book hall 1 for Saturday? / M: The choir has it until four. I took t…"
    answer = client.get(reverse("duplicate_csv", args=[project.slug, file.pk]))
    assert list(csv.reader(io.StringIO(answer.content.decode())))[1:] == [
        ["2", "first.jsonl", "1", "What is wrong with room 1?", "W: We had booked room 1. / M: For thirty.", first],
        [
            "3",
            "b.jsonl",
            "2",
            "What is wrong with room 1?",
            "M: Hm. / W: No.",
            "W: We had booked room 1. / M: For thirty.",
        ],
    ]
    assert first in words(client, file)


def test_a_form_without_a_file_says_what_to_do(client, project):
    answer = client.post(reverse("imports", args=["weibo"]), {"format": "auto"})
    assert answer.status_code == 422
    assert "Choose a file first." in answer.content.decode()
    assert not Import.objects.exists()


@pytest.mark.parametrize("format", [{}, {"format": ""}, {"format": "xls"}])
def test_a_format_that_is_not_offered_is_refused_in_words(client, project, format):
    file = SimpleUploadedFile("pairs.tsv", GOOD.encode())
    answer = client.post(reverse("imports", args=["weibo"]), {**format, "file": file})
    assert answer.status_code == 422
    assert "Choose one of the formats shown." in answer.content.decode()
    assert not Import.objects.exists()


@pytest.mark.parametrize("format", ["", "xls"])
def test_a_file_is_not_read_anew_in_a_format_that_is_not_offered(client, upload, sent, format):
    file = upload(GOOD)
    sent.clear()
    answer = client.post(page(file), {"format": format})
    assert answer.status_code == 422
    assert "Choose one of the formats shown." in answer.content.decode()
    assert sent == []


def test_a_file_that_is_too_large_is_not_taken(client, project, settings):
    settings.IMPORT_MAX_BYTES = 10
    file = SimpleUploadedFile("pairs.tsv", GOOD.encode())
    answer = client.post(reverse("imports", args=["weibo"]), {"format": "auto", "file": file})
    assert "Split it." in answer.content.decode()
    assert not Import.objects.exists()


def test_the_file_keeps_the_name_it_came_with_and_no_more_of_its_path(client, upload):
    file = upload(GOOD, "../../etc/问答 对.tsv")
    assert file.file_name == "问答 对.tsv"
    assert "etc" not in file.file.name


def test_a_file_name_cannot_turn_the_sentences_around_it(client, upload):
    assert upload(GOOD, "gnp\u202e.pairs.tsv").file_name == "gnp.pairs.tsv"


def test_refused_rows_are_shown_by_reason_and_a_page_at_a_time(client, project):
    file = checked(project, GOOD + "没有回复\t\n" * 150 + "只有一列\n")
    page_one = client.get(page(file)).context["page"]
    assert (len(page_one.object_list), page_one.paginator.count) == (100, 151)
    of_one_reason = client.get(page(file), {"reason": "no_tab"}).context["page"]
    assert [(row.line, row.excerpt) for row in of_one_reason] == [(153, "只有一列")]
    assert [row.line for row in client.get(page(file), {"page": "2"}).context["page"]][-1] == 153
    assert client.get(page(file), {"page": "none", "reason": "none"}).status_code == 200


def test_refused_rows_are_downloaded_without_running_as_formulas(client, project):
    file = checked(project, GOOD + '=HYPERLINK("x")\n')
    answer = client.get(reverse("refused_csv", args=["weibo", file.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="weibo-import-{file.pk}-refused.csv"'
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows == [
        ["file", "line", "record", "dialogue", "reason", "text"],
        ["pairs.tsv", "3", "", "", "no tab between prompt and response", '\'=HYPERLINK("x")'],
    ]


def test_a_refused_row_of_a_json_array_is_told_by_its_record_and_dialogue(client, researcher):
    project = rewriting_project(researcher)
    asked = [{"question": f"When {number}?", "choice": ["a", "b", "c"], "answer": "a"} for number in range(3)]
    records = [[["M: x", "W: y"], [one, one | {"answer": "d"}], f"14-{at}"] for at, one in enumerate(asked)]
    file = checked(project, json.dumps(records), "dream.json")
    [table] = re.findall(r'<table class="refused-table">.*?</table>', client.get(page(file)).content.decode(), re.S)
    cells = [re.sub(r"\s*<[^>]*>\s*", " ", row).split() for row in table.split("<tr>")[2:]]
    assert [row[:4] for row in cells] == [["dream.json", "1", str(n + 1), f"14-{n}"] for n in range(3)]
    answer = client.get(reverse("refused_csv", args=[project.slug, file.pk]))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["record"], row["dialogue"]) for row in rows] == [("1", "14-0"), ("2", "14-1"), ("3", "14-2")]


def test_an_array_without_records_is_no_empty_file(client, researcher):
    file = checked(rewriting_project(researcher), "[]", "dream.json")
    assert "The JSON array holds no records" in words(client, file)


def main_buttons(client: Client, file: Import) -> list[str]:
    html = client.get(page(file)).content.decode()
    return re.findall(r"<(?:a|button)[^>]*button-main[^>]*>\s*([^<]*?)\s*<", html)


@pytest.mark.parametrize(
    ("content", "main"),
    [
        ("", "Choose another file"),
        ("PK\x03\x04nothing", "Choose another file"),
        ("%PDF-1.7", "Choose another file"),
        (BROKEN, "Choose another file"),
        ("first,second\na,b\n", "Read again"),
        ("prompt,response\n", "Read again"),
    ],
)
def test_the_main_button_is_what_can_mend_a_refusal(client, project, content, main):
    assert main_buttons(client, checked(project, content, "pairs.csv")) == [main]


def test_what_ended_a_job_is_said_in_words(client, upload, project, researcher):
    file = received(project, GOOD)
    job = import_jobs.ask_for_check(received=file, by=researcher)
    jobs.cancel(job=job, by=researcher)
    assert "Cancelled. Nothing was kept." in words(client, file)
    assert "Read again" in words(client, file)
    for error, sentence in (
        ("died", "The job stopped without an error message"),
        ("memory", "The job needed more than the 4,096 MB of memory that a job may take here."),
        ("broken:ValueError", f"under job {job.pk}"),
        ("refused:nothing_new", "every row of the file is already stored"),
    ):
        Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error=error)
        assert sentence in words(client, file)


def test_a_job_that_breaks_leaves_the_file_as_it_was(client, upload, project, monkeypatch):
    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    file = upload(GOOD)
    monkeypatch.setattr(file_rows, "store_items", breaks)
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    assert Job.objects.first().error == "broken:ZeroDivisionError"
    file.refresh_from_db()
    assert file.state == ImportState.CHECKED
    text = words(client, file)
    assert "Something went wrong here" in text
    assert "Import 2 pairs" in text


def test_the_list_of_files_says_what_became_of_each(client, project, researcher):
    stored(project, GOOD + BROKEN, "first.tsv")
    checked(project, "还有吗?\t还有。\n", "second.tsv")
    checked(project, GOOD, "third.tsv")
    checked(project, b"PK\x03\x04", "fourth.zip")
    imports.discard(received=checked(project, "算了\t不存\n", "fifth.tsv"), by=researcher)
    received(project, GOOD, "sixth.tsv")
    text = client.get(reverse("imports", args=["weibo"])).content.decode()
    for word in ("not read yet", "discarded", "refused", "nothing new", "awaiting your decision", "stored"):
        assert f">{word}</span>" in closed_up(text)


def test_the_list_takes_as_many_queries_for_many_files_as_for_one(client, project, django_assert_num_queries):
    stored(project, GOOD)
    address = reverse("imports", args=["weibo"])
    client.get(address)
    with django_assert_num_queries(11):
        client.get(address)
    for number in range(5):
        checked(project, f"第{number}问\t第{number}答\n")
    with django_assert_num_queries(11):
        client.get(address)


def test_a_file_of_another_project_is_not_found(client, project, researcher):
    other = factories.another_project("other", researcher)
    theirs = received(other, GOOD)
    for name in ("import", "store_import", "discard_import", "refused_csv"):
        method = client.get if name in ("import", "refused_csv") else client.post
        assert method(reverse(name, args=["weibo", theirs.pk])).status_code == 404


def test_markup_in_a_file_stays_text(client, upload):
    text = words(client, upload("<script>alert(1)</script>\t<b>好</b>\n<i>只有一列</i>\n", "<b>x.tsv"))
    assert "<script>alert" not in text
    assert "<b>" not in text.replace("<b>{", "")


def test_the_page_is_guarded_by_the_table(project):
    assert imports_view.permission == "pairs.import"


# ---- grades in the file ---------------------------------------------------------------------------------------------
GRADED = "prompt,response,评分\n吃了吗?,吃了。,5\n在吗?,在。,2\n"


def decide(client, file, **sent):
    return client.post(reverse("decide_grades", args=["weibo", file.pk]), sent)


def test_a_file_with_grades_cannot_be_stored_before_it_is_decided_what_they_are(client, upload, project):
    file = upload(GRADED, "grades.csv")
    shown = client.get(page(file)).content.decode()
    assert "What are the grades in this file?" in shown
    assert reverse("store_import", args=["weibo", file.pk]) not in shown
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    assert not project.items.exists()


def test_grades_are_stored_with_the_name_of_the_person_who_gave_them(client, upload, project):
    file = upload(GRADED, "grades.csv")
    nameless = decide(client, file, grades_are="grades")
    assert (nameless.status_code, nameless.context["grades"].form.errors.keys()) == (422, {"rater"})
    decide(client, file, grades_are="grades", rater="linyue")
    work()
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    counting = Rating.objects.counting().filter(assignment__slot__item__project=project)
    assert set(counting.values_list("assignment__person__name", "grade")) == {("linyue", 5), ("linyue", 2)}
    assert "2 pairs are stored. 2 new grades are stored." in closed_up(words(client, file))


def test_the_same_file_again_asks_whose_its_grades_are_before_it_is_called_old(client, upload, project):
    stored(project, "吃了吗?\t吃了。\n在吗?\t在。\n")
    file = upload(GRADED, "grades.csv")
    assert (file.good, file.duplicate, file.new_grades) == (0, 0, 2)
    shown = words(client, file)
    assert "What are the grades in this file?" in shown
    assert "nothing new" not in shown + client.get(reverse("imports", args=["weibo"])).content.decode()
    assert "There is nothing to add" not in shown


def test_the_same_file_again_is_called_stored_once_nothing_is_to_decide(client, upload, project):
    content = "prompt,response,grade,rater\na,b,3,mk\nc,d,4,jp\n"
    decide(client, upload(content, "grades.csv"), grades_are="grades")
    work()
    client.post(reverse("store_import", args=["weibo", Import.objects.get().pk]))
    work()
    shown = words(client, upload(content, "again.csv"))
    assert "All rows are stored already. There is nothing to add." in shown
    assert "nothing new" in shown
    assert "What are the grades in this file?" not in shown
    assert "awaiting your decision" not in shown


def test_the_button_counts_the_grades_that_would_be_stored(client, upload):
    file = upload("prompt,response,grade,rater\na,b,3,mk\nc,d,9,mk\n", "grades.csv")
    decide(client, file, grades_are="grades")
    work()
    shown = closed_up(words(client, file))
    assert main_buttons(client, file) == ["Import pairs (1) and grades (1)"]
    assert "1..5: 1 of 2 cells" in shown
    decide(client, file, grades_are="gold")
    work()
    assert "1 new grade counts like one given here." in closed_up(words(client, file))


def test_grades_of_gold_pairs_are_said_before_anything_is_stored(client, upload):
    content = "prompt,response,grade,rater\na,b,3,zoe\nc,d,4,zoe\n"
    for grades_are in ("gold", "grades"):
        file = upload(content, "gold.csv")
        decide(client, file, grades_are=grades_are)
        work()
        shown = closed_up(words(client, file))
        client.post(reverse("store_import", args=["weibo", file.pk]))
        work()
    assert "No grade in this file is new. 2 grades are of gold pairs: they are not stored." in shown
    assert main_buttons(client, file) == ["Choose another file"]


def test_a_row_without_a_grade_is_shown_without_a_rater(client, upload):
    shown = closed_up(words(client, upload("prompt,response,grade,rater\na,b,3,mk\nc,d,,jp\n", "grades.csv")))
    assert "mk</span></td>" in shown
    assert "jp</span></td>" not in shown


def test_the_control_that_mends_a_refusal_is_named(client, researcher):
    content = "对话,问题,选项,答案\n甲：a|乙：b,q,两点|四点|从不,2\n"
    shown = words(client, checked(rewriting_project(researcher), content, "items.csv"))
    assert "The choice is below, under “Number of the first choice”." in shown
    assert "Choose which column" not in shown


def test_a_zip_of_doccano_is_called_so(client, upload):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mk.jsonl", json.dumps({"text": "x", "prompt": "a", "response": "b", "label": ["4"]}))
    assert "Read as doccano's export" in words(client, upload(packed.getvalue(), "mk.zip"))


def test_columns_of_raters_are_named_and_read(client, upload):
    file = upload("提问,回复,评分1,评分2,备注\n在吗,在,5,4,无\n", "sheet.csv")
    look = client.get(page(file)).context["look"]
    assert (look.of_raters, look.left_out) == (["评分1", "评分2"], ["备注"])
    client.post(page(file), chosen(client.get(page(file))))  # nothing changed
    work()
    file.refresh_from_db()
    assert file.new_grades == 2


def test_rows_with_further_grades_of_a_pair_are_not_listed_as_duplicates(client, upload):
    file = upload("prompt,response,grade,rater\na,b,3,mk\na,b,4,jp\na,b,4,jp\n", "grades.csv")
    shown = client.get(page(file))
    assert [row.line for row in shown.context["duplicates"]] == [4]
    assert '>further grades</span><span class="n">−1</span>' in closed_up(shown.content.decode())


def test_grades_under_a_name_that_is_not_known_are_asked_about(client, upload, project):
    """Argilla's question is called quality; the page says that no column is read as the grade, until one is."""
    record = {
        "id": "r1",
        "prompt": "在吗？",
        "response": "在。",
        "quality.responses": [5, 2],
        "quality.responses.users": ["a", "b"],
        "quality.responses.status": ["submitted", "discarded"],
    }
    file = upload(json.dumps([record]), "records.json")
    before = client.get(page(file))
    assert 'href="#reading"' in before.content.decode()
    client.post(page(file), chosen(before, **{"column-grade": "quality"}))
    work()
    assert 'href="#reading"' not in client.get(page(file)).content.decode()
    decide(client, file, grades_are="grades")
    work()
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    counting = Rating.objects.counting().filter(assignment__slot__item__project=project)
    assert list(counting.values_list("assignment__person__name", "grade")) == [("a", 5)]


def test_a_file_that_hides_which_answers_are_unfinished_says_so(client, upload):
    answers = {"grade": [{"value": 5, "user_id": "a"}]}
    record = {"id": "r1", "fields": {"prompt": "在吗？", "response": "在。"}, "metadata": {}, "responses": answers}
    shown = client.get(page(upload(json.dumps([record]), "records.json"))).content.decode()
    assert "records.to_list(flatten=True)" in shown
    assert 'href="#reading"' not in shown
    assert "records.to_list" not in client.get(page(upload(GRADED, "grades.csv"))).content.decode()


def test_a_choice_that_does_not_exist_is_refused(client, upload):
    assert decide(client, upload(GRADED, "grades.csv"), grades_are="all").status_code == 422


SCORES = "prompt,response,score_ann,score_bo,score_mean,score_date\na,b,3,4,3.5,2026-11-01\nc,d,1,2,1,2026-11-02\n"


def test_a_person_says_which_columns_are_those_of_raters(client, upload):
    file = upload(SCORES, "scores.csv")
    assert set(file.grades_found["raters"]) == {"ann", "bo"}
    shown = client.get(page(file))
    assert shown.context["columns_form"]["raters"].value() == ["score_ann", "score_bo"]
    offered = re.findall(r'name="column-raters" value="([^"]*)"', shown.content.decode())
    assert offered == ["", "score_ann", "score_bo", "score_mean", "score_date"]
    for raters, found in ((["", "score_ann"], {"ann": 2}), ([""], {}), (["", "score_mean"], {"mean": 1})):
        client.post(page(file), chosen(shown) | {"column-raters": raters})
        work()
        file.refresh_from_db()
        assert file.grades_found.get("raters", {}) == found, raters
    client.post(page(file), {name: value for name, value in chosen(shown).items() if name != "column-raters"})
    work()
    file.refresh_from_db()
    assert set(file.grades_found["raters"]) == {"ann", "bo"}  # not asked, it is guessed


UNREAD = "Columns with grades of this project's scale are not read."


def test_columns_of_grades_by_other_names_are_offered_and_said_not_to_be_read(client, upload):
    file = upload("提问,回复,评分员1,评分员2\na,b,3,4\nc,d,1,2\n", "sheet.csv")
    shown = client.get(page(file))
    assert UNREAD in words(client, file)
    assert shown.context["columns_form"]["raters"].value() == []
    client.post(page(file), chosen(shown) | {"column-raters": ["", "评分员1", "评分员2"]})
    work()
    file.refresh_from_db()
    assert file.grades_found["raters"] == {"评分员1": 2, "评分员2": 2}
    assert UNREAD not in words(client, file)


def test_columns_of_raters_are_offered_once_the_other_grade_is_matched_to_none(client, upload):
    file = upload("提问,回复,评分1,评分2,评分\na,b,3,4,5\n", "sheet.csv")
    none = {"column-grade": "", "column-rater": ""}
    client.post(page(file), chosen(client.get(page(file))) | none)
    work()
    file.refresh_from_db()
    assert file.grades_found["raters"] == {"1": 1, "2": 1}
    offered = re.findall(r'name="column-raters" value="([^"]*)"', client.get(page(file)).content.decode())
    assert offered == ["", "评分1", "评分2", "评分"]
    assert "A column of grades that is not ticked is not read." in words(client, file)


def test_the_lists_call_the_rows_as_the_preview_does(client, upload):
    rows = [{"prompt": f"q{number // 2}", "response": "a", "grade": grade} for number, grade in enumerate((3, 3, 9))]
    file = upload(json.dumps(rows), "rows.json")
    for is_open in (True, False):
        shown = words(client, file)
        for heading in ("refused", "duplicate"):
            table = shown[shown.index(f'<h2 id="{heading}">') :]
            assert re.search(r'<th scope="col" class="n">\s*(\w+)\s*</th>', table)[1] == "entry"
        if is_open:
            imports.discard(received=file, by=file.created_by)


def test_the_numbers_of_a_file_with_columns_of_raters_add_up_on_every_page(client, upload, project):
    rows = "".join(f"q{number},a,{number % 5 + 1},{number % 4 + 1 if number else ''}\n" for number in range(8))
    file = upload(f"提问,回复,评分1,评分2\n{rows}", "sheet.csv")
    assert "1..5: 15 of 16 cells" in closed_up(words(client, file))
    decide(client, file, grades_are="grades")
    work()
    client.post(reverse("store_import", args=["weibo", file.pk]))
    work()
    file.refresh_from_db()
    assert (file.rows, file.stored, file.only_grades, file.duplicate, file.refused, file.grades) == (8, 8, 0, 0, 0, 15)
    assert "8 pairs are stored. 15 new grades are stored." in closed_up(words(client, file))
    funnel = client.get(reverse("board", args=["weibo"])).context["funnel"]
    assert (funnel.imported, funnel.stored, funnel.only_grades) == (8, 8, 0)


def test_grades_without_a_name_are_counted_and_their_rater_is_asked_for(client, upload):
    file = upload("prompt,response,grade,rater\na,b,3,mk\nc,d,4,\ne,f,5,\n", "grades.csv")
    shown = closed_up(words(client, file))
    assert "2 grades name no rater" in shown
    field = client.get(page(file)).context["grades"].form["rater"]
    assert field.field.required
    assert decide(client, file, grades_are="out").status_code == 302  # no one is needed then


def test_names_of_columns_are_joined_as_the_language_does(client, upload, researcher):
    researcher.language = "zh-hans"
    researcher.save()
    shown = closed_up(words(client, upload("提问,回复,评分1,评分2,备注,x\na,b,5,4,,\n", "sheet.csv")))
    for names in (("评分1", "评分2"), ("备注", "x")):
        assert re.search("{}</code>，<code[^>]*>{}</code>。".format(*names), shown)


def test_the_formats_that_are_named_are_those_that_are_read(client, researcher):
    project = rewriting_project(researcher)
    shown = client.get(reverse("imports", args=[project.slug])).content.decode()
    for format in ("csv", "tsv", "xlsx", "json", "DREAM", "jsonl", "zip", "tar.gz"):
        assert format in re.search(r"data-file-name>(.*?)</span>", shown, re.DOTALL)[1]


def test_grades_that_are_never_stored_are_said_where_the_file_brings_nothing_else(client, upload, project, researcher):
    stored(project, "a\tb\n")
    cleaning.remove(list(project.items.all()), project=project, by=researcher)
    said = words(client, upload("prompt,response,grade,rater\na,b,3,di\n", "cleaned.csv"))
    assert "1 grade is of a pair that cleaning removed" in said
    said = words(client, upload("prompt,response,grade,rater,counted\nc,d,3,di,no\n", "voided.csv"))
    assert "1 grade does not count where it comes from" in said
