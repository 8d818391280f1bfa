"""Import prompt-response pairs from a csv, tsv or jsonl file.

Columns: prompt, response [, id, source, topic]; a tsv without a header is prompt TAB response. One refused row and
nothing is stored, unless --partial keeps the good ones. Example: manage.py import_pairs forum pairs.tsv --partial
"""

from annotation.management.importing import ImportCommand
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "pairs.import"
    kind = Kind.RATING
    things = "pairs"
