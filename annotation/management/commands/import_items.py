"""Import questions about dialogues, to be rewritten, from a file of DREAM or from jsonl.

jsonl: turns (or dialogue), question, choices, answer [, id, source, topic]. One refused row and nothing is stored,
unless --partial keeps the good ones. Example: manage.py import_items listening train.json --format dream --partial
"""

from annotation.management.importing import ImportCommand
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "items.import"
    kind = Kind.REWRITING
    things = "items"
