import os

# The libraries of numbers read this when they are imported. Processes of one thread can be forked, and share the machine.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
