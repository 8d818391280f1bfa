import gc
import os

# Python looks for circles among new objects after every 700 of them: reading a file makes millions and no circle.
gc.set_threshold(20_000)

# The libraries of numbers read this when they are imported. What has one thread can be forked, and leaves others room.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
