"""Names that people type: no two things that have one share it."""

from django.db import models


class Name(models.Model):
    """A name that is taken, and by what kind of thing."""

    name = models.SlugField(max_length=60, primary_key=True)
    kind = models.CharField(max_length=10, help_text="What has the name: project, corpus, questions, study")

    def __str__(self) -> str:
        return self.name
