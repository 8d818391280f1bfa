"""Importers of answers and predictions, on top of annotation/importers."""
