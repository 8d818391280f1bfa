"""Reading files into rows. A bad row is a file, a line and a reason, never a stop.

file > encoding.py (bytes to characters) > lines.py > one module per format, found in reading.FORMATS (records)
     > pairs.py or ratings.py (rows). foreign.py, layout.py and columns.py say first what the file is.
"""
