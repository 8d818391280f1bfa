"""What the pure rules say to people: English, marked for the catalogue, so that an action can say it in Chinese too."""


def gettext_noop(sentence: str) -> str:
    """Marks a sentence for the catalogue, as Django's function of this name does, without Django."""
    return sentence


class ChoiceError(ValueError):
    """A value that somebody chose and cannot have: a marked sentence and what it names. ``str()`` is English."""

    def __init__(self, sentence: str, **params: object) -> None:
        super().__init__(sentence % params)
        self.sentence, self.params = sentence, params
