"""Unique names of projects, corpora, question sets and studies."""

from django.db import models


class Name(models.Model):
    """A name in use, with the kind of thing it belongs to."""

    name = models.SlugField(max_length=60, primary_key=True)
    kind = models.CharField(max_length=10, help_text="What has the name: project, corpus, questions, study")

    def __str__(self) -> str:
        return self.name
