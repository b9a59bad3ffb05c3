"""The HTTP surface on one page."""

from django.contrib import admin
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.generic import RedirectView

from games.access import api as access


def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the database answers; a load balancer asks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


v1 = [
    path("players", access.Players.as_view()),
    path("tokens", access.Tokens.as_view()),
    path("tokens/<uuid:token>", access.Token.as_view()),
    path("me", access.Me.as_view()),
    path("me/password", access.Password.as_view()),
]

urlpatterns = [
    path("", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("v1/", include(v1)),
]
