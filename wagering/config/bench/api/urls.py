"""The service's addresses, a view that does nothing: what the server and the framework cost by themselves, and one that
tells the process's memory.
"""

import resource
import sys

from django.urls import path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from wagering.config.urls import *  # noqa: F403
from wagering.config.urls import urlpatterns as served


class Bare(APIView):
    """A DRF view with nothing in it: what every view of the service costs, and no view can cost less.

    It goes through the same server, the same middleware (ids, logs, figures, limits) and DRF's own dispatch,
    negotiation and rendering as all the others. It has no credential to look up, no rate to count, no body to read, no
    key to claim, and it never meets the database.
    """

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    def get(self, request: Request) -> Response:
        return Response({"ok": True})


class Memory(Bare):
    """The most that the process has had, in MB."""

    def get(self, request: Request) -> Response:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return Response({"peak_mb": peak / (2**20 if sys.platform == "darwin" else 2**10)})


urlpatterns = [path("bare", Bare.as_view()), path("memory", Memory.as_view()), *served]
