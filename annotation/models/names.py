"""Names that people type: no two projects, corpora, question sets or studies share one."""

from django.db import models


class NameKind(models.TextChoices):
    PROJECT = "project"
    CORPUS = "corpus"
    QUESTIONS = "questions"
    STUDY = "study"


class Name(models.Model):
    """A name that is taken, and by what kind of thing."""

    name = models.SlugField(max_length=60, primary_key=True)
    kind = models.CharField(max_length=10, choices=NameKind.choices)

    def __str__(self) -> str:
        return self.name
