"""Address of the API's own description."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from core.api.requests import MayReadApi

urlpatterns = [path("schema/", SpectacularJSONAPIView.as_view(permission_classes=[MayReadApi]), name="api-schema")]
