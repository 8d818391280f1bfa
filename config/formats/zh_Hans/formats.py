"""Chinese dates and numbers: 2026 年 3 月 1 日 09:30, 12,480. All other formats are Django's own.

Between digits and characters there is a space, as in all texts of pages.
"""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y 年 n 月 j 日"
DATETIME_FORMAT = "Y 年 n 月 j 日 H:i"
MONTH_DAY_FORMAT = "n 月 j 日"
YEAR_MONTH_FORMAT = "Y 年 n 月"
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
