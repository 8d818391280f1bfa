"""Exports in formats of other projects."""
