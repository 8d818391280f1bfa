"""Releases for other apps: one of the modules that study may import from annotation."""

import json
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from django.db.models import Count, Max, Q, QuerySet

from annotation.domain.releases.plus import SAFE_REPLIES, with_safe_reply
from annotation.domain.releases.splitting import split_sizes
from annotation.domain.workflow import AWAITING_TRANSCRIPTION, AssignmentState, ItemState
from annotation.exporters import EXPORTERS, FORMATS, HEADS, LEFT_OUT
from annotation.exporters.card import data_card
from annotation.models import Kind, Project, Release
from annotation.models.items import WITHOUT_TEXT
from annotation.permissions import projects_of
from annotation.selectors.inspection.inspections import not_inspected
from core.domain.text import timestamp
from core.domain.transitions import JobState
from core.exporters.zips import write_zip
from core.models import Event, Job, User
from core.models.scoped import scope_of

LONGEST_NUMBER = 9  # digits
UNFINISHED = (*AWAITING_TRANSCRIPTION, ItemState.OPEN, ItemState.WRITTEN, ItemState.RETURNED)


def named(name: str, *, by: User) -> Release:
    """Return the release SLUG@NUMBER, or the newest of SLUG, if the person may use it.

    Raises Release.DoesNotExist.
    """
    slug, at, number = name.partition("@")
    releases = Release.objects.select_related("project").filter(
        project__in=projects_of(by, "release.read"), project__slug=slug
    )
    if not at:
        return releases.latest("number")
    is_number = number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER
    return releases.get(number=int(number) if is_number else -1)


def all_of(by: User) -> QuerySet[Release]:
    """Return the releases of a person's projects, the newest first."""
    found = Release.objects.filter(project__in=projects_of(by, "release.read")).select_related("project")
    return found.defer("statistics", "agreement").order_by("-frozen_at", "-pk")


def names_of(by: User) -> list[str]:
    """Return the names of the releases of a person's projects, the newest first."""
    return [str(release) for release in all_of(by)]


def holds_pairs(release: Release) -> bool:
    """Tell whether the release holds rated pairs, and no instances."""
    return bool(release.project.kind == Kind.RATING)


def instances_of(release: Release, variant: str = "") -> Generator[dict[str, Any], None, None]:
    """Yield the release's instances, or those of a variant, in their canonical order.

    Close the generator if you leave it before its end.
    """
    contents = release.instances.order_by("position").values_list("content", flat=True).iterator(chunk_size=2_000)
    if not variant:
        yield from contents
        return
    replies = release.variants[variant]["safe_replies"]
    yield from (dict(with_safe_reply(content, replies, release.seed)) for content in contents)


def size_of(release: Release, split: str = "") -> int:
    """Return the number of instances, optionally of one split."""
    size: int = release.counts["splits"].get(split, 0) if split else release.counts["instances"]
    return size


def formats_of(project: Project) -> tuple[str, ...]:
    """Return the formats in which a release of the project can be written."""
    return FORMATS[project.kind]


def left_out(release: Release, *, format: str) -> Counter[str]:
    """Count the instances that do not fit into a format, by reason."""
    reason_of = LEFT_OUT.get(format)
    reasons = (reason_of(instance) for instance in instances_of(release)) if reason_of else ()
    return Counter(reason for reason in reasons if reason)


def write(release: Release, *, format: str, variant: str = "", folder: Path) -> list[Path]:
    """Write the release, or a variant of it, in one format, with manifest and data card, and return the paths.

    The same release gives the same bytes.
    """
    about = manifest_of(release, variant)
    with closing(instances_of(release, variant)) as instances:  # closed also if the folder is not writable
        files: list[Path] = EXPORTERS[format](instances, folder, about)
    manifest, card = folder / "release.json", folder / "README.md"
    text = json.dumps(about, ensure_ascii=False, indent=2, sort_keys=True)
    manifest.write_text(f"{text}\n", encoding="utf-8")
    head = HEADS[format](about) if format in HEADS else ""
    card.write_text(head + data_card(about), encoding="utf-8")
    return [*files, manifest, card]


def zipped(release: Release, *, format: str, variant: str = "") -> IO[bytes]:
    """Return the release in one zip: an open temporary file, at its beginning, that is deleted when it is closed."""
    archive = TemporaryFile()  # noqa: SIM115 - closed by the caller, after sending
    with TemporaryDirectory() as folder:
        files = write(release, format=format, variant=variant, folder=Path(folder))
        write_zip(files, Path(folder), archive)
    archive.seek(0)
    return archive


def manifest_of(release: Release, variant: str = "") -> dict[str, Any]:
    """Return the manifest of a release or variant: enough to cite it and to make it again, without people."""
    of_variant = {"variant": variant, **release.variants[variant]} if variant else {}
    return {
        "release": str(release),
        "title": release.project.title,
        "kind": release.project.kind,
        "checksum": release.checksum,
        "frozen_at": timestamp(release.frozen_at),
        "seed": release.seed,
        "settings": release.settings,
        "source_licence": release.project.source_licence,
        "guidelines": _guidelines(release),
        **({"annotators": release.annotators} if release.annotators else {}),
        "counts": release.counts,
        "statistics": release.statistics,
        "agreement": release.agreement,
        **of_variant,
    }


def _guidelines(release: Release) -> list[dict[str, Any]]:
    """Return the guideline versions of the release's grades or texts, each with its number of them, and its words.

    A release that was frozen before this was counted has all versions, with None for the number.
    """
    counted = "ratings" if release.project.kind == Kind.RATING else "instances"
    ratings = release.counts.get("guidelines")
    versions = release.project.guidelines.filter(created_at__lte=release.frozen_at).order_by("number")
    return [
        {
            "number": version.number,
            "created_at": timestamp(version.created_at),
            counted: None if ratings is None else ratings[str(version.number)],
            **{part: words for part, words in version.content.items() if part != "prompt"},
            **({"why": version.why} if version.why else {}),
        }
        for version in versions
        if ratings is None or str(version.number) in ratings
    ]


def safe_replies(project: Project) -> list[str]:
    """Return the safe replies of the project's newest release that has any; else the built-in ones."""
    known = project.releases.exclude(variants={}).values_list("variants", flat=True).first()
    return list(known["plus"]["safe_replies"] if known else SAFE_REPLIES)


def next_number(project: Project) -> int:
    return (project.releases.aggregate(Max("number"))["number__max"] or 0) + 1


def freezing_job(project: Project) -> Job | None:
    """Return the job that freezes a release of the project, or the last one that tried."""
    return Job.objects.filter(**scope_of(project), kind="freeze_release").first()


def releases_of(project: Project) -> list[tuple[Release, int]]:
    """Return the releases, the newest first, each with the number of the first release with the same content."""
    releases = list(project.releases.select_related("project", "frozen_by").defer("statistics", "agreement"))
    first = {release.checksum: release.number for release in releases}  # the oldest comes last
    return [(release, first[release.checksum]) for release in releases]


def equal_before(release: Release) -> Release | None:
    """Return the first of the project's earlier releases with the same content."""
    earlier = Release.objects.filter(project=release.project_id, checksum=release.checksum, number__lt=release.number)
    return earlier.order_by("number").first()


@dataclass(frozen=True)
class ReleaseProspect:
    """The content of a release frozen now. `splits` are numbers of `prompts`, or of conversations."""

    number: int
    kept: int
    left_out: dict[str, int]
    prompts: int
    not_inspected: int  # kept instances of a rewriting project

    @property
    def all(self) -> int:
        return self.kept + sum(self.left_out.values())

    @property
    def splits(self) -> dict[str, int]:
        return {str(split): prompts for split, prompts in split_sizes(self.prompts).items()}


def prospect_of(project: Project) -> ReleaseProspect:
    kept, left_out = kept_and_left_out(project)
    prompts = project.items.to_release().aggregate(prompts=Count("group", distinct=True))["prompts"]
    unseen = not_inspected(project) if project.kind == Kind.REWRITING else 0
    return ReleaseProspect(next_number(project), kept, left_out, prompts, unseen)


def kept_and_left_out(project: Project) -> tuple[int, dict[str, int]]:
    """Return the number of items of a release frozen now, and the numbers left out by reason.

    `open` and `removed` are always there, other reasons only where there are such items.
    """
    found = project.items.work().values_list("state").annotate(all=Count("pk"), bare=Count("pk", filter=WITHOUT_TEXT))
    states = Counter[str]()
    textless = 0
    for state, number, bare in found:
        states[state] = number
        textless += bare if state == ItemState.KEPT else 0
    kept = states[ItemState.KEPT] - textless
    seldom = {
        str(ItemState.DISPUTED): states[ItemState.DISPUTED],
        str(ItemState.CLEANED): states[ItemState.CLEANED],
        "without_text": textless,
    }
    always = {
        str(ItemState.OPEN): sum(states[state] for state in UNFINISHED),
        str(ItemState.REMOVED): states[ItemState.REMOVED],
    }
    return kept, always | {why: number for why, number in seldom.items() if number}


def unchanged_since(release: Release, prospect: ReleaseProspect) -> Release | None:
    """Return the release if freezing now with its seed would certainly give the same content; else None.

    Every change to a kept pair or instance is in the audit log; it is read from the time when the release's job began
    to read. A release frozen without a job left no such mark.
    """
    is_as_large = (release.counts["instances"], release.counts["left_out"]) == (prospect.kept, prospect.left_out)
    if release.job_id is None or not is_as_large:
        return None
    began = Event.objects.filter(subject="job", subject_id=release.job_id, became=JobState.RUNNING).latest("pk")
    since = Event.objects.filter(**scope_of(release.project), pk__gt=began.pk)
    changed = Q(became__in=("grade changed", "model grades imported"))
    choices = Q(subject="typechoice") | Q(subject="assignment", became=AssignmentState.VOIDED)
    return None if since.filter(Q(subject="item") | changed | choices).exists() else release
