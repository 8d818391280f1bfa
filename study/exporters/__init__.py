"""Files in the forms that others read."""
