"""Form to let a paused annotator go on."""

from django import forms

from core.forms.why import WhyField


class ResumeForm(forms.Form):
    why = WhyField()
