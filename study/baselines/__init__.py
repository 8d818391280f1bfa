"""Models that choose the next turn: pure, without Django. One interface (base), one module a family, one registry."""
