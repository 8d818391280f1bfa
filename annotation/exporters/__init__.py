"""Writing a release to files: one module per format, each with ``write(instances, folder, about) -> list of files``.


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

# Machine-readable heads that some formats need before the text of the data card.
HEADS = {"huggingface": huggingface.head}

# For formats that cannot hold every instance: functions returning the reason, or an empty string if it fits.
LEFT_OUT = {"mutual": mutual.left_out}

# The formats offered for each kind of project.
FORMATS = {
    "rating": ("csv", "jsonl", "parquet", "trec", "huggingface"),
    "rewriting": ("csv", "jsonl", "parquet", "trec", "huggingface", "mutual"),
}
