"""The tables of a report."""

from study.presenters.reports import difference_table, figure_tables, people_tables
from study.presenters.reports.report_table import ReportTable
from study.selectors.reports.facts import ReportFacts

TABLES = (
    figure_tables.people_and_models,
    difference_table.differences,
    figure_tables.exclusion_rules,
    figure_tables.contexts,
    people_tables.outcomes,
    people_tables.about_people,
    people_tables.times,
)


def tables_of(facts: ReportFacts) -> list[ReportTable]:
    """Return the tables of a report, in their order and without empty ones."""
    return [table for make in TABLES if not (table := make(facts)).is_empty]
