"""People who sign in, and the links that invite them."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.models.scoped import ScopedModel


class Role(models.TextChoices):
    """The work of a person in a project or a study. An administrator has a role everywhere, without a membership."""

    ANNOTATOR = "annotator", _("Annotator")
    INSPECTOR = "inspector", _("Inspector")
    EXPERT = "expert", _("Expert")
    RESEARCHER = "researcher", _("Researcher")
    ADMINISTRATOR = "administrator", _("Administrator")


class Account(models.TextChoices):
    """The kind of an account by itself. A person's roles are in their memberships of projects and studies."""

    PERSON = "person", _("Person")
    CREATOR = "creator", _("Person who may create projects and studies")
    ADMINISTRATOR = "administrator", _("Administrator")


class TextSize(models.TextChoices):
    """The size of dialogues and pairs; menus and tables stay as they are."""

    SMALL = "small", _("Small")
    NORMAL = "", _("Normal")
    LARGE = "large", _("Large")
    LARGEST = "largest", _("Largest")


class User(AbstractBaseUser):
    username = models.CharField(
        _("User name"),
        max_length=150,
        unique=True,
        validators=[UnicodeUsernameValidator()],
        error_messages={"unique": _("This user name is taken. Choose another one.")},
    )
    name = models.CharField(_("Name"), max_length=150, blank=True)
    account = models.CharField(max_length=20, choices=Account.choices, default=Account.PERSON)
    language = models.CharField(max_length=10, blank=True, help_text="Empty: as the browser asks.")
    theme = models.CharField(max_length=5, blank=True, help_text="light, dark, or empty: as the system is.")
    text_size = models.CharField(max_length=10, blank=True, choices=TextSize.choices, help_text="Empty: normal.")
    has_single_keys = models.BooleanField(default=True, help_text="Whether shortcuts of one key act (WCAG 2.1.4).")
    shows_keys = models.BooleanField(default=True, help_text="Whether keys are printed on what they press.")
    own_keys = models.JSONField(
        default=dict, blank=True, help_text="By page and usual key, the key that this person chose."
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BaseUserManager()

    USERNAME_FIELD = "username"

    roles_held: Mapping[tuple[str, int], Role] | None = None  # read once, by core.permissions

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def is_name_only(self) -> bool:
        """True for a bot or a person who graded elsewhere, as whom no one can sign in."""
        return not self.is_active and "/" in self.username  # which no user name has that people choose

    @property
    def is_administrator(self) -> bool:
        return self.account == Account.ADMINISTRATOR


class TokenUse(models.Model):
    """The last use of an API token, to the hour. The token itself is knox's row, which has no column for it."""

    token = models.OneToOneField("knox.AuthToken", on_delete=models.CASCADE, primary_key=True, related_name="use")
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"use of a token on {self.last_at:%Y-%m-%d}"


class Invitation(ScopedModel):
    """A link that creates one account. Only the digest of its token is stored."""

    token_digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20, choices=Role.choices)
    note = models.CharField(max_length=150, blank=True, help_text="For whom, so that the list can be read.")
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invitations")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.OneToOneField(User, null=True, on_delete=models.SET_NULL, related_name="invitation")

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"invitation {self.pk} as {self.role}"

    @property
    def is_open(self) -> bool:
        return self.accepted_at is None and self.withdrawn_at is None and self.expires_at > timezone.now()
