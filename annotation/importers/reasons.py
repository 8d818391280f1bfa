"""Reasons for refusing a file or a row: a stable code with parameters, and one sentence for each code.

Sentences about a row continue "Line 214: ..."; sentences about a file are complete. Neither ends in a full stop.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from core.domain.wording import gettext_noop as _

FILE_SENTENCES = {
    "empty": _("The file is empty"),
    "no_rows": _("The file has a header and no rows"),
    "archive": _("This is a %(kind)s file; unpack it first"),
    "workbook": _("This is an Excel or OpenDocument workbook; save its sheet as CSV (UTF-8) and import that"),
    "foreign": _("This is a %(kind)s file; only csv, tsv and jsonl are read here"),
    "binary": _("This is not a text file; only csv, tsv and jsonl are read here"),
    "json_document": _("This is one JSON document; write one object on each line instead (jsonl)"),
    "encoding": _("The characters are neither UTF-8, UTF-16 nor GB18030; save the file as UTF-8"),
    "one_column": _("There is only one column; these are needed, separated by tab or comma: %(needed)s"),
    "missing_column": _('The column "%(missing)s" is missing; found: %(found)s'),
    "missing_columns": _("The columns %(missing)s are missing; found: %(found)s"),
    "json_no_array": _("This is not the JSON array that a DREAM file is"),
    "json_no_records": _("The JSON array holds no records"),
    "json_broken_file": _("Broken JSON in line %(line)d at character %(position)d"),
    "json_deep_file": _("The JSON is nested too deeply"),
    "json_number_file": _("The JSON has a number that is too long"),
    "file_too_large": _("The file is larger than %(limit)d MiB; split it"),
    "duplicate_column": _('The column "%(column)s" stands twice in the header'),
    "no_such_column": _('There is no column "%(missing)s" to read "%(column)s" from; found: %(found)s'),
    "column_chosen_twice": _('The column "%(column)s" is chosen for two of ours; choose another for one of them'),
    "no_column_of": _("One of these columns is needed: %(needed)s; found: %(found)s"),
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
    "column_count": _("columns: %(found)d instead of %(expected)d"),
    "quote_open": _("a quote is opened in this line and not closed"),
    "quote_misplaced": _("a quote or line break inside a cell; put the cell in quotes and write its own quotes twice"),
    "quote_far": _("a quote opened here closes only in line %(last)d and gives no row; a quote may be missing"),
    "cell_too_long": _('%(length)d characters in the column "%(column)s"; the limit is %(limit)d'),
    "json_broken": _("broken JSON at character %(position)d"),
    "json_deep": _("JSON nested too deeply"),
    "json_number": _("JSON with a number that is too long"),
    "json_no_object": _("JSON that is not an object"),
    "not_text": _('the value of "%(column)s" is not a text'),
    "lone_surrogate": _('half a character (a lone surrogate) in "%(column)s"'),
    "dream_record": _("not a dialogue with its questions and its id"),
    "no_questions": _("a dialogue without questions"),
    "no_dialogue": _("no dialogue"),
    "one_turn": _("a dialogue of one utterance: there is no place to cut it"),
    "no_label": _("utterance %(number)d has no speaker before a colon"),
    "no_question": _("no question"),
    "not_list": _('the value of "%(column)s" is not a list'),
    "too_many": _('%(found)d entries in "%(column)s"; the limit is %(limit)d'),
    "few_choices": _("different choices: %(found)d instead of three"),
    "no_answer": _("no right answer"),
    "answer_no_choice": _('the answer "%(answer)s" is none of the choices'),
    "file_not_packed": _(
        'it names the file "%(name)s", which did not come with it; pack both into one .zip or .tar.gz and import that'
    ),
    "file_missing": _('it names the file "%(name)s", which is not in the archive'),
    "no_audio": _('the file "%(name)s" is no audio that browsers play; WAV, MP3, Ogg, FLAC and M4A are taken'),
    "no_picture": _('the file "%(name)s" is no picture that browsers show; PNG, JPEG and WebP are taken'),
    "recording_too_large": _('the file "%(name)s" has more than %(limit)d MiB; make it smaller'),
    "practice_recorded": _("practice items come without audio or picture: no one corrects their transcripts"),
    "grade_no_number": _('the grade "%(grade)s" is not a whole number'),
    "grade_outside": _("the grade %(grade)d is outside the scale %(scale)s"),
    "rated_twice": _("%(rater)s has graded %(item)s already in line %(first)d"),
    "other_text": _("another pair is known as %(item)s, in this file or in the project"),
    "graded_before": _("another grade by %(rater)s for %(item)s is stored already"),
    "rater_is_another": _(
        'the rater "%(rater)s" is not the model %(model)s; a model has a file of its own: import this rater\'s '
        "rows as another file"
    ),
    "rater_is_model": _(
        '"%(rater)s" is a model of this project; import its grades as a file of their own, with --model %(rater)s'
    ),
    "model_graded_before": _(
        "another grade by the model %(rater)s for %(item)s is stored already; give another run a name of its own"
    ),
    "item_unknown": _(
        "no pair of this project is %(item)s; import the pairs first, or add the columns prompt and response to find "
        "it by its text"
    ),
    "type_unknown": _('the type "%(type)s" is none of grade %(grade)d; these are: %(known)s'),
    "gold_twice": _("this pair stands in line %(first)d with the grade %(grade)d"),
    "gold_before": _("this pair is stored with the grade %(grade)d: say so if the file is to correct it"),
    "gold_is_work": _("this pair is in the project as one to be rated; a gold pair counts nowhere"),
}

CORPUS_SENTENCES = {
    "archive_kind": _("This is a %(kind)s file; pack the folder as .zip or .tar.gz instead"),
    "archive_broken": _("The archive is broken or of a kind that cannot be read; pack it again as .zip or .tar.gz"),
    "archive_locked": _("The archive is locked with a password; pack it again without one"),
    "archive_link": _('The archive holds a link or device, "%(name)s"; only files and folders are taken'),
    "archive_escape": _('The archive holds a name that leads out of it, "%(name)s"; pack the folder again'),
    "archive_name": _('The archive holds a name that is too long or too deep, "%(name)s"; pack the folder again'),
    "archive_files": _("The archive holds more than %(limit)s files; split it"),
    "archive_list": _("The list of files in the archive has more than %(limit)s MiB; split it"),
    "archive_bytes": _("The archive holds more than %(limit)s MiB; unpack it, and import the folder"),
    "no_instances": _("There is no instance in it: MuTual's are .txt files in folders called train, dev and test"),
    "several_jsonl": _("There are %(files)d .jsonl files in it; leave the one with the items"),
    "no_logs": _("There is no log in it: lines such as [14:02] <ann> hello, or 14:02 < ann> hello"),
    "no_tweets": _(
        "There is no conversation in it: a csv file of tweets with the ids of those they answer, or blocks of lines "
        "with empty lines between them"
    ),
    "no_script": _("There is no csv file in it with utterances, their speakers and dialogues"),
    "no_contexts": _("There is no csv file in it with contexts and their responses"),
    "ids_misfit": _("%(file)s does not name the dialogues beside it, each once; take it out, and they get other names"),
    "label_unknown": _('the label "%(label)s" is neither 1 nor 0'),
    "no_jsonl": _("There is no .jsonl file in it"),
    "format_unclear": _("The content does not tell the format; choose one of %(formats)s"),
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
    "answer_no_option": _('the answer "%(answer)s" is none of %(first)s to %(last)s'),
    "answer_no_candidates": _(
        'the answer "%(answer)s" and no candidates to choose from; add "candidates" or leave "answer" out'
    ),
    "split_unknown": _('the split "%(split)s" is none of train, dev and test'),
    "id_too_long": _("an id of more than %(limit)d characters"),
    "change_unknown": _('not one of "turns" (a list of texts), "leave_out" and "clear" (both true)'),
    "id_twice": _('the id "%(id)s" stands there twice'),
}

ANSWER_SENTENCES = {
    "several_forms": _("an answer in several forms: %(columns)s; keep one of them"),
    "no_form": _("none of the columns %(columns)s"),
    "no_whole_number": _('"%(value)s" in the column "%(column)s" is not a whole number from %(least)d to %(most)d'),
    "no_such_answer": _('"%(value)s" in the column "%(column)s" is none of its answers: %(known)s'),
    "better_missing": _('nothing in the column "better" and something in the column "tied"'),
    "too_many_others": _("%(better)d above the true one and %(tied)d level with it, of %(candidates)d candidates"),
    "rank_outside": _("the rank %(rank)d of %(candidates)d candidates"),
    "answered_twice": _("%(participant)s has answered %(question)s already in line %(first)d"),
    "answered_before": _("another answer of %(participant)s to %(question)s is stored already"),
    "other_name": _('%(name)s has "%(other)s" in the column "%(column)s" elsewhere, not "%(value)s"'),
    "other_candidates": _("%(question)s is stored with %(stored)d candidates, not %(given)d"),
}

PREDICTION_SENTENCES = {
    "instance_unknown": _('no instance of %(on)s has the id "%(id)s"'),
    "predicted_twice": _("%(id)s is in line %(first)d already"),
    "score_no_number": _('the score "%(value)s" is not a number'),
    "score_not_finite": _("the score %(value)s is not a finite number"),
    "scores_count": _("%(found)d scores for %(candidates)d candidates"),
    "candidate_unknown": _('"%(name)s" is none of the %(candidates)d candidates; name them A, B, … or 1, 2, …'),
    "candidate_twice": _('the candidate "%(name)s" is named twice'),
    "candidates_left_out": _("%(found)d of %(candidates)d candidates; name all of them, the best first"),
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
