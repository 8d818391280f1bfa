"""Exports of Label Studio, Argilla and doccano: a row for each person who answered. The files here are written in the
formats that Label Studio 1.23, Argilla 2.8 and doccano 1.8 export.
"""

import io
import json
import zipfile

import pytest

from annotation.importers import pairs
from annotation.importers import preview as pair_preview
from annotation.importers.rows import BadRow


def read(content):
    content = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
    return list(pairs.read(io.BytesIO(content), file_name="export.json"))


def graded(content):
    return [(row.external_id, row.response, *cell) for row in read(content) for cell in row.graded or [("", "")]]


def refused(content):
    return [(row.line, row.reason.code, dict(row.reason.params)) for row in read(content) if isinstance(row, BadRow)]


# ---- Label Studio ---------------------------------------------------------------------------------------------------
def result(kind, value, name="grade"):
    return {"from_name": name, "to_name": "r", "type": kind, "value": value}


def annotation(*results, by=1, **more):
    return {"id": 9, "completed_by": by, "result": list(results), "was_cancelled": False, **more}


def task(number, *annotations, **data):
    data = {"prompt": "在吗", "response": f"r{number}", **data}
    return {"id": number, "annotations": list(annotations), "drafts": [], "predictions": [], "data": data, "meta": {}}


def test_each_annotation_of_label_studio_is_a_row_with_its_grade_and_person():
    rating = result("rating", {"rating": 4})
    why = result("textarea", {"text": ["because"]}, "why")
    export = [
        task(
            1, annotation(rating, why), annotation(result("choices", {"choices": ["2"]}), by={"id": 5, "email": "jp@x"})
        ),
        task(2, annotation(result("number", {"number": 3.0}), by=7)),
        task(3, annotation(rating, was_cancelled=True)),
        task(4, id="own"),
    ]
    assert graded(export) == [
        ("1", "r1", "4", "1"),
        ("1", "r1", "2", "jp@x"),
        ("2", "r2", "3", "7"),
        ("3", "r3", "", ""),
        ("own", "r4", "", ""),
    ]


def test_the_smaller_json_and_the_csv_of_label_studio_have_the_same_grades():
    flat = {"prompt": "在吗", "response": "在的", "id": 1, "grade": [{"rating": 4}], "annotator": 3, "annotation_id": 8}
    table = 'annotation_id,annotator,grade,id,prompt,response\n8,3,"[{""rating"":4}]",1,在吗,在的\n'
    assert graded([flat]) == graded(table.encode()) == [("1", "在的", "4", "3")]


def test_another_task_of_label_studio_is_named():
    spans = annotation(result("labels", {"start": 0, "end": 4, "labels": ["PER"]}, "label"))
    tool = {"tool": "Label Studio", "kind": "labels"}
    assert refused([task(1, spans)]) == [(None, "export_task", tool)]
    mixed = [task(1, annotation(result("rating", {"rating": 4}))), task(2, spans)]
    assert refused(mixed) == [(2, "export_task", tool)]


def test_an_old_export_of_label_studio_is_named():
    assert refused([{"id": 1, "data": {"prompt": "a"}, "completions": []}]) == [
        (None, "export_version", {"tool": "Label Studio", "key": "completions"})
    ]


@pytest.mark.parametrize("annotations", [None, [3], [{"result": {}}], [{"result": [{"value": 3}]}]])
def test_a_task_that_label_studio_would_not_write_is_refused(annotations):
    good = task(1, annotation(result("rating", {"rating": 4})))
    broken = {**task(2), "annotations": annotations}
    assert [(line, code) for line, code, _params in refused([good, broken])] == [(2, "export_broken")]


# ---- Argilla --------------------------------------------------------------------------------------------------------
ONE, TWO = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"


def argilla(responses, **more):
    fields = {"prompt": "在吗", "response": "在的"}
    return {
        "id": "r1",
        "fields": fields,
        "metadata": {"source": "m"},
        "suggestions": {},
        "responses": responses,
        **more,
    }


def test_each_person_who_responded_in_argilla_is_a_row():
    grades = [{"value": 5, "user_id": ONE}, {"value": 3, "user_id": TWO}]
    record = argilla({"grade": grades, "why": [{"value": "clear", "user_id": ONE}]}, vectors={}, status="completed")
    assert graded([record, argilla({})]) == [
        ("r1", "在的", "5", ONE),
        ("r1", "在的", "3", TWO),
        ("r1", "在的", "", ""),
    ]
    assert read([record])[0].source == "m"


def test_flat_records_of_argilla_leave_out_what_was_discarded():
    record = {
        "id": "r1",
        "prompt": "在吗",
        "response": "在的",
        "grade.responses": [5, 3],
        "grade.responses.users": [ONE, TWO],
        "grade.responses.status": ["submitted", "discarded"],
        "grade.suggestion": 4,
        "why.responses": None,
    }
    assert graded([record]) == [("r1", "在的", "5", ONE)]


@pytest.mark.parametrize(("state", "grades"), [("draft", []), (None, ["3"])])
def test_flat_records_leave_out_drafts_and_keep_answers_of_unknown_state(state, grades):
    record = {
        "id": "r1",
        "prompt": "在吗",
        "response": "在的\n\t“好” 😀",
        "grade.responses": [5, 3],
        "grade.responses.users": [ONE, TWO],
        "grade.responses.status": ["submitted", state],
    }
    assert [row.graded[0].grade for row in read([record])] == ["5", *grades]


def hides_states(records):
    return pair_preview.preview(io.BytesIO(json.dumps(records).encode())).parsed_header.hides_states


def test_nested_records_of_argilla_with_answers_hide_which_of_them_are_unfinished():
    answered = argilla({"grade": [{"value": 5, "user_id": ONE}]})
    flat = {"id": "r1", "prompt": "a", "response": "b", "grade.responses": [5], "grade.responses.users": [ONE]}
    said = argilla([{"user_id": ONE, "values": {"grade": {"value": 2}}, "status": "submitted"}])
    assert hides_states([argilla({}), answered])
    assert not any(map(hides_states, ([argilla({})], [flat], [said], [doccano(1, "4")])))


@pytest.mark.parametrize("flat", [True, False])
def test_an_object_of_columns_is_no_list_of_records(flat):
    nested = {"id": ["r1"], "fields": [{"prompt": "在吗", "response": "在的"}], "responses": [{}]}
    columns = {"id": ["r1"], "prompt": ["在吗"], "response": ["在的"], "grade.responses": [[5]]} if flat else nested
    assert refused(json.dumps(columns).encode()) == [(None, "json_document", {})]


def test_a_table_of_argilla_is_named_for_its_cells_are_lists():
    header = "id,prompt,response,grade.responses,grade.responses.users,grade.responses.status\n"
    table = header + "r1,在吗,在的,[5 3],\"['a'\n 'b']\",['submitted' 'draft']\n"
    assert refused(table.encode()) == [(None, "export_table", {"tool": "Argilla", "key": "grade.responses"})]


def test_feedback_of_argilla_1_is_read():
    response = {"user_id": ONE, "values": {"grade": {"value": 2}}, "status": "submitted"}
    assert graded([argilla([response])]) == [("r1", "在的", "2", ONE)]


def test_other_tasks_and_older_records_of_argilla_are_named():
    spans = argilla({"names": [{"value": [{"start": 0, "end": 2, "label": "x"}], "user_id": ONE}]})
    assert refused([spans]) == [(None, "export_task", {"tool": "Argilla", "kind": "names"})]
    old = {"inputs": {"text": "hi"}, "prediction": None, "annotation": "3"}
    assert refused([old]) == [(None, "export_version", {"tool": "Argilla", "key": "annotation"})]


# ---- doccano --------------------------------------------------------------------------------------------------------
def doccano(number, *labels):
    meta = {"prompt": "在吗", "response": f"r{number}"}
    return {"id": number, "text": f"在吗 / r{number}", **meta, "label": list(labels), "Comments": []}


def zipped(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, rows in files.items():
            archive.writestr(f"{name}.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return file.getvalue()


def test_the_files_of_doccano_are_of_the_people_they_are_named_after():
    content = zipped(mina=[doccano(1, "4"), doccano(2, "5")], jp=[doccano(1, "3")])
    assert graded(content) == [("1", "r1", "3", "jp"), ("1", "r1", "4", "mina"), ("2", "r2", "5", "mina")]


def test_its_text_is_the_response_where_no_other_column_is():
    row = {"id": 1, "text": "好", "prompt": "在吗", "label": ["4"], "Comments": []}
    assert graded(zipped(mina=[row])) == [("1", "好", "4", "mina")]
    assert graded([{**row, "response": "不好"}]) == [("1", "不好", "4", "")]


def test_its_files_may_be_arrays():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mina.json", json.dumps([doccano(1, "4"), doccano(2, "5")]))
        archive.writestr("jp.json", json.dumps([doccano(1, "3")]))
    assert graded(file.getvalue()) == [("1", "r1", "3", "jp"), ("1", "r1", "4", "mina"), ("2", "r2", "5", "mina")]


def test_what_doccano_collected_from_all_names_no_one():
    assert graded(zipped(all=[doccano(1, "4"), doccano(2)])) == [("1", "r1", "4", ""), ("2", "r2", "", "")]
    assert graded([doccano(1, "4")]) == [("1", "r1", "4", "")]


def zipped_tables(**tables):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in tables.items():
            archive.writestr(f"{name}.csv", text)
    return file.getvalue()


TABLE = "id,text,prompt,response,label,Comments\n"


def test_its_files_may_be_tables():
    of_mina = TABLE + '1,"A: 在吗\nB: r1",在吗,"r1\n\t""好"", 😀",4,"注意,\n慢"\n2,t,在吗,r2,5,\n3,t,在吗,r3,,\n'
    content = zipped_tables(mina=of_mina, jp=TABLE + "1,t,在吗,r1,3,\n")
    assert graded(content) == [
        ("1", "r1", "3", "jp"),
        ("1", 'r1\n\t"好", 😀', "4", "mina"),
        ("2", "r2", "5", "mina"),
        ("3", "r3", "", ""),
    ]
    assert graded(zipped_tables(all=TABLE + "1,t,在吗,r1,3,\n")) == [("1", "r1", "3", "")]


def test_bad_rows_of_a_zipped_table_are_refused_by_themselves():
    rows = '1,t,在吗,r1,4\n2,t,在吗,r2,5,\n3,"t,在吗,r3,5,\n'
    assert refused(zipped_tables(mina=TABLE + rows)) == [
        (1, "column_count", {"found": 5, "expected": 6}),
        (3, "quote_open", {}),
    ]
    assert refused(zipped_tables(mina="")) == [(None, "no_rows", {})]


def test_a_zipped_file_of_pairs_without_labels_is_of_no_one():
    assert graded(zipped_tables(pairs="prompt,response,评分\n在吗,在的,4\n")) == [("", "在的", "4", "")]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"text": "hi", "label": [[0, 2, "PER"]]}, "spans"),
        ({"text": "hi", "entities": [], "relations": []}, "entities"),
        ({"filename": "a.png", "bbox": []}, "boxes"),
    ],
)
def test_other_tasks_of_doccano_are_named(row, kind):
    assert refused([row]) == [(None, "export_task", {"tool": "doccano", "kind": kind})]


def test_a_broken_line_of_a_zipped_file_is_refused_by_itself():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mina.jsonl", json.dumps(doccano(1, "4")) + "\n{broken\n" + "[" * 100_000 + "\n")
    assert [(line, code) for line, code, _params in refused(file.getvalue())] == [
        (2, "json_no_object"),
        (3, "json_no_object"),
    ]


PRODIGY = {"prompt": "问", "text": "答", "accept": [4], "answer": "accept"}


@pytest.mark.parametrize(
    "rows",
    [
        [PRODIGY],
        [PRODIGY, PRODIGY | {"answer": "ignore"}, PRODIGY | {"answer": "reject"}],
        [PRODIGY | {"_task_hash": 1, "_input_hash": 2, "answer": "accept it"}],
    ],
)
def test_the_answer_of_prodigy_is_no_response(rows):
    without_text = [{"body" if key == "text" else key: value for key, value in row.items()} for row in rows]
    [whole] = read("\n".join(map(json.dumps, without_text)).encode())
    assert (whole.line, whole.reason.code, whole.reason.params["missing"]) == (None, "missing_column", "response")
    assert [pair.response for pair in read(rows)] == ["答"] * len(rows)
    assert [pair.response for pair in read([row | {"回复": "好"} for row in rows])] == ["好"] * len(rows)


@pytest.mark.parametrize("marks", [{}, {"_task_hash": 1, "_input_hash": 2}])
def test_a_task_that_was_not_accepted_in_prodigy_keeps_its_pair_and_brings_no_grade(marks):
    tasks = [
        {"id": answer, "prompt": "问", "response": "答", "label": 2, "answer": answer, "annotator": "ann", **marks}
        for answer in ("accept", "reject", "ignore")
    ]
    without = [("reject", "答", "", ""), ("ignore", "答", "", "")]
    assert graded(tasks) == [("accept", "答", "2", "ann"), *without]
    assert graded("\n".join(map(json.dumps, tasks)).encode()) == [("accept", "答", "2", "ann"), *without]


def test_an_answer_beside_others_leaves_its_grade_as_it_is():
    rows = [{"prompt": "a", "response": "b", "grade": 3, "answer": answer} for answer in ("reject", "no")]
    assert [cell.grade for row in read(rows) for cell in row.graded] == ["3", "3"]


@pytest.mark.parametrize("answer", [["accept"], {"is": "accept"}, None, 1])
def test_a_task_of_prodigy_without_one_of_its_verdicts_is_read(answer):
    rows = [PRODIGY | {"_task_hash": 1}, PRODIGY | {"_task_hash": 2, "answer": answer}]
    assert [pair.counted for pair in read("\n".join(map(json.dumps, rows)).encode())] == [True, True]


def test_an_answer_that_is_the_word_accept_stays_a_response_beside_others():
    assert [pair.response for pair in read([{"prompt": "a", "answer": "accept"}, {"prompt": "b", "answer": "no"}])] == [
        "accept",
        "no",
    ]
