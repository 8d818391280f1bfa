"""Reasons for refusing a file or a row: a stable code with parameters, and one sentence for each code.

Sentences about a row continue "Line 214: ..."; sentences about a file are complete. Neither ends in a full stop.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from core.domain.wording import gettext_noop as _

FILE_SENTENCES = {
    "export_task": _(
        "This is an export of %(tool)s for another kind of task (%(kind)s); only ratings, numbers, choices and "
        "texts are read"
    ),
    "export_version": _(
        'This is an export of an old version of %(tool)s (it has "%(key)s"); export it from a newer version'
    ),
    "export_table": _(
        'This is an export of %(tool)s as a table, whose cells ("%(key)s") hold lists; export it as JSON or JSON Lines'
    ),
    "export_broken": _('This does not look like an export of %(tool)s: check "%(key)s"'),
    "empty": _("The file is empty"),
    "no_rows": _("The file has a header and no rows"),
    "archive": _("This is a %(kind)s file; unpack it first"),
    "workbook": _("This is an Excel or OpenDocument workbook; save its sheet as CSV (UTF-8) and import that"),
    "workbook_kind": _("This is a workbook of the kind %(kind)s; save it as .xlsx"),
    "workbook_old": _("This is an Office 97 document, such as .xls; save it as .xlsx"),
    "workbook_locked": _("The workbook is password-protected; save it without a password"),
    "workbook_broken": _(
        "The workbook is damaged; get the file again, or open it in Excel or LibreOffice and save it as .xlsx"
    ),
    "workbook_too_large": _("The workbook contains more than %(limit)d MiB; save the sheet as CSV, or split it"),
    "workbook_part_too_large": _("A part of the workbook is too large to be read; save the sheet as CSV, or split it"),
    "workbook_no_sheet": _("The workbook has no sheet with cells"),
    "no_such_sheet": _('There is no sheet "%(sheet)s"; found: %(found)s'),
    "sheet_rows": _("The sheet has cells below row %(limit)s; delete the empty rows below its content"),
    "sheet_columns": _("The sheet has more than %(limit)d columns; delete those that are not needed"),
    "foreign": _("This is a %(kind)s file; csv, tsv, jsonl, json and xlsx are read here"),
    "binary": _("This is neither a text file nor a workbook; csv, tsv, jsonl, json and xlsx are read here"),
    "json_document": _("This is one JSON object; use a JSON array of objects, or one object on each line (jsonl)"),
    "json_list_within": _(
        'The records must be a list at the top of the file; here the list is inside an object, under "%(key)s": save '
        "that list alone"
    ),
    "encoding": _("The characters are neither UTF-8, UTF-16 nor GB18030; save the file as UTF-8"),
    "one_column": _("There is only one column; these are needed, separated by tab, comma or semicolon: %(needed)s"),
    "missing_column": _('The column "%(missing)s" is missing; found: %(found)s'),
    "missing_columns": _("The columns %(missing)s are missing; found: %(found)s"),
    "json_no_array": _("This is not a JSON array"),
    "json_no_records": _("The JSON array holds no records"),
    "json_broken_file": _("Broken JSON in line %(line)d at character %(position)d"),
    "json_deep_file": _("The JSON is nested too deeply"),
    "json_number_file": _("The JSON has a number that is too long"),
    "file_too_large": _("The file is larger than %(limit)d MiB; split it"),
    "duplicate_column": _('The column "%(column)s" appears twice in the header'),
    "raters_side_by_side": _(
        "The header has several columns of raters and several of grades; write a row for each person and "
        "grade, or a column of grades for each rater"
    ),
    "no_such_column": _('There is no column "%(missing)s" to read "%(column)s" from; found: %(found)s'),
    "first_number": _(
        "The right answers are numbers, and no row tells whether the first choice is 0 or 1; choose one of them"
    ),
    "turns_and_text": _(
        "Choose either a column of whole dialogues, or one of single texts, or those of a prompt and its response"
    ),
    "many_other_columns": _("There are %(found)d other columns; at most %(limit)d can be kept: leave them out"),
    "column_chosen_twice": _('The column "%(column)s" is chosen for two fields; choose another for one of them'),
    "no_column_of": _("One of these columns is needed: %(needed)s; found: %(found)s"),
}

# Refused however it is read: only another file can follow.
UNREADABLE = {
    "empty",
    "export_table",
    "archive",
    "workbook",
    "workbook_kind",
    "workbook_old",
    "workbook_locked",
    "workbook_broken",
    "workbook_too_large",
    "workbook_no_sheet",
    "foreign",
    "binary",
    "file_too_large",
}

ROW_SENTENCES = {
    "line_too_long": _("longer than %(limit)d KiB; reading went on with the next line"),
    "undecodable": _("bytes that are not %(encoding)s"),
    "nul": _("a NUL character"),
    "no_tab": _("no tab between prompt and response"),
    "no_prompt": _("no prompt"),
    "no_response": _("no response"),
    "no_response_after_tab": _("no response after the tab"),
    "no_value": _('nothing in the column "%(column)s"'),
    "formula_without_value": _(
        'a formula in the column "%(column)s" that was never calculated; open the workbook in Excel and save it'
    ),
    "cell_error": _('the error %(error)s in the column "%(column)s"'),
    "column_count": _("columns: %(found)d instead of %(expected)d"),
    "quote_open": _("a quote is opened in this line and not closed"),
    "quote_misplaced": _("a quote or line break inside a cell; put the cell in quotes and write its own quotes twice"),
    "quote_far": _("a quote opened here closes only in line %(last)d and gives no row; a quote may be missing"),
    "cell_too_long": _('%(length)d characters in the column "%(column)s"; the limit is %(limit)d'),
    "json_broken": _("broken JSON at character %(position)d"),
    "json_deep": _("JSON nested too deeply"),
    "json_number": _("JSON with a number that is too long"),
    "json_no_object": _("JSON that is not an object"),
    "key_twice": _('"%(column)s" is twice in one object; keep one of them'),
    "not_text": _('the value of "%(column)s" is not a text'),
    "lone_surrogate": _('half a character (a lone surrogate) in "%(column)s"'),
    "dream_record": _("not a dialogue with its questions and its id"),
    "no_questions": _("a dialogue without questions"),
    "no_dialogue": _("no dialogue"),
    "one_turn": _("a dialogue of one utterance: it cannot be cut"),
    "no_label": _("utterance %(number)d has no speaker before a colon"),
    "no_question": _("no question"),
    "not_list": _('the value of "%(column)s" is not a list'),
    "too_many": _('%(found)d entries in "%(column)s"; the limit is %(limit)d'),
    "few_choices": _("different choices: %(found)d; at least three are needed"),
    "no_answer": _("no right answer"),
    "answer_no_choice": _('the answer "%(answer)s" is not one of the choices'),
    "file_not_packed": _(
        'it names the file "%(name)s", which did not come with it; pack both into one .zip or .tar.gz and import that'
    ),
    "file_missing": _('it names the file "%(name)s", which is not in the archive'),
    "no_audio": _('the file "%(name)s" is not audio that browsers can play; use WAV, MP3, Ogg, FLAC or M4A'),
    "no_picture": _('the file "%(name)s" is not a picture that browsers can show; use PNG, JPEG or WebP'),
    "recording_too_large": _('the file "%(name)s" has more than %(limit)d MiB; make it smaller'),
    "practice_recorded": _("practice items come without audio or picture: no one corrects their transcripts"),
    "grade_no_number": _('the grade "%(grade)s" is not a whole number'),
    "grade_outside": _("the grade %(grade)d is outside the scale %(scale)s"),
    "rated_twice": _('"%(rater)s" already graded "%(item)s", at number %(first)d of this file'),
    "columns_of_one_rater": _('two columns hold different grades by "%(rater)s"; read only one of them'),
    "other_text": _("%(item)s already names another pair, in this file or in the project"),
    "graded_before": _('another grade by "%(rater)s" for "%(item)s" is stored already'),
    "graded_and_voided": _('the grade by "%(rater)s" for "%(item)s" is stored and voided; no other one is taken'),
    "rater_is_another": _(
        'the rater "%(rater)s" is not the model %(model)s; a model has a file of its own: import this rater\'s '
        "rows as another file"
    ),
    "rater_is_model": _(
        '"%(rater)s" is a model of this project; import its grades as a file of their own, with --model %(rater)s'
    ),
    "model_graded_before": _(
        "another grade by the model %(rater)s for %(item)s is stored already; give another run its own name"
    ),
    "item_unknown": _(
        "this project has no pair %(item)s; import the pairs first, or add the columns "
        "prompt and response to find it by its text"
    ),
    "type_unknown": _('the type "%(type)s" does not belong to grade %(grade)d; choose one of: %(known)s'),
    "gold_twice": _("this pair is at number %(first)d of this file with the grade %(grade)d"),
    "gold_grades_differ": _("its grades differ; a gold pair has one known grade"),
    "gold_before": _(
        "this pair is stored with the grade %(grade)d; "
        'to change it, tick "Correct pairs stored with a different grade" (or use --correct)'
    ),
    "gold_is_work": _("this pair is already in the project as one to be rated; a gold pair is left out of all figures"),
}

CORPUS_SENTENCES = {
    "archive_kind": _("This is a %(kind)s file; pack the folder as .zip or .tar.gz instead"),
    "archive_broken": _("The archive is broken or of a kind that cannot be read; pack it again as .zip or .tar.gz"),
    "archive_locked": _("The archive is password-protected; pack it again without a password"),
    "archive_link": _('The archive holds a link or device, "%(name)s"; only files and folders are accepted'),
    "archive_escape": _('The archive holds a name that leads out of it, "%(name)s"; pack the folder again'),
    "archive_name": _('The archive holds a name that is too long or too deep, "%(name)s"; pack the folder again'),
    "archive_files": _("The archive contains more than %(limit)s files; split it"),
    "archive_list": _("The list of files in the archive has more than %(limit)s MiB; split it"),
    "archive_bytes": _("The archive contains more than %(limit)s MiB; unpack it, and import the folder"),
    "no_instances": _("There is no instance in it: MuTual's are .txt files in folders called train, dev and test"),
    "several_jsonl": _("There are %(files)d .jsonl files in it; leave the one with the items"),
    "no_logs": _("There is no log in it: lines such as [14:02] <ann> hello, or 14:02 < ann> hello"),
    "no_tweets": _(
        "There is no conversation in it: a csv file of tweets with the ids of those they answer, or blocks of lines "
        "with empty lines between them"
    ),
    "no_script": _("There is no csv file in it with utterances, their speakers and dialogues"),
    "no_contexts": _("There is no csv file in it with contexts and their responses"),
    "no_labelled_lines": _(
        "There is no file in it whose lines are a label (1 or 0), the turns of a context and a response, with tabs "
        "between them"
    ),
    "no_turn_lists": _("There is no file in it with lists of texts, one list for each dialogue"),
    "ids_misfit": _(
        "%(file)s does not name each dialogue of the file next to it exactly once; correct it, or remove it to give "
        "the dialogues other names"
    ),
    "label_unknown": _('the label "%(label)s" is neither 1 nor 0'),
    "no_table": _("There is no table in it: csv, tsv, xlsx, jsonl and json are read"),
    "table_rows": _("The file has more than %(limit)s rows; split it"),
    "no_jsonl": _("There is no .jsonl file in it"),
    "format_unclear": _("The format cannot be determined from the content; choose one of %(formats)s"),
    "no_dialogues": _("There is no dialogue in it"),
    "instance_too_large": _("larger than %(limit)d KiB"),
    "no_context": _("no context"),
    "no_turns": _('no turn; "turns" is a list of texts or of {"speaker", "text"}'),
    "turn_empty": _("a turn without text"),
    "facts": _('the value of "facts" is not an object of at most %(limit)d texts and whole numbers'),
    "turn_time": _('the time "%(at)s" of a turn is not in UTC, such as 2008-07-14T10:02:00Z'),
    "turns_count": _("more than %(limit)d turns"),
    "candidates_count": _("not a list of 2 to %(limit)d candidates"),
    "candidate_empty": _("a candidate without text"),
    "answer_no_option": _('the answer "%(answer)s" is not in the range %(first)s to %(last)s'),
    "answer_no_candidates": _(
        'the answer "%(answer)s" and no candidates to choose from; add "candidates" or leave "answer" out'
    ),
    "split_unknown": _('the split "%(split)s" is not train, dev or test'),
    "id_too_long": _("an id of more than %(limit)d characters"),
    "change_unknown": _('not one of "turns" (a list of texts), "leave_out" and "clear" (both true)'),
    "id_twice": _('the id "%(id)s" appears twice'),
}

ANSWER_SENTENCES = {
    "several_forms": _("an answer in several forms: %(columns)s; keep one of them"),
    "no_form": _("none of the columns %(columns)s"),
    "no_whole_number": _('"%(value)s" in the column "%(column)s" is not a whole number from %(least)d to %(most)d'),
    "no_such_answer": _('"%(value)s" in the column "%(column)s" is not one of its answers: %(known)s'),
    "better_missing": _('nothing in the column "better" and something in the column "tied"'),
    "too_many_others": _(
        "%(better)d above the correct response and %(tied)d tied with it, of %(candidates)d candidates"
    ),
    "rank_outside": _("the rank %(rank)d of %(candidates)d candidates"),
    "answered_twice": _("%(participant)s already answered %(question)s in line %(first)d"),
    "answered_before": _("another answer of %(participant)s to %(question)s is stored already"),
    "other_name": _('%(name)s has "%(other)s" in the column "%(column)s" elsewhere, not "%(value)s"'),
    "other_candidates": _("%(question)s is stored with %(stored)d candidates, not %(given)d"),
    "guessed_candidates": _(
        "%(question)s is stored with at least %(stored)d candidates, the highest rank until now, not %(given)d; import "
        "all answers into a new study, with the number of candidates"
    ),
}

PREDICTION_SENTENCES = {
    "instance_unknown": _('no instance of %(on)s has the id "%(id)s"'),
    "made_for_another": _(
        "The rows belong to %(other)s, whose candidates are in another order than those of "
        "%(on)s: import the file for %(other)s; if its candidates are in the order of "
        "%(on)s, put the rows in that order, too"
    ),
    "order_unknown": _(
        "The rows are not in the order of %(on)s, and %(other)s has the candidates in another order: if they are in "
        "the order of %(on)s, put the rows in that order, too; else import the file for %(other)s"
    ),
    "ids_of_another": _(
        "Of the instances that the rows name, %(on)s lacks %(count)d, such as %(id)s, and %(other)s has them all: "
        "import the file for %(other)s; it then serves all questions that were drawn from it"
    ),
    "predicted_twice": _("%(id)s is already in line %(first)d"),
    "score_no_number": _("the score %(value)s is not a number"),
    "score_not_finite": _("the score %(value)s is not a finite number"),
    "scores_count": _("%(found)d scores for %(candidates)d candidates"),
    "candidate_unknown": _(
        '"%(name)s" is not one of the %(candidates)d candidates; name them A, B, … or 1, 2, …, separated by tabs'
    ),
    "candidate_twice": _('the candidate "%(name)s" is named twice'),
    "candidates_left_out": _("%(found)d of %(candidates)d candidates; list all of them, best first"),
}

SENTENCES = FILE_SENTENCES | ROW_SENTENCES | CORPUS_SENTENCES | ANSWER_SENTENCES | PREDICTION_SENTENCES


@dataclass(frozen=True, slots=True)
class RefusalReason:
    """A code of ``SENTENCES`` and the parameters of its sentence.

    ``str()`` is English; ``reason_text`` is translated.
    """

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.code] % self.params


class RowRefused(Exception):
    """Raised for a file or a row that cannot be taken."""

    def __init__(self, code: str, **params: str | int) -> None:
        self.reason = RefusalReason(code, params)
        super().__init__(self.reason)


def reason_text(reason: RefusalReason) -> str:
    """Return the sentence in the active language."""
    return gettext(SENTENCES[reason.code]) % reason.params


def kind_text(code: str) -> str:
    """Return the translated sentence of a code with … for its parameters: the text that all its rows share."""
    return re.sub(r"%\(\w+\)[sd]", "…", gettext(SENTENCES[code]))
