"""Reports of a study: frozen folders. Their files are rows, so that backups have them and a withdrawal empties some."""

import zlib
from datetime import datetime

from django.db import models
from django.utils import timezone

from core.models.frozen import FrozenModel
from study.models.studies import Study


class Report(FrozenModel):
    """What a study found at one time. Equal data give an equal checksum, and no second report."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="reports")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=10, help_text="That of the study when it was made.")
    checksum = models.CharField(max_length=64, help_text="SHA-256 of its content: no number, no date, no style.")
    summary = models.JSONField(help_text='{"people", "questions", "answers", "still_answering"}')
    job = models.OneToOneField("core.Job", null=True, on_delete=models.PROTECT, related_name="report")
    frozen_by = models.ForeignKey("core.User", null=True, on_delete=models.PROTECT, related_name="+")
    frozen_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_report_a_number")]

    def __str__(self) -> str:
        return f"report {self.number} of {self.study_id}"


class ReportFile(FrozenModel):
    """A file of a report at its path in the folder, packed by zlib."""

    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=100)
    checksum = models.CharField(max_length=64, help_text="SHA-256 of the file as it was frozen.")
    size = models.PositiveBigIntegerField(help_text="In bytes, as it was frozen.")
    packed = models.BinaryField()
    is_of_people = models.BooleanField(default=False, help_text="It has a row for each person or answer.")
    taken_out_at = models.DateTimeField(null=True, help_text="When a person withdrew and it was emptied.")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["report", "name"], name="one_file_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.report_id}"

    @property
    def content(self) -> bytes:
        return zlib.decompress(self.packed)

    @classmethod
    def take_out(cls, study: Study, at: datetime) -> None:
        """Empty the files of a study that have a row for each person or answer; names and checksums stay."""
        of_people = cls.objects.filter(report__study=study, is_of_people=True, taken_out_at=None)
        models.QuerySet.update(of_people, packed=b"", taken_out_at=at)
