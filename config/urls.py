"""Every address of the product."""

from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("study.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("study.api.urls")),
]

handler400 = "annotation.views.errors.not_understood"
handler403 = "annotation.views.errors.not_for_you"
handler404 = "annotation.views.errors.not_found"
handler500 = "annotation.views.errors.broken"
