"""Context of the page that shows raters what is new in the guideline."""

from typing import Any

from annotation.domain.rating.guideline import complete
from annotation.domain.rating.guideline_changes import texts_before
from annotation.models import GuidelineVersion, Project
from annotation.presenters.projects.guideline_editor import with_new_words_marked
from annotation.presenters.projects.guideline_page import changed_texts


def news(project: Project, newest: GuidelineVersion, known: GuidelineVersion | None) -> dict[str, Any]:
    """Return the context of annotation/rating/guideline_news.html.

    With `known`, the version that the rater knows, what is new is marked in the guideline and listed.
    """
    content = complete(newest.content)
    context: dict[str, Any] = {"project": project, "newest": newest, "guideline": content}
    if known is None:
        return context
    since = project.guidelines.filter(number__gt=known.number)
    before = complete(known.content)
    marked = with_new_words_marked(content, texts_before(before, content))
    return {
        **context,
        "guideline": marked,
        "changes": changed_texts(before, content),
        "since": known.number,
        "reasons": [version.why for version in since if version.why],
    }
