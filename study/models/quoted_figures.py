"""Figures of other studies that researchers quote beside the results of a study."""

from django.db import models
from django.utils import timezone


class QuotedFigure(models.Model):
    """One row of quoted figures: shares with the digits as printed, "" for one that the source does not have.

    `corpus` is one of the study's, "" for all questions.
    """

    study = models.ForeignKey("study.Study", on_delete=models.CASCADE, related_name="quoted_figures")
    label = models.CharField(max_length=100)
    is_of_model = models.BooleanField(default=False, help_text="The figures are of a model, and not of people.")
    corpus = models.CharField(max_length=200, blank=True)
    r1 = models.CharField(max_length=12, blank=True)
    r2 = models.CharField(max_length=12, blank=True)
    mrr = models.CharField(max_length=12, blank=True)
    n = models.PositiveIntegerField(null=True, help_text="People asked, or instances that a model was asked.")
    candidates = models.PositiveSmallIntegerField(null=True)
    source = models.CharField(max_length=200, help_text="Where the figures are printed.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"quoted figure {self.pk}"
