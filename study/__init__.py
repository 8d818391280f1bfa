"""From a release or a corpus to questions, people and models, and one report. Stands on annotation, never under it."""
