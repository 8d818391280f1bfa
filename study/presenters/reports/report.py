"""A report written as the files of a folder that opens without a server, in the language of its study."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, override

from core.actions.jobs import ProgressReport
from core.exporters import csv
from study.actions.reports import WrittenReport
from study.domain.reports import PEOPLE, STYLE, ReportedFile
from study.domain.results.labels import SAYS
from study.domain.results.small_groups import small_groups, without_groups
from study.exporters import study_tables
from study.figures import Panel, draw_people_and_models
from study.models import Report, Study
from study.presenters.reports.checklist import ChecklistItem, checklist_of
from study.presenters.reports.deviations import ReportedDeviation, reported
from study.presenters.reports.figure_tables import in_context
from study.presenters.reports.methods import methods_of, provisional
from study.presenters.reports.report_table import ReportTable
from study.presenters.reports.tables import tables_of
from study.presenters.results.finding import finding_of
from study.presenters.results.results import corpora_of
from study.presenters.results.results_files import csv_header, csv_rows, panels_of, panels_of_contexts
from study.presenters.results.run_names import models_in
from study.selectors.reports.facts import ReportFacts, facts_of
from study.selectors.reports.reports import tables_to_publish
from study.selectors.survey.plans import TEXTS, members_of

SHEETS = ("tokens.css", "components.css", "app.css", "report.css")
DATA_FILES = {
    "data/answers.csv": gettext_lazy("A row for each answer, with people under random ids."),
    "data/people.csv": gettext_lazy(
        "A row for each person. What people say about themselves is only in the table of people."
    ),
    "data/questions.csv": gettext_lazy("The questions with their true lines."),
    "data/codebook.csv": gettext_lazy("What each column of these files means."),
    "tables/results.csv": gettext_lazy("Every cell of the results with every interval."),
}
FIGURES = {"people-models": panels_of, "contexts": panels_of_contexts}


def write_report(study: Study, report: ProgressReport) -> WrittenReport:
    """Write the files of a report from what the database holds now; `report` is told of the figures."""
    with override(study.language):
        facts = _to_publish(facts_of(study, report))
        found = _findings(facts)
        methods, tables = methods_of(facts), tables_of(facts)
        checklist, deviations = checklist_of(facts), reported(facts)
        figures = {name: tuple(panels) for name, of in FIGURES.items() if (panels := of(facts.found))}
        files = [
            *_figure_files(figures),
            *_table_files(facts, tables),
            *_text_files(facts, found, methods, checklist, deviations),
            *_data_files(facts),
            *_style_files(),
        ]
        context = {
            "study": study,
            "title": title_of(facts),
            "members": _(", ").join(member.name or member.username for member in members_of(study)),
            "facts": facts,
            "provisional": provisional(facts),
            "findings": found,
            "methods": methods,
            "figures": [(name, CAPTIONS[name](facts.found)) for name in figures],
            "tables": tables,
            "checklist": checklist,
            "filled": sum(bool(item.told) for item in checklist),
            "blank": sum(not item.told for item in checklist),
            "deviations": deviations,
            "opened": _day(study.opened_at),
            "closed": _day(study.closed_at),
            "people_files": {name: told for name, told in DATA_FILES.items() if name in PEOPLE},
            "other_files": {name: told for name, told in DATA_FILES.items() if name not in PEOPLE},
            "sums": {file.name: file.checksum for file in files if file.name in PEOPLE},
        }
    return WrittenReport(files, lambda frozen: _page(context, frozen), _summary(facts))


CAPTIONS = {
    "people-models": lambda found: in_context(
        found,
        _(
            "R@1, %, with 95 % intervals. Circles: people; squares: models; hollow: published, on other questions. "
            "Dashed: chance. The numbers are in table 1."
        ),
    ),
    "contexts": lambda found: _(
        "R@1, %, with whole and altered context, over all corpora. The numbers are in the table of contexts."
    ),
}


def title_of(facts: ReportFacts) -> str:
    """Return the title: that of the study, with how many people, models and questions."""
    people = ngettext("%(n)s person", "%(n)s people", facts.counted) % {"n": f"{facts.counted:,}"}
    models = len(models_in(facts.found["models"]))
    beside = ngettext("%(n)s model", "%(n)s models", models) % {"n": models}
    questions = facts.found["questions"]
    asked = ngettext("%(n)s question", "%(n)s questions", questions) % {"n": f"{questions:,}"}
    said = {"title": facts.study.title, "people": people, "models": beside, "questions": asked}
    if not models:
        return _("%(title)s: %(people)s on %(questions)s") % said
    return _("%(title)s: %(people)s and %(models)s on %(questions)s") % said


def _page(context: dict[str, Any], frozen: Report) -> bytes:
    with override(frozen.language):
        shown = {**context, "report": frozen, "frozen": f"{frozen.frozen_at:%Y-%m-%d %H:%M}"}
        return render_to_string("study/reports/folder.html", shown).encode()


def _day(moment: datetime | None) -> str:
    """Return the day in UTC, "" for none: files have no person's time zone."""
    return f"{moment:%Y-%m-%d}" if moment else ""


def _summary(facts: ReportFacts) -> dict[str, Any]:
    study, found = facts.study, facts.found
    return {
        "study": study.slug,
        "title": study.title,
        "plan": study.plan_checksum or None,
        "question_sets": [{"name": each.name, "checksum": each.checksum} for each in facts.sets],
        **{name: found[name] for name in ("people", "questions", "answers", "still_answering")},
    }


def _findings(facts: ReportFacts) -> list[str]:
    """Return the sentences of the results page as HTML: over all corpora, then on each."""
    corpora = corpora_of(facts.found)
    shown = [None, *corpora] if len(corpora) > 1 else [corpora[0] if corpora else None]
    found = [(corpus, finding_of(facts.found, corpus, facts.compared)) for corpus in shown]
    sentences = [
        render_to_string("study/results/_finding_sentence.html", {"finding": finding, "corpus": corpus})
        for corpus, finding in found
        if finding
    ]
    reasons = [
        render_to_string("study/results/_finding_interval.html", {"cell": finding.cell})
        for _corpus, finding in found
        if finding and (not finding.cell["headline"] or finding.cell["flag"])
    ]
    return [*sentences, *dict.fromkeys(reasons), *_agreement(facts.found["experts"])]


def _agreement(experts: dict[str, Any] | None) -> Iterator[str]:
    """Yield how far experts agree; nothing where no one is signed in, or nothing tells it."""
    if experts and experts["kendall_w"] is not None:
        low, high = experts["kendall_w_ci"] or (None, None)
        said = {
            "count": len(experts["each"]),
            "questions": f"{experts['questions']:,}",
            "w": f"{experts['kendall_w']:.2f}",
            "ends": "" if low is None else _(" ({ends})").format(ends=f"{low:.2f}–{high:.2f}"),
        }
        yield _("Kendall's W of %(count)s experts, mean over %(questions)s questions: %(w)s%(ends)s.") % said


def _figure_files(figures: Mapping[str, Sequence[Panel]]) -> Iterator[ReportedFile]:
    for name, panels in figures.items():
        for suffix, is_narrow, format in (("", False, "svg"), ("-narrow", True, "svg"), ("", False, "pdf")):
            drawn = draw_people_and_models(
                panels, axis=_("R@1, %"), chance=_("chance"), theme="light", is_narrow=is_narrow, format=format
            )
            yield ReportedFile(f"figures/{name}{suffix}.{format}", drawn)


def _to_publish(facts: ReportFacts) -> ReportFacts:
    """Return the facts without derived groups of few people: a report cannot take back what it told of one of them."""
    small = small_groups(facts.found["cells"], [group.name for group in facts.study.survey.derived_groups])
    cleared = {name: without_groups(getattr(facts, name), small) for name in ("found", "compared", "times")}
    return replace(facts, **cleared) if small else facts


def _table_files(facts: ReportFacts, tables: Sequence[ReportTable]) -> Iterator[ReportedFile]:
    for table in tables:
        yield ReportedFile(f"tables/{table.key}.csv", table.as_csv())
        yield ReportedFile(f"tables/{table.key}.tex", table.as_latex())
    looks = [row for row in facts.found["looks"] if not row["label"].startswith(SAYS)]  # some are of few people
    found = {**facts.found, "looks": looks, "experts": None}  # a row of one person would outlast their withdrawal
    yield ReportedFile("tables/results.csv", _csv(csv_header(found), csv_rows(found)))


def _text_files(
    facts: ReportFacts,
    findings: Sequence[str],
    methods: Sequence[str],
    checklist: Sequence[ChecklistItem],
    deviations: Sequence[ReportedDeviation],
) -> Iterator[ReportedFile]:
    told = [" ".join(unescape(strip_tags(finding)).split()) for finding in findings]
    yield ReportedFile("texts/finding.txt", _text([title_of(facts), *told]))
    yield ReportedFile("texts/methods.txt", _text(methods))
    items = ([item.number, item.about, item.told] for item in checklist)
    yield ReportedFile("texts/checklist.csv", _csv(("item", "about", "told"), items))
    rows = ([each.day, each.what, each.why] for each in deviations)
    yield ReportedFile("texts/deviations.csv", _csv(("day", "what", "why"), rows))
    for kind in TEXTS:  # answers from elsewhere have none
        if shown := facts.study.texts.filter(kind=kind, language=facts.study.language).first():
            yield ReportedFile(f"texts/{kind}.txt", _text([shown.text]))


def _text(paragraphs: Sequence[str]) -> bytes:
    return ("\n\n".join(paragraphs) + "\n").encode()


def _csv(header: Sequence[str], rows: Iterator[list[Any]]) -> bytes:
    return b"".join(csv.lines(header, rows))


def _data_files(facts: ReportFacts) -> Iterator[ReportedFile]:
    with TemporaryDirectory() as folder:
        for table in tables_to_publish(facts.study, facts.given):
            path = study_tables.write(table, Path(folder), "csv")
            yield ReportedFile(f"data/{path.name}", path.read_bytes())


def _style_files() -> Iterator[ReportedFile]:
    css: Path = settings.BASE_DIR / "static" / "css"
    for path in [*(css / name for name in SHEETS), *sorted((css / "fonts").iterdir())]:
        yield ReportedFile(STYLE + path.relative_to(css).as_posix(), path.read_bytes())
