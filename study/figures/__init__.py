"""Figures of pages and papers, drawn by matplotlib: the same data give the same bytes."""

from study.figures.people_models import Panel, ShareRow, draw_people_and_models

__all__ = ["Panel", "ShareRow", "draw_people_and_models"]
