"""Rules, fixed before any answer is in, that exclude answers from figures. Each can be switched off."""

from core.domain.wording import gettext_noop

RULES = {"failed_checks": gettext_noop("the attention check was failed")}
