"""Reading files into rows. A bad row gives a file, a line and a reason, and reading goes on.


file > encoding.py (bytes to characters) > lines.py > one module per format, found in reading.FORMATS (records)
     > pairs.py or ratings.py (rows). foreign.py, layout.py and columns.py say first what the file is.
"""
