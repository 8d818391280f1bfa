"""Questions from releases and corpora, the people and models who answer them, and the results.

Imports annotation, never the reverse.
"""
