"""The fields of a form by their kind, and Django's forms of models with a place for the model."""

from typing import TYPE_CHECKING, TypeVar

from django import forms

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
