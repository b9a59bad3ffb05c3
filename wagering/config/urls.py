"""The HTTP surface on one page."""

from django.contrib import admin
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.generic import RedirectView


def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the database answers; a load balancer asks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [
    path("", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
]
