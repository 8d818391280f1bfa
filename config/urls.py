"""All addresses of the product."""

from django.urls import include, path

from study.urls import survey

urlpatterns = [  # tried in their order: first those that most people ask for
    path("take/<str:token>/", include(survey)),
    path("", include("core.urls")),
    path("", include("annotation.urls")),
    path("", include("study.urls")),
    path("api/v1/", include("core.api.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("study.api.urls")),
]

handler400 = "core.views.errors.not_understood"
handler403 = "core.views.errors.not_for_you"
handler404 = "core.views.errors.not_found"
handler500 = "core.views.errors.broken"
