"""Chinese dates and numbers as our pages print them: 2026年3月1日 09:30, 12,480. Everything else is Django's own."""

DATETIME_FORMAT = "Y年n月j日 H:i"
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
