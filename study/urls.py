"""Addresses of the pages from questions to results, and of the survey that participants take."""

from django.urls import path

from study.views import demo, questions, results
from study.views.runs import compare, models, runs, start, study_models
from study.views.survey import participate, questionnaire, recruiting, studies, study_setup, way_back

STUDY = "studies/<slug:slug>/"

survey = [  # after the token of a group's link
    path("", participate.take, name="take"),
    path("on/", participate.go_on, name="take_on"),
    path("back/", way_back.back, name="take_back"),
    path("back/renew/", way_back.renew, name="take_renew"),
    path("back/<str:key>/", way_back.back, name="take_back_by"),
    path("own/", participate.own, name="take_own"),
    path("another/", participate.another, name="take_another"),
    path("join/", participate.join, name="take_join"),
    path("about/", participate.about, name="take_about"),
    path("practice/", participate.practice, name="take_practice"),
    path("begin/", participate.begin, name="take_begin"),
    path("questions/", questionnaire.questions, name="take_questions"),
    path("questions/<int:position>/", questionnaire.question, name="take_question"),
    path("questions/<int:position>/others/", questionnaire.others, name="take_others"),
    path("questions/<int:position>/answer/", questionnaire.answer, name="take_answer"),
    path("finish/", questionnaire.finish, name="take_finish"),
    path("withdraw/", participate.withdraw, name="take_withdraw"),
]

urlpatterns = [
    path("demo/", demo.load_demo, name="load_demo"),
    path("runs/", runs.runs, name="runs"),
    path("runs/on/<str:name>/", models.models, name="models"),
    path("runs/on/<str:name>/models.csv", models.models_csv, name="models_csv"),
    path("runs/on/<str:name>/models.tex", models.models_latex, name="models_latex"),
    path("runs/compare/", compare.compare, name="compare_runs"),
    path("runs/compare/compared.csv", compare.compare_csv, name="compare_csv"),
    path("runs/compare/compared.tex", compare.compare_latex, name="compare_latex"),
    path("runs/new/", start.new, name="new_run"),
    path("runs/start/", start.start, name="start_run"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="cancel_run"),
    path("runs/<int:pk>/log.txt", runs.run_log, name="run_log"),
    path("runs/<int:pk>/run.json", runs.run_json, name="run_json"),
    path("runs/<int:pk>/predictions.csv", runs.predictions_csv, name="predictions_csv"),
    path("runs/<int:pk>/predictions.txt", runs.predictions_list, name="predictions_list"),
    path("questions/", questions.question_sets, name="question_sets"),
    path("questions/<slug:name>/", questions.question_set, name="question_set"),
    path("questions/<slug:name>/audit/", questions.audit_questions, name="audit_questions"),
    path("questions/<slug:name>/<int:position>/", questions.revise_question, name="revise_question"),
    path("studies/", studies.studies, name="studies"),
    path("studies/new/", studies.create, name="new_study"),
    path(STUDY, studies.study, name="study"),
    path(STUDY + "fieldwork/", studies.fieldwork, name="study_fieldwork"),
    path(STUDY + "change/", study_setup.change, name="change_study"),
    path(STUDY + "open/", studies.open_, name="open_study"),
    path(STUDY + "close/", studies.close, name="close_study"),
    path(STUDY + "pause/", recruiting.pause, name="pause_joining"),
    path(STUDY + "resume/", recruiting.resume, name="resume_joining"),
    path(STUDY + "groups/<int:pk>/extend/", recruiting.extend, name="extend_quota"),
    path(STUDY + "texts/<str:kind>/", study_setup.text, name="study_text"),
    path(STUDY + "groups/add/", study_setup.add_group, name="add_group"),
    path(STUDY + "groups/<int:pk>/quota/", study_setup.change_quota, name="change_quota"),
    path(STUDY + "groups/<int:pk>/remove/", study_setup.remove_group, name="remove_group"),
    path(STUDY + "people/add/", study_setup.add_member, name="add_study_member"),
    path(STUDY + "people/<int:pk>/remove/", study_setup.remove_member, name="remove_study_member"),
    path(STUDY + "preview/<str:step>/", studies.preview, name="preview_study"),
    path(STUDY + "results/", results.results, name="results"),
    path(STUDY + "models/", study_models.study_models, name="study_models"),
    path(STUDY + "models/models.csv", study_models.study_models_csv, name="study_models_csv"),
    path(STUDY + "models/models.tex", study_models.study_models_latex, name="study_models_latex"),
    path(STUDY + "models/run/", study_models.run_models, name="run_study_models"),
    path(STUDY + "results.csv", results.results_csv, name="results_csv"),
    path(STUDY + "results/figure.<str:format>", results.results_figure, name="results_figure"),
]
