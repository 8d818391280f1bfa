"""Fields of forms: of typed text, of reasons, by their kind; Django's forms of models with a place for the model."""

from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.utils.translation import gettext_lazy as _

from core.actions.events import LONGEST_WHY, WHY_MISSING

IN_THE_LOG = _("Recorded in the audit log.")
FieldKind = TypeVar("FieldKind", bound=forms.Field)

if TYPE_CHECKING:
    from django.forms import ModelChoiceField as ModelChoiceField
    from django.forms import ModelForm as ModelForm
    from django.forms import ModelMultipleChoiceField as ModelMultipleChoiceField
else:
    # Django's own take the model for the type checker alone and fail at run time.
    class ModelForm(forms.ModelForm):
        def __class_getitem__(cls, model):
            return cls

    class ModelChoiceField(forms.ModelChoiceField):
        def __class_getitem__(cls, model):
            return cls

    class ModelMultipleChoiceField(forms.ModelMultipleChoiceField):
        def __class_getitem__(cls, model):
            return cls


def field_of(form: forms.BaseForm, name: str, kind: type[FieldKind]) -> FieldKind:
    """Return the field of a form, which is of this kind."""
    field = form.fields[name]
    assert isinstance(field, kind)
    return field


class TypedText(forms.CharField):
    """Field for typed or pasted text: it drops NUL characters, which no text may hold, instead of refusing the text.

    The rules of a text are in domain/text.
    """

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\0", "")


class WhyField(forms.CharField):
    """Reason of at most the length that the audit log takes."""

    def __init__(self, **kwargs: Any) -> None:
        errors = {"required": WHY_MISSING}
        kwargs.setdefault("help_text", IN_THE_LOG)
        super().__init__(label=_("Why"), max_length=LONGEST_WHY, error_messages=errors, **kwargs)
