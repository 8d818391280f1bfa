"""Files of answers and predictions, read into rows by annotation/importers."""
