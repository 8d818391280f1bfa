"""Form to let a paused annotator go on."""

from django import forms

from core.forms.fields import WhyField


class ResumeForm(forms.Form):
    why = WhyField()
