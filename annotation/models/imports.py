"""Imported files, and their rows that were refused or duplicates."""

import json

from django.db import models
from django.utils import timezone

from annotation.domain.workflow import ImportState
from annotation.models.items import Purpose
from core.domain.text import digest


class GradesAre(models.TextChoices):
    """What the column of grades of a file of pairs is; a person says so."""

    GRADES = "grades"  # of people, who gave them elsewhere
    GOLD = "gold"
    OUT = "out"


class Import(models.Model):
    """An uploaded file, from its check to its rows being stored or dropped."""

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="imports")
    file = models.FileField(upload_to="imports/%Y/%m/")
    file_name = models.CharField(max_length=255, help_text="As the person called it.")
    format = models.CharField(max_length=10, default="auto")
    choice = models.JSONField(default=dict, help_text="What was chosen of encoding, header and columns, else guessed.")
    state = models.CharField(max_length=10, choices=[(s, s) for s in ImportState], default=ImportState.RECEIVED)
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.WORK)
    encoding = models.CharField(max_length=20, blank=True)
    rows = models.PositiveBigIntegerField(default=0, help_text="All rows with something in them.")
    good = models.PositiveBigIntegerField(default=0, help_text="Rows that are or would be stored.")
    duplicate = models.PositiveBigIntegerField(
        default=0, help_text="Same text as another row or an item stored before."
    )
    refused = models.PositiveBigIntegerField(default=0)
    grades_found = models.JSONField(
        default=dict,
        help_text="Rows by what is in the column of grades, and grades by who gave them; empty without it.",
    )
    grades_are = models.CharField(max_length=10, choices=GradesAre.choices, blank=True, help_text="Empty: not decided.")
    rater = models.CharField(max_length=80, blank=True, help_text="Who gave the grades that name no one.")
    grades = models.PositiveBigIntegerField(default=0, help_text="Grades that were stored with the pairs.")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    stored_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.file_name

    @property
    def reading(self) -> str:
        """A digest of the format and the choices: the same as long as the file is read in the same way.

        Where grades are taken, their scale is part of it.
        """
        takes = self.grades_are in (GradesAre.GRADES, GradesAre.GOLD)
        scale = str(self.project.rating.grades) if takes else ""
        return digest(self.format, json.dumps(self.choice, sort_keys=True), self.grades_are, self.rater, scale)

    @property
    def must_decide(self) -> bool:
        """True while no one has said what the column of grades is, unless all of the file is stored already."""
        may_add = self.good or self.refused or self._has_new_grades
        return bool(self.grades_found and may_add) and not self.grades_are

    @property
    def takes_grades(self) -> bool:
        """True where new grades are stored as those of people, also of pairs that are stored already."""
        return self.grades_are == GradesAre.GRADES and self._has_new_grades

    @property
    def _has_new_grades(self) -> bool:
        return bool(self.grades_found) and self.grades_found.get("new") != 0  # earlier versions did not count them

    @property
    def new_grades(self) -> int:
        """Number of grades that would be stored, or were when the file was checked, as those of people."""
        return int(self.grades_found.get("new", 0))

    @property
    def only_grades(self) -> int:
        """Number of rows whose pair is in an earlier row or stored before, with another grade."""
        return max(0, self.rows - self.good - self.duplicate - self.refused)

    @property
    def takes_gold(self) -> bool:
        """True where the pairs are stored as gold."""
        return bool(self.grades_found) and self.grades_are == GradesAre.GOLD

    @property
    def awaits_decision(self) -> bool:
        """True where the file was checked and has something to store, or may have once its grades are decided."""
        return self.state == ImportState.CHECKED and bool(self.good or self.must_decide or self.takes_grades)

    @property
    def is_open(self) -> bool:
        """True while it may still be stored or dropped."""
        return self.state in (ImportState.RECEIVED, ImportState.CHECKED)

    @property
    def stored(self) -> int:
        """Number of rows that are stored now."""
        return self.good if self.state == ImportState.STORED else 0

    @property
    def not_wanted(self) -> int:
        """Number of rows that could have been stored when the file was dropped."""
        return self.good if self.state == ImportState.DISCARDED else 0

    @property
    def is_refused_whole(self) -> bool:
        """True where the file was refused, and not single rows of it."""
        return self.refused > 0 and self.rows == 0


class RefusedRow(models.Model):
    """A refused row, with its line and the reason. Without a line, the whole file was refused."""

    origin = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="refused_rows")
    line = models.PositiveBigIntegerField(null=True)
    record = models.PositiveBigIntegerField(null=True, help_text="Which entry of a JSON array, from 1.")
    dialogue = models.CharField(max_length=80, blank=True, help_text="The id of that entry.")
    code = models.CharField(max_length=30)
    params = models.JSONField(default=dict)
    excerpt = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"line {self.line}: {self.code}"


class DuplicateRow(models.Model):
    """A row whose text is already in an earlier line of its file, or in a file stored before, which is then named.

    Without `first_line`, the earlier item did not come from a file.
    """

    origin = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="duplicate_rows")
    line = models.PositiveBigIntegerField()
    first_line = models.PositiveBigIntegerField(null=True)
    first_file = models.CharField(max_length=200, blank=True)
    excerpt = models.CharField(max_length=400, blank=True)
    opening = models.CharField(max_length=400, blank=True, help_text="How its dialogue begins; pairs have none.")
    first_opening = models.CharField(
        max_length=400, blank=True, help_text="How the dialogue of the earlier item begins."
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"line {self.line}: as line {self.first_line}"
