"""Figures of pages and papers, drawn by matplotlib: the same data give the same bytes."""

from core.figures.bars import Bars, draw_bars

__all__ = ["Bars", "draw_bars"]
