"""Measures of how a checkout is built, the same for any layout of it: `python -m tests.structure [CHECKOUT]`."""
