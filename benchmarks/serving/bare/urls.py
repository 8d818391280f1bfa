from django.urls import path

from benchmarks.serving.bare import rating

urlpatterns = [
    path("projects/<slug:slug>/rate/next/", rating.next_pairs),
    path("projects/<slug:slug>/rate/<int:pk>/grade/", rating.grade),
]
