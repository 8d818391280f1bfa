"""Form to void the grades of a model."""

from django import forms

from core.forms.fields import WhyField


class VoidModelForm(forms.Form):
    why = WhyField()
