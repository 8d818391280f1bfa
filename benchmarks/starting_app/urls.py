"""Addresses of the product, with one to ask for a job, and to ask when it began."""

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from config.urls import handler400, handler403, handler404, handler500, urlpatterns
from core.actions import jobs
from core.models import Job
from core.tasks import dispatch

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


@csrf_exempt
def begin(request: HttpRequest) -> JsonResponse:
    if request.method != "POST":
        return JsonResponse({"began": Job.objects.get(pk=request.GET["job"]).result})
    job = jobs.ask_for(kind="begin", arguments={}, scope=None, by=None)
    dispatch(job)
    return JsonResponse({"job": job.pk})


urlpatterns = [path("begin/", begin), *urlpatterns]
