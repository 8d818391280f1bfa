"""Figures of studies, drawn by matplotlib: the same data give the same bytes."""

from study.figures.people_and_models import LONGEST, Panel, ShareRow, draw_people_and_models, shortened
from study.figures.times import TimeRow, draw_times

__all__ = ["LONGEST", "Panel", "ShareRow", "TimeRow", "draw_people_and_models", "draw_times", "shortened"]
