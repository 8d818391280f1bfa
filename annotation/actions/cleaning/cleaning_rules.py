"""Set the rules that a project is cleaned with: uploaded lists of words, and switches."""

from collections.abc import Mapping
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.actions.projects.projects import must_be
from annotation.domain.cleaning.cleaning import OWN_RULES
from annotation.importers import reasons, words
from annotation.models import CleaningRule, Kind, Project
from annotation.selectors.cleaning.cleaning import rules_of
from core.actions.events import record
from core.actions.refusals import Refused
from core.domain.text import one_line
from core.domain.wording import ChoiceError
from core.models import User

LONGEST_NAME = 60
MOST_LISTS = 50


@transaction.atomic
def put_words(*, project: Project, name: str, file: BinaryIO, by: User) -> CleaningRule:
    """Store a list of words under a name and switch it on; replace a list of that name. Raises Refused.

    The pairs are searched only by the next scan.
    """
    must_be(project, Kind.RATING)
    key = _checked_name(project, name)
    found = words_of(file)
    values = {"words": found, "is_on": True, "changed_at": timezone.now()}
    rule, _new = CleaningRule.objects.update_or_create(project=project, key=key, defaults=values)
    record(rule, became="words stored", scope=project, by=by)
    return rule


def words_of(file: BinaryIO) -> list[str]:
    """Return the words of a list, a seekable file. Raises Refused."""
    try:
        return words.read(file)
    except reasons.RowRefused as refused:
        raise Refused("words_wrong", reasons.reason_text(refused.reason)) from refused
    except ChoiceError as wrong:
        raise Refused.by_rule("words_wrong", wrong) from wrong


def _checked_name(project: Project, name: str) -> str:
    key = one_line(name)
    if not key or len(key) > LONGEST_NAME:
        text = _("A list needs a name of at most %(most)s characters.")
        raise Refused("name_wrong", text % {"most": LONGEST_NAME})
    if key in OWN_RULES:
        text = _("“%(name)s” is a rule that comes with the product. Give your list another name.")
        raise Refused("name_taken", text % {"name": key})
    lists = project.cleaning_rules.exclude(words=None)
    if lists.count() >= MOST_LISTS and not lists.filter(key=key).exists():
        text = _("A project has at most %(most)s lists. Put the words into one of them.")
        raise Refused("too_many_lists", text % {"most": MOST_LISTS})
    return key


def switch(*, project: Project, key: str, is_on: bool, by: User) -> None:
    """Switch a rule on or off from the next scan on; its words stay stored. Raises Refused for an unknown rule."""
    switch_many(project=project, to={key: is_on}, by=by)


@transaction.atomic
def switch_many(*, project: Project, to: Mapping[str, bool], by: User) -> list[str]:
    """Switch rules on or off, all or none, and return the keys of those that were not so before. Raises Refused."""
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # so that two get one event a change
    known = {rule.key: rule.is_on for rule in rules_of(project)}
    if not to.keys() <= known.keys():
        raise Refused("rule_unknown", _("There is no such rule here. Reload the page."))
    changed = [key for key, is_on in to.items() if known[key] != is_on]
    for key in changed:
        rule, _new = CleaningRule.objects.update_or_create(
            project=project, key=key, defaults={"is_on": to[key], "changed_at": timezone.now()}
        )
        record(rule, was=_state(known[key]), became=_state(to[key]), scope=project, by=by)
    return changed


def _state(is_on: bool) -> str:
    return "on" if is_on else "off"
