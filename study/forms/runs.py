"""Form to run a model: which one, on what, its training material, its settings and its seeds."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.domain.releases.splitting import Split
from core.domain.draws import LARGEST_SEED
from core.domain.transitions import JobState
from core.domain.wording import ChoiceError
from core.forms.fields import field_of
from core.forms.lists import Column, NamedListForm
from core.models.people import User
from study.baselines.ablation import ALL, FIRST, SHUFFLE, USUAL_ABLATIONS, is_ablation
from study.baselines.base import Baseline, Requirement
from study.baselines.registry import BASELINES
from study.baselines.settings import ON_DEV, Setting
from study.models.runs import LABEL
from study.selectors.runs.sources import SourceToAsk, every_source, offered, usual_dev, usual_training
from study.selectors.runs.weights import weights_names

STATES: dict[str, str | Promise] = {
    "": _("all states"),
    JobState.QUEUED: _("queued"),
    JobState.RUNNING: _("running"),
    JobState.DONE: _("done"),
    JobState.FAILED: _("failed"),
    JobState.CANCELLED: _("cancelled"),
}
ORDERS: dict[str, str | Promise] = {
    "": _("newest first"),
    "made": _("oldest first"),
    "model": _("by model"),
    "on": _("by instances"),
}
KINDS: dict[str, str | Promise] = {
    "study": _("Studies"),
    "questions": _("Question sets"),
    "corpus": _("Corpora"),
    "release": _("Releases"),
}
USUAL_MODEL = "tfidf"
DEVICES = [("auto", _("what the machine has")), ("cpu", "CPU"), ("cuda", "GPU")]
MOST_SEEDS = 10
LEAVE, KEEP = "leave", "keep"  # what to do with training material that the model is asked about
OVERLAPS = [
    (LEAVE, _("Leave it out of the training")),
    (KEEP, _("Train on all; also show figures without the overlap")),
]
NONE = "-"  # dev material that is left out on purpose

Groups = list[tuple[str | Promise, list[tuple[str, str]]]]


class RunFilter(NamedListForm):
    """Filters of the runs. They are in a table for each body of instances, so that no head of a column sorts them."""

    COLUMNS = {"made": Column(_("Run"), highest_first=True), "model": Column(_("Model")), "on": Column(_("Instances"))}
    ALWAYS_SHOWN = field_order = ("search", "state", "sort")

    state = forms.ChoiceField(
        required=False, choices=[*STATES.items()], label=_("State"), widget=forms.Select({"class": "input"})
    )
    sort = forms.ChoiceField(
        required=False, choices=[*ORDERS.items()], label=_("Order"), widget=forms.Select({"class": "input"})
    )


class SeedsField(forms.CharField):
    """Whole numbers with spaces or commas between them, each once."""

    def clean(self, value: Any) -> list[int]:
        words = super().clean(value).replace(",", " ").replace("，", " ").split()
        if not all(word.isascii() and word.isdecimal() and int(word) <= LARGEST_SEED for word in words):
            raise ValidationError(_("Seeds are whole numbers from 0, separated by spaces: 0 1 2."))
        seeds = list(dict.fromkeys(map(int, words)))
        if len(seeds) > MOST_SEEDS:
            raise ValidationError(_("At most %(most)s seeds at a time.") % {"most": MOST_SEEDS})
        return seeds


class SentOnceForm(forms.Form):
    """A form that starts runs once, however often it is sent: its page draws the key."""

    key = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)


def key_of(sent: Mapping[str, Any]) -> UUID | None:
    """Return the key that a page sent; None for one that is no key."""
    form = SentOnceForm(sent)
    form.is_valid()
    return form.cleaned_data.get("key")


class RunForm(SentOnceForm):
    """A run, or one for each seed. The settings of the chosen model are fields that begin with `set_`."""

    model = forms.ChoiceField(label=_("Model"), widget=forms.RadioSelect, initial=USUAL_MODEL)
    weights = forms.ChoiceField(
        label=_("Weights folder"),
        required=False,
        help_text=_(
            "Folders that an administrator has put into WEIGHTS_DIR; the folder is checked before the run is queued."
        ),
    )
    on = forms.ChoiceField(
        label=_("Test on"), error_messages={"required": _("Choose the material that the model is tested on.")}
    )
    train = forms.ChoiceField(label=_("Train it on"), required=False)
    dev = forms.ChoiceField(label=_("Choose the best settings on"), required=False)
    overlap = forms.ChoiceField(
        label=_("What to do with the overlap"),
        choices=OVERLAPS,
        widget=forms.RadioSelect,
        required=False,
        initial=LEAVE,
    )
    ablations = forms.MultipleChoiceField(
        label=_("After training, ask again with"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("What a model still gets right without the context can be read off the candidates."),
    )
    device = forms.ChoiceField(label=_("Runs on"), choices=DEVICES, required=False, initial="auto")
    seeds = SeedsField(
        label=_("Seeds"),
        initial="0",
        help_text=_("One run per seed. With one seed, the variation between seeds is unknown."),
        error_messages={"required": _("Seeds are whole numbers from 0, separated by spaces: 0 1 2.")},
    )
    label = forms.CharField(
        label=_("Label"), required=False, max_length=LABEL, help_text=_("A note to recognise this run in the tables.")
    )

    def __init__(self, *args: Any, person: User, sources: Sequence[SourceToAsk] | None = None, **kwargs: Any) -> None:
        """Read all `sources` of the person unless they are given."""
        super().__init__(*args, **kwargs)
        self.person, self.sources = person, every_source(person) if sources is None else sources
        sent = self.data if self.is_bound else self.initial
        self.choices = offered(self.sources, also=[str(sent.get(name)) for name in ("on", "train", "dev")])
        asked = [choice for choice in self.choices if choice.can_be_asked and choice.count]
        self.has_choices = bool(asked)
        models = [(key, gettext(each.title)) for key, each in BASELINES.items()]
        field_of(self, "model", forms.ChoiceField).choices = models
        field_of(self, "on", forms.ChoiceField).choices = _grouped(asked)
        self.fields["on"].initial = usual(asked)
        beside = ("", _("the same source's train split"))
        field_of(self, "train", forms.ChoiceField).choices = [beside, *_grouped(self.choices)]
        dev = [("", _("the dev split of the training source")), (NONE, _("nothing")), *_grouped(self.choices)]
        field_of(self, "dev", forms.ChoiceField).choices = dev
        named = [(name, name) for name in weights_names()]
        field_of(self, "weights", forms.ChoiceField).choices = [("", _("choose a folder")), *named]
        chosen = field_of(self, "ablations", forms.MultipleChoiceField)
        given = chosen.widget.value_from_datadict(self.data, self.files, "ablations") if self.is_bound else None
        names = dict.fromkeys([*USUAL_ABLATIONS, *filter(is_ablation, given or self.initial.get("ablations", ()))])
        chosen.choices = [(name, ablation_title(name)) for name in names]
        self.kind = self._kind()
        for setting in self.declared:
            is_server = self.asks_a_server and setting.name == "server"
            self.fields[f"set_{setting.name}"] = _server_field() if is_server else _setting_field(setting)

    def _kind(self) -> type[Baseline] | None:
        """Return the chosen model, before anything is checked."""
        chosen = self.data.get("model") if self.is_bound else self.get_initial_for_field(self.fields["model"], "model")
        return BASELINES.get(str(chosen))

    @property
    def declared(self) -> tuple[Setting, ...]:
        return self.kind.declares if self.kind else ()

    @property
    def learns(self) -> bool:
        return self.kind is not None and Requirement.TRAIN in self.kind.needs

    @property
    def uses_dev(self) -> bool:
        return self.kind is not None and self.kind.uses_dev

    @property
    def asks_a_server(self) -> bool:
        return self.kind is not None and Requirement.SERVER in self.kind.needs

    @property
    def needs_weights(self) -> bool:
        return self.kind is not None and Requirement.WEIGHTS in self.kind.needs

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        on = typed.get("on")
        typed["settings"] = self._settings(typed)
        if on and self.learns and not typed.get("train"):
            typed["train"] = usual_training(on, by=self.person, among=self.sources)
            if not typed["train"]:
                self.add_error("train", ValidationError(_("The same source has no train split. Choose one here.")))
        typed["train"] = typed.get("train", "") if self.learns else ""
        if on and self.uses_dev and not typed.get("dev"):
            typed["dev"] = usual_dev(on, typed["train"], by=self.person, among=self.sources)
        typed["dev"] = "" if typed.get("dev") == NONE or not self.uses_dev else typed.get("dev", "")
        if self.needs_weights and not typed.get("weights"):
            self.add_error("weights", ValidationError(_("Name the folder that holds the weights of this model.")))
        return typed

    def _settings(self, typed: dict[str, Any]) -> dict[str, Any]:
        """Return the settings that are not the defaults, each read by its own limits."""
        given = {}
        for setting in self.declared:
            name = f"set_{setting.name}"
            value = typed.pop(name, "")
            if value in ("", None):
                continue
            try:
                read = setting.read(value)
            except ChoiceError as wrong:
                self.add_error(name, ValidationError(gettext(wrong.sentence) % wrong.params))
                continue
            if read != setting.default:
                given[setting.name] = read
        return given

    def plan(self) -> dict[str, Any]:
        """Return what a run is asked for with, but its seed."""
        names = ("model", "on", "train", "dev", "settings", "label", "ablations")
        weights = {"weights": self.cleaned_data["weights"]} if self.needs_weights else {}
        return {
            **{name: self.cleaned_data[name] for name in names},
            "device": self.cleaned_data["device"] or "auto",
            "leaves_out_overlap": self.learns and self.cleaned_data["overlap"] == LEAVE,
            **weights,
        }


def ablation_title(name: str) -> str:
    """Return what is done to the contexts, for people."""
    if name == ALL:
        return gettext("no context")
    if name == SHUFFLE:
        return gettext("turns shuffled")
    count = int(name.removeprefix(FIRST))
    return ngettext("the earliest turn removed", "the earliest %(n)s turns removed", count) % {"n": count}


def spelled(value: Any) -> str:
    """Return a setting's value as it is typed; a default that is chosen on dev is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _setting_field(setting: Setting) -> forms.Field:
    initial = spelled(setting.default)
    if setting.options:
        chosen_on_dev = [("", ON_DEV)] if setting.is_chosen_on_dev else []
        choices = [*chosen_on_dev, *((option, option) for option in setting.options)]
        return forms.ChoiceField(choices=choices, required=False, initial=initial)
    if isinstance(setting.default, bool):
        return forms.ChoiceField(choices=[("true", _("on")), ("false", _("off"))], required=False, initial=initial)
    widget = forms.TextInput(attrs={"placeholder": ON_DEV} if setting.is_chosen_on_dev else {})
    return forms.CharField(required=False, initial=initial, widget=widget)


def _server_field() -> forms.ChoiceField:
    """Return a choice of the servers that may be asked; the first is the default."""
    names = list(settings.CHAT_SERVERS)
    choices = [(name, name) for name in names] or [("", gettext("none is set up"))]
    return forms.ChoiceField(choices=choices, required=False, initial=choices[0][0])


def usual(asked: list[SourceToAsk]) -> str:
    """Return the default source to ask about: the newest questions, or a corpus's dev split."""
    ordered = sorted(asked, key=lambda choice: not choice.name.endswith(f":{Split.DEV}") and ":" in choice.name)
    return ordered[0].name if ordered else ""


def _grouped(choices: Iterable[SourceToAsk]) -> Groups:
    by_kind = groupby(choices, key=lambda choice: choice.kind)
    return [(KINDS[kind], [(each.name, _label(each)) for each in group]) for kind, group in by_kind]


def _label(choice: SourceToAsk) -> str:
    return f"{choice.name} ({number_format(choice.count, force_grouping=True)})"
