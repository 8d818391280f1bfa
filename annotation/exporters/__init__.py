"""A release written to files: one module per format, each with ``write(instances, folder, about) -> list of files``.

``about`` is the release's manifest (selectors.releases.manifest_of).
"""

from annotation.exporters import csv, huggingface, jsonl, mutual, parquet, trec

EXPORTERS = {
    "jsonl": jsonl.write,
    "csv": csv.write,
    "parquet": parquet.write,
    "trec": trec.write,
    "huggingface": huggingface.write,
    "mutual": mutual.write,
}

# What stands in a data card before the card, for the machines that read a format.
HEADS = {"huggingface": huggingface.head}

# Formats into which not every instance fits: why one does not, or an empty string.
LEFT_OUT = {"mutual": mutual.left_out}

# The formats of each kind of project.
FORMATS = {
    "rating": ("csv", "jsonl", "parquet", "trec", "huggingface"),
    "rewriting": ("csv", "jsonl", "parquet", "trec", "huggingface", "mutual"),
}
