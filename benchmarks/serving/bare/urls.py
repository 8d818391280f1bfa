from django.urls import path

from benchmarks.serving.bare import rating, survey

urlpatterns = [
    path("projects/<slug:slug>/rate/next/", rating.next_pairs),
    path("projects/<slug:slug>/rate/<int:pk>/grade/", rating.grade),
    path("take/<str:token>/questions/", survey.questions),
    path("take/<str:token>/questions/<int:position>/", survey.question),
    path("take/<str:token>/questions/<int:position>/others/", survey.others),
    path("take/<str:token>/questions/<int:position>/answer/", survey.answer),
]
