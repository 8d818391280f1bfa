"""Sentences of the pure rules for users: in English, marked for the catalogue, so that an action can translate them."""


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for the catalogue, as Django's function of this name does, without importing Django."""
    return sentence


class ChoiceError(ValueError):
    """A chosen value that is not allowed: a marked sentence and its parameters. ``str()`` is English."""

    def __init__(self, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.sentence, self.params = sentence, params
