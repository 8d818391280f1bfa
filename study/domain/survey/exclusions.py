"""Whose answers do not count, by rules that stand before any answer is in. Each can be switched off."""

from core.domain.wording import gettext_noop

RULES = {"failed_checks": gettext_noop("the attention check was failed")}
