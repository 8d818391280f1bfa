"""All models on one body of instances, as a page and as a table."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.permissions import AuthenticatedRequest, requires
from core.presenters.files import csv_download, latex_download
from study.presenters.runs import models_files as files
from study.presenters.runs import models_summary as summary
from study.presenters.runs.models import METRICS_SHOWN, FamilyRows, families_of
from study.presenters.runs.rail import rail_of_runs
from study.selectors.runs.bodies import candidates_on, models_on
from study.selectors.runs.estimates import RunSize
from study.selectors.runs.sources import (
    NoSuchSource,
    Source,
    SourceToAsk,
    every_source,
    offered,
    source_of,
    usual_training,
)


@requires("run.start")
@require_safe
def models(request: AuthenticatedRequest, name: str) -> HttpResponse:
    source, every = _source(request, name), every_source(request.user)
    families, size = _families(request, source, every)
    cuts = summary.cuts_of(families) if source.is_rated else []
    columns = len(METRICS_SHOWN) * (len(cuts) or 1)
    axes = summary.axes_of(families, columns)
    context = {
        "source": source,
        "rail": rail_of_runs(request, offered(every, also=[source.name]), source.name),
        "families": families,
        "axes": axes,
        "first_axes": axes[:: len(METRICS_SHOWN)],  # of each cut
        "size": size,
        "counts": summary.counts_by_state(families),
        "finding": summary.finding_on(families, source),
        "people": [] if source.is_rated else summary.people_on(source.name),
        "tellings": summary.tellings(size.asked),
        "ties": summary.ties_of(families),
        "cuts": cuts,
        "prompts": summary.prompts_of(families),
        "metric_names": METRICS_SHOWN,
        "has_published": summary.published_in(source),
    }
    template = "study/runs/models_rated.html" if source.is_rated else "study/runs/models.html"
    return render(request, template, context)


@requires("run.start")
@require_safe
def models_csv(request: AuthenticatedRequest, name: str) -> HttpResponse:
    source = _source(request, name)
    families, _size = _families(request, source, every_source(request.user))
    return csv_download(files.name_of(source), *files.csv_of(families, is_rated=source.is_rated))


@requires("run.start")
@require_safe
def models_latex(request: AuthenticatedRequest, name: str) -> HttpResponse:
    source = _source(request, name)
    families, size = _families(request, source, every_source(request.user))
    people = [] if source.is_rated else summary.people_on(source.name)
    table = files.latex_of(families, source, size.asked, people, summary.published_in(source))
    return latex_download(files.name_of(source), table)


def _source(request: AuthenticatedRequest, name: str) -> Source:
    try:
        return source_of(name, by=request.user)
    except NoSuchSource as unknown:
        raise Http404 from unknown


def _families(
    request: AuthenticatedRequest, source: Source, every: list[SourceToAsk]
) -> tuple[list[FamilyRows], RunSize]:
    counts = {each.name: each.count for each in every}
    runs = models_on(source, by=request.user)
    train = usual_training(source.name, by=request.user)
    asked = counts.get(source.name) or sum(
        len(instance.candidates) if source.is_rated else 1 for instance in source.read(None)
    )
    size = RunSize(counts.get(train, 0), asked, candidates_on(source, runs))
    return families_of(source, runs, size, counts), size
