"""The installation that a database belongs to."""

from django.db import models


class SecretKeyDigest(models.Model):
    """One row: a keyed digest of the installation's secret key, by which a start with another key is noticed."""

    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return "digest of the secret key"
