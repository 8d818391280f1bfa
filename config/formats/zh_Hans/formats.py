"""Chinese dates and numbers: 2026年3月1日 09:30, 12,480. All other formats are Django's own."""

DATETIME_FORMAT = "Y年n月j日 H:i"
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
