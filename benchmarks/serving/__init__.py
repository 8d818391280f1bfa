"""Cost of serving people who never pause: `python -m benchmarks.serving` (see __main__.py)."""
