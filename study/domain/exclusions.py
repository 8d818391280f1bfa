"""Whose answers do not count, by rules that stand before any answer is in. Each can be switched off."""

from annotation.domain.wording import gettext_noop
from study.domain.phases import ParticipantState

RULES = {"failed_checks": ParticipantState.FAILED_CHECKS}
SENTENCES = {"failed_checks": gettext_noop("the attention check was failed")}
