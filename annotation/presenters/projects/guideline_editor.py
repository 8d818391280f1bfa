"""Context of the editor of a rating project's guideline, for its template and its script."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.forms import BoundField
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.rating.guideline import Guideline, complete, texts_of
from annotation.domain.rating.guideline_changes import texts_before
from annotation.domain.rating.reading import ReadingTime, reading_time
from annotation.domain.rewriting.versions import Change, Piece, difference
from annotation.forms.projects.guideline import HTML_LANGUAGES, GradeRow, GuidelineForm, TypeRow
from annotation.models import GuidelineDraft, GuidelineVersion, Project
from annotation.presenters import drafts
from annotation.presenters.projects.guideline_page import changed_texts, common, shown
from annotation.presenters.rating import REASON_KEYS
from annotation.selectors.projects.guidelines import GuidelineUses, uses_of
from core.actions.refusals import Refused
from core.models import User


@dataclass(frozen=True)
class EditedType:
    """A type in the editor: the key that raters press for it, how often it was given, and whether it is new."""

    row: TypeRow
    key: str
    uses: int
    is_new: bool
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class EditedGrade:
    """A grade in the editor, how often it was given, and at which end of the scale it is."""

    row: GradeRow
    uses: int
    types: list[EditedType]
    is_lowest: bool
    is_highest: bool

    @property
    def label(self) -> str:
        return shown(self.row.grade)


def editor(
    project: Project,
    versions: Sequence[GuidelineVersion],
    form: GuidelineForm,
    *,
    draft: GuidelineDraft | None,
    seen: int | None,
    has_grades: bool,
) -> dict[str, Any]:
    """Return the context of annotation/projects/guideline.html.

    The form has what is on the page, which the preview shows as raters would see it. `draft` is what is stored of it,
    `seen` the number of the version that it began from.
    """
    uses, rows, newest = uses_of(project), list(form.grades()), versions[0]
    in_force, content = complete(newest.content), form.content
    was = texts_before(in_force, content)
    known = {kind["key"] for guide in in_force["grades"] for kind in guide["types"]}
    is_edited = content != in_force
    return {
        **common(project, versions, uses),
        "form": form,
        "guideline": with_new_words_marked(content, was),
        "changed": _changed(content, was),
        "reading": {
            f"prose-{key}": _said(reading_time(str(text), key), key) if text else ""
            for key, text in content["prose"].items()
        },
        "is_edited": is_edited,
        "draft": draft if draft and (is_edited or draft.why) else None,
        "revision": draft.revision if draft else 0,
        "changes": changed_texts(in_force, content),
        "since": newest.number,
        "seen": newest.number if seen is None else seen,
        "is_outdated": seen is not None and seen < newest.number,
        "number_after": newest.number + 2,
        "has_grades": has_grades,
        "grades": [
            EditedGrade(row, uses.grades[row.grade], _types(row, uses, known), not index, index == len(rows) - 1)
            for index, row in enumerate(rows)
        ],
    }


def script_state(context: Mapping[str, Any], person: User) -> dict[str, Any]:
    """Return the initial state of the editor's script (rendered as JSON)."""
    project, draft = context["project"], context["draft"]
    save = reverse("save_guideline_draft", args=[project.slug])
    return {
        "base": save.removesuffix("save/"),
        "here": reverse("guideline", args=[project.slug]),
        "draft": f"guideline/{person.pk}/{project.pk}",
        "revision": context["revision"],
        "savedAt": draft.saved_at if draft else None,
        "words": {
            **drafts.script_words(),
            "notPublished": _("Not published: no connection."),
            "notDiscarded": _("Not discarded: no connection."),
        },
    }


def answer(
    context: Mapping[str, Any], draft: GuidelineDraft | None, html: str, refused: Refused | None
) -> dict[str, Any]:
    """Return the answer to the editor's script: what is stored, the page's parts, and why it was refused if it was.

    Where another person published meanwhile, what was sent is kept as a draft on top of their version.
    """
    stored = {
        "revision": context["revision"],
        "save_key": draft.save_key if draft else None,
        "saved_at": draft.saved_at if draft else timezone.now(),
        "seen": context["seen"],
        "html": html,
    }
    if refused is None:
        return {**stored, "kept": True}
    stored["kept"] = refused.code == "changed_meanwhile"
    return {**stored, "code": refused.code, "message": str(refused), "flaws": flaws_of(context["form"])}


def page_keys() -> list[tuple[str, str]]:
    return [("Ctrl Enter", _("publish it")), ("Alt ↑ ↓", _("move the type up, down"))]


def flaws_of(form: GuidelineForm) -> list[dict[str, str]]:
    """Return what is wrong in the form for its script: the place, which is a field or a grade, and a sentence."""
    said = [(form[name], errors) for name, errors in form.errors.items() if name in form.fields]
    grades = {row.place: shown(row.grade) for row in form.grades()}
    of_fields = [
        {"field": field.id_for_label, "sentence": _flaw(field, str(wrong), grades.get(field.name.split("-")[0]))}
        for field, errors in said
        for wrong in errors
    ]
    of_rows = [{"field": row.place, "sentence": wrong} for row in form.grades() for wrong in row.errors]
    return [*of_rows, *of_fields]


def _flaw(field: BoundField, wrong: str, grade: str | None) -> str:
    """Return the sentence on what is wrong in a field, which names its grade if it is of one."""
    if grade is None:
        return _("%(field)s: %(wrong)s") % {"field": field.label, "wrong": wrong}
    return _("Grade %(grade)s, %(field)s: %(wrong)s") % {"grade": grade, "field": field.label, "wrong": wrong}


def with_new_words_marked(content: Guideline, was: Mapping[str, str | None]) -> Guideline:
    """Return the guideline with `<ins>` around what is new in its texts; `was` is what they were."""
    marked = deepcopy(content)
    for place, _kind, words in texts_of(marked):
        for key in HTML_LANGUAGES:
            before, after = was[f"{place}-{key}"] or "", words[key]  # type: ignore[literal-required]
            if before != after:
                words[key] = _marked(difference(before, after))  # type: ignore[literal-required]
    return marked


def _marked(pieces: Sequence[Piece]) -> SafeString:
    """Mark line by line, since a line may end a paragraph."""
    parts = (
        (piece.change, part)
        for piece in pieces
        if piece.change != Change.REMOVED
        for part in re.split(r"(\n+)", piece.text)
    )
    marked = (
        (format_html("<ins>{}</ins>", text) if change == Change.ADDED and text.strip() else text,)
        for change, text in parts
    )
    return format_html_join("", "{}", marked)


def _changed(content: Guideline, was: Mapping[str, str | None]) -> set[str]:
    """Return the fields with other words than before; those of a new grade or type are not among them."""
    return {
        f"{place}-{key}"
        for place, _kind, words in texts_of(content)
        for key in HTML_LANGUAGES
        if was[f"{place}-{key}"] not in (None, words[key])  # type: ignore[literal-required]
    }


def _types(row: GradeRow, uses: GuidelineUses, known: set[str]) -> list[EditedType]:
    keys = iter(REASON_KEYS)
    return [
        EditedType(
            kind,
            "" if kind.is_retired else next(keys, ""),
            uses.types[kind.key] if kind.key else 0,
            kind.key not in known,
            number == 0,
            number == len(row.types) - 1,
        )
        for number, kind in enumerate(row.types)
    ]


def _said(time: ReadingTime, language: str) -> str:
    """Say how long a text is, and how long it takes to read."""
    if time.seconds < 60:
        takes = ngettext("about %(n)s s to read", "about %(n)s s to read", time.seconds) % {"n": time.seconds}
    else:
        minutes = round(time.seconds / 60)
        takes = ngettext("about %(n)s min to read", "about %(n)s min to read", minutes) % {"n": minutes}
    if language == "zh":
        count = ngettext("%(n)s character", "%(n)s characters", time.count) % {"n": time.count}
    else:
        count = ngettext("%(n)s word", "%(n)s words", time.count) % {"n": time.count}
    return _("%(count)s, %(takes)s") % {"count": count, "takes": takes}
