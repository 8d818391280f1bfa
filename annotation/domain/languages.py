"""The language of a project, in which its guideline, its examples and the rules of its cleaning are: one, or both."""

ENGLISH, CHINESE, BOTH = "en", "zh-hans", "both"
LANGUAGES = (ENGLISH, CHINESE, BOTH)
WRITTEN = {ENGLISH: ("en",), CHINESE: ("zh",), BOTH: ("zh", "en")}  # keys of texts that are stored in two languages
