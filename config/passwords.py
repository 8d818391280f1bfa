"""Password rules besides Django's own."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LengthValidator(MinimumLengthValidator):
    """Django's rule with a sentence of the product: Django 5.2 has none in Chinese."""

    def get_error_message(self) -> str:
        needed = ngettext(
            "At least %(count)d character is needed.", "At least %(count)d characters are needed.", self.min_length
        )
        return needed % {"count": self.min_length}
