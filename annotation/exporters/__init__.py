"""A release written to files: one module per format, each with ``write(instances, folder) -> list of files``."""

from annotation.exporters import csv, jsonl, mutual

EXPORTERS = {"jsonl": jsonl.write, "csv": csv.write, "mutual": mutual.write}

# Formats into which not every instance fits: why one does not, or an empty string.
LEFT_OUT = {"mutual": mutual.left_out}

# The formats of each kind of project.
FORMATS = {"rating": ("csv", "jsonl"), "rewriting": ("csv", "jsonl", "mutual")}
