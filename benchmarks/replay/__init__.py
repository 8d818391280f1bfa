"""The human study of next-utterance ranking, replayed whole; see __main__.py."""
