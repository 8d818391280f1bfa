"""Names of models, of the parts of a corpus and of kinds of material, as pages show them."""

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.splitting import Split
from study.baselines.catalogue import FAMILIES, UPLOADED
from study.baselines.registry import BASELINES
from study.forms.runs import KINDS
from study.models import Run
from study.selectors.runs.runs import made_with

TITLES = {key: title for family in FAMILIES for key, title in family.models.items()}
SPLITS: dict[str, str | Promise] = {Split.TRAIN: _("Train"), Split.DEV: _("Dev"), Split.TEST: _("Test"), "": _("All")}


TYPES: dict[str, str | Promise] = {
    "attitude": _("Attitude"),
    "algebraic": _("Algebraic"),
    "intention": _("Intention prediction"),
    "situation": _("Situation"),
    "multi_fact": _("Multi-fact"),
    "other": _("Other"),
    "unsure": _("Unsure"),
}


def type_title(name: str) -> str:
    """Return the name of a reasoning type."""
    return str(TYPES.get(name, name))


def title_of(model: str) -> str:
    """Return the name of a model on pages; its key when no model has it."""
    title = BASELINES[model].title if model in BASELINES else TITLES.get(model, model)
    return gettext(title)


def models_titled(search: str) -> list[str]:
    """Return the models in whose name on pages, or key, these letters are."""
    known = {*BASELINES, *TITLES}
    return [model for model in known if search.casefold() in f"{model} {title_of(model)}".casefold()]


def name_of(model: str, made_with: str = "", label: str = "") -> str:
    """Return what a run is called wherever it is named: the model, what it is made with, and what people call it."""
    if model == UPLOADED and label:
        return label
    name = title_of(model)
    if made_with:
        name = gettext("%(model)s: %(made_with)s") % {"model": name, "made_with": made_with}
    return f"{name} · {label}" if label else name


def run_name(run: Run) -> str:
    return name_of(run.model, made_with(run), run.label)


def kind_title(kind: str) -> str:
    return str(KINDS[kind])


def split_title(split: str) -> str:
    return str(SPLITS.get(split, split))
