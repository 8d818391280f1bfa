"""Every address of the product, with who may open it."""

from annotation.models import Role

ALL = frozenset(Role)
STAFF = frozenset({Role.RESEARCHER, Role.ADMINISTRATOR})
ADMINISTRATORS = frozenset({Role.ADMINISTRATOR})
RATERS = frozenset({Role.ANNOTATOR})
INSPECTORS = frozenset({Role.INSPECTOR})
CLEANERS = RATERS | INSPECTORS | STAFF
OVERSEERS = INSPECTORS | STAFF
ANYBODY = None  # also people who have not signed in

GET, POST = "get", "post"
PAGES: dict[str, tuple[str, frozenset[Role] | None]] = {
    "home": (GET, ALL),
    "load_demo": (POST, STAFF),
    "signin": (GET, ANYBODY),
    "signout": (POST, ALL),
    "account": (GET, ALL),
    "password": (GET, ALL),
    "theme": (POST, ANYBODY),
    "language": (POST, ANYBODY),
    "tokens": (POST, STAFF),
    "revoke_token": (POST, STAFF),
    "invitation": (GET, ANYBODY),
    "people": (GET, STAFF),
    "invite": (POST, STAFF),
    "withdraw_invitation": (POST, STAFF),
    "person": (GET, ADMINISTRATORS),
    "person_role": (POST, ADMINISTRATORS),
    "person_active": (POST, ADMINISTRATORS),
    "person_password": (POST, ADMINISTRATORS),
    "corpora": (GET, STAFF),
    "corpus": (GET, STAFF),
    "export_corpus": (GET, STAFF),
    "audit_corpus": (GET, STAFF),
    "corpus_leaks_csv": (GET, STAFF),
    "corpus_import": (GET, STAFF),
    "store_corpus_import": (POST, STAFF),
    "corpus_refused_csv": (GET, STAFF),
    "question_sets": (GET, STAFF),
    "question_set": (GET, STAFF),
    "job": (GET, STAFF),
    "cancel_job": (POST, STAFF),
    "new_project": (GET, STAFF),
    "api_reference": (GET, STAFF),
    "runs": (GET, STAFF),
    "start_run": (POST, STAFF),
    "run": (GET, STAFF),
    "cancel_run": (POST, STAFF),
    "predictions_csv": (GET, STAFF),
    "predictions_list": (GET, STAFF),
    "studies": (GET, STAFF),
    "new_study": (GET, STAFF),
    "take": (GET, ANYBODY),
}
# Of somebody who takes a survey and is known by a cookie; anybody else is sent to its first page.
VISITS: dict[str, str] = {
    "take_join": POST,
    "take_about": POST,
    "take_practice": POST,
    "take_begin": POST,
    "take_questions": GET,
    "take_question": GET,
    "take_answer": POST,
    "take_finish": GET,
    "take_withdraw": GET,
}
PROJECT_PAGES: dict[str, tuple[str, frozenset[Role]]] = {
    "board": (GET, STAFF),
    "board_csv": (GET, STAFF),
    "agreement": (GET, STAFF),
    "agreement_csv": (GET, STAFF),
    "quality": (GET, OVERSEERS),
    "quality_csv": (GET, OVERSEERS),
    "payable_csv": (GET, STAFF),
    "imports": (GET, STAFF),
    "import": (GET, STAFF),
    "store_import": (POST, STAFF),
    "discard_import": (POST, STAFF),
    "refused_csv": (GET, STAFF),
    "duplicate_csv": (GET, STAFF),
    "pairs": (GET, STAFF),
    "export_ratings": (GET, STAFF),
    "releases": (GET, STAFF),
    "freeze": (POST, STAFF),
    "release": (GET, STAFF),
    "export_release": (GET, STAFF),
    "audit_release": (GET, STAFF),
    "release_leaks_csv": (GET, STAFF),
    "distribution_table": (GET, STAFF),
    "distribution_figure": (GET, STAFF),
    "members": (GET, STAFF),
    "add_member": (POST, STAFF),
    "remove_member": (POST, STAFF),
    "void_work": (GET, OVERSEERS),
    "qualification": (GET, OVERSEERS),
    "annotator": (GET, OVERSEERS),
    "resume_rater": (POST, OVERSEERS),
    "gold": (GET, STAFF),
    "practice": (GET, RATERS),
    "begin_practice": (POST, RATERS),
    "practise": (POST, RATERS),
    "guideline": (GET, STAFF),
    "settings": (GET, STAFF),
    "rate": (GET, RATERS),
    "own_progress": (GET, RATERS),
    "next_pairs": (POST, RATERS),
    "grade": (POST, RATERS),
    "change_grade": (POST, RATERS),
    "skip": (POST, RATERS),
    "flag": (POST, RATERS),
    "flags": (GET, STAFF),
    "resolve_flag": (POST, STAFF),
    "clean": (GET, CLEANERS),
    "next_to_clean": (POST, CLEANERS),
    "decide_cleaning": (POST, CLEANERS),
    "take_back_cleaning": (POST, CLEANERS),
    "cleaning": (GET, OVERSEERS),
    "undo_cleaning": (POST, OVERSEERS),
    "word_list": (GET, OVERSEERS),
    "scan_pairs": (POST, STAFF),
    "put_words": (POST, STAFF),
    "switch_rule": (POST, STAFF),
    "adjudicate": (GET, INSPECTORS),
    "decide": (POST, INSPECTORS),
    "skip_decision": (POST, INSPECTORS),
    "items": (GET, STAFF),
    "return_instance": (POST, STAFF),
    "item_recording": (GET, STAFF),
    "transcribe": (GET, RATERS),
    "check_transcript": (GET, RATERS),
    "recording": (GET, RATERS),
    "save_transcript": (POST, RATERS),
    "submit_transcript": (POST, RATERS),
    "skip_transcript": (POST, RATERS),
    "write": (GET, RATERS),
    "save_rewrite": (POST, RATERS),
    "submit_rewrite": (POST, RATERS),
    "skip_rewrite": (POST, RATERS),
    "restore_version": (POST, RATERS),
    "flag_rewrite": (POST, RATERS),
    "own_flags": (GET, RATERS),
    "own_practice": (GET, RATERS),
    "inspect": (GET, INSPECTORS),
    "answer_inspection": (POST, INSPECTORS),
    "decide_inspection": (POST, INSPECTORS),
    "skip_inspection": (POST, INSPECTORS),
    "types": (GET, RATERS | INSPECTORS),
    "name_type": (POST, RATERS | INSPECTORS),
    "skip_type": (POST, RATERS | INSPECTORS),
    "ask_types": (POST, STAFF),
}
STUDY_PAGES: dict[str, tuple[str, frozenset[Role]]] = {
    "study": (GET, STAFF),
    "study_fieldwork": (GET, STAFF),
    "study_text": (GET, STAFF),
    "preview_study": (GET, STAFF),
    "change_study": (POST, STAFF),
    "open_study": (POST, STAFF),
    "close_study": (POST, STAFF),
    "results": (GET, STAFF),
    "results_csv": (GET, STAFF),
    "results_figure": (GET, STAFF),
    "add_group": (POST, STAFF),
    "remove_group": (POST, STAFF),
    "change_quota": (POST, STAFF),
    "add_study_member": (POST, STAFF),
    "remove_study_member": (POST, STAFF),
}
# A GET takes work or a place: no HEAD.
HANDING_OUT = {"rate", "clean", "adjudicate", "transcribe", "check_transcript", "write", "inspect", "types", "take"}
OWN_PAGES = {**PROJECT_PAGES, **STUDY_PAGES}  # a stranger finds nothing there
OF_BOTH_KINDS = {  # of projects
    "board", "board_csv", "flags", "imports", "releases", "release", "members", "settings", "qualification",
}  # fmt: skip
DOWNLOADS = {
    "item_recording", "recording",
    "agreement_csv", "board_csv", "corpus_leaks_csv", "corpus_refused_csv", "distribution_figure", "distribution_table",
    "duplicate_csv", "export_corpus", "export_ratings", "export_release", "payable_csv", "predictions_csv",
    "predictions_list", "quality_csv", "refused_csv", "release_leaks_csv", "results_csv", "results_figure", "word_list",
}  # fmt: skip

OF_CORPUS = ("corpus", "audit_corpus", "corpus_leaks_csv", "corpus-detail", "corpus-dialogues", "corpus-audit")
OF_CORPUS_IMPORT = ("corpus_import", "store_corpus_import", "corpus_refused_csv")
OF_QUESTIONS = ("question_set", "question-set-detail", "question-set-questions")
OF_RUN = ("run", "cancel_run", "predictions_csv", "predictions_list", "run-detail", "run-predictions")
OF_STUDY = (
    "study", "study_fieldwork", "change_study", "open_study", "close_study", "add_group", "add_study_member",
    "study-detail", "study-fieldwork",
)  # fmt: skip
OF_RESULTS = ("results", "results_csv", "study-results")
API = [
    "api-schema", "project-list", "project-detail", "project-progress", "project-agreement", "project-items",
    "project-reasoning", "project-releases", "project-release", "project-audit", "project-export", "rating-cleaning",
    "rating-cleaning-decisions", "rating-gold", "work-qualification", "work-flags", "rating-quality",
    "work-payable", "rating-ratings", "rating-adjudications", "corpus-list", "corpus-detail", "corpus-dialogues",
    "corpus-audit", "question-set-list", "question-set-detail", "question-set-questions", "run-list", "run-detail",
    "run-predictions", "study-list", "study-detail", "study-fieldwork", "study-results",
]  # fmt: skip
FOR_ALL_STAFF = {  # of the API: nobody's own
    "api-schema", "corpus-list", "corpus-detail", "corpus-dialogues", "corpus-audit",
}  # fmt: skip
LISTS = {"project-list", "question-set-list", "run-list", "study-list"}  # of the API: each answers with what is theirs
