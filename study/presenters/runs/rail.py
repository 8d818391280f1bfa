"""The side navigation of the pages of models and runs: what models can be asked about, then the runs themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.releases.splitting import Split
from core.permissions import AuthenticatedRequest
from core.presenters.navigation import is_at
from study.permissions import runs_of
from study.presenters.runs.words import kind_title, split_title
from study.selectors.runs.runs import IN_THE_QUEUE
from study.selectors.runs.sources import SourceToAsk


@dataclass(frozen=True)
class BodyEntry:
    """A link of the rail; `of` is the whole that a split belongs to, which stands before it where no heading does."""

    label: str
    of: str
    href: str
    is_current: bool
    count: int | None = None


@dataclass(frozen=True)
class BodyGroup:
    label: str
    entries: list[BodyEntry]


def rail_of_runs(request: AuthenticatedRequest, choices: Sequence[SourceToAsk], on: str = "") -> list[BodyGroup]:
    """Return the side navigation; `on` names the body of instances that the page is about."""
    asked = [choice for choice in choices if choice.can_be_asked and choice.count and not _is_for_training(choice)]
    corpora = [choice for choice in asked if choice.kind == "corpus"]
    return [
        *(
            BodyGroup(name, [_split(choice, on) for choice in splits])
            for name, splits in groupby(corpora, key=lambda choice: choice.name.partition(":")[0])
        ),
        *_whole_groups([choice for choice in asked if choice.kind != "corpus"], on),
        BodyGroup(_("Runs"), _runs(request)),
    ]


def _is_for_training(choice: SourceToAsk) -> bool:
    return choice.name.endswith(f":{Split.TRAIN}")


def _split(choice: SourceToAsk, on: str) -> BodyEntry:
    origin, _colon, split = choice.name.partition(":")
    return BodyEntry(split_title(split), origin, _address(choice), choice.name == on, choice.count)


def _whole_groups(asked: Sequence[SourceToAsk], on: str) -> Iterator[BodyGroup]:
    for kind in ("release", "questions", "study"):
        entries = [
            BodyEntry(choice.name, "", _address(choice), choice.name == on, choice.count)
            for choice in asked
            if choice.kind == kind
        ]
        if entries:
            yield BodyGroup(kind_title(kind), entries)


def _address(choice: SourceToAsk) -> str:
    return reverse("models", args=[choice.name])


def _runs(request: AuthenticatedRequest) -> list[BodyEntry]:
    own = runs_of(request.user).order_by()
    in_queue = own.filter(IN_THE_QUEUE).count()
    shows_queue = is_at(request, "runs") and "queue" in request.GET
    return [
        BodyEntry(_("New run"), "", reverse("new_run"), is_at(request, "new_run", "start_run")),
        BodyEntry(_("Queue"), "", f"{reverse('runs')}?queue", shows_queue, in_queue),
        BodyEntry(_("All runs"), "", reverse("runs"), is_at(request, "runs") and not shows_queue, own.count()),
    ]
