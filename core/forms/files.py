"""Files that people send."""

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _


def not_too_large(file: "UploadedFile[bytes]") -> "UploadedFile[bytes]":
    """Return the file if its size is within the limit of the installation. Raises ValidationError."""
    if (file.size or 0) > settings.IMPORT_MAX_BYTES:
        sizes = {"size": filesizeformat(file.size or 0), "limit": filesizeformat(settings.IMPORT_MAX_BYTES)}
        raise forms.ValidationError(_("The file has %(size)s; at most %(limit)s are allowed. Split it.") % sizes)
    return file
