"""Import prompt-response pairs from a csv, tsv, xlsx, jsonl or json file.

Columns: prompt, response [, id, source, topic], by these or other usual names (提问, 回复, question, answer); a tsv
without a header is prompt TAB response. Other names are given with --map, or the number of a column if there is no
header. Of a workbook the first sheet with such columns is read, or the one that --sheet names. If a row is refused,
nothing is stored; with --partial the good rows are.
Examples: manage.py import_pairs forum pairs.tsv --partial
          manage.py import_pairs forum posts.csv --map prompt=问题 response=回复 --encoding gb18030
          manage.py import_pairs forum posts.csv --no-header --map prompt=3 response=4
"""

from annotation.management.importing import ImportCommand
from annotation.models import Kind


class Command(ImportCommand):
    help = __doc__
    permission = "pairs.import"
    kind = Kind.RATING
    thing = "pair"
