"""From a release or a corpus to questions, people and models, and one report. Imports annotation, never the reverse."""
