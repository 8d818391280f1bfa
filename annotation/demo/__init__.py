"""The sample project's texts and grades, written for it."""
