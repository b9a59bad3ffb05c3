"""/metrics for Prometheus, and for nobody else."""

import ipaddress

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django_prometheus.exports import ExportToDjangoView

from wagering.config.http.clients import address_of


def metrics(request: HttpRequest) -> HttpResponse:
    """The figures, to the addresses and networks of METRICS_ALLOW and to this machine; to others there is nothing.

    What came through a proxy does not come from this machine, whoever sent it here.
    """
    if not _is_allowed(request):
        raise Http404
    response: HttpResponse = ExportToDjangoView(request)  # type: ignore[no-untyped-call]
    return response


def _is_allowed(request: HttpRequest) -> bool:
    try:
        address = ipaddress.ip_address(address_of(request))
    except ValueError:
        return False
    if any(address in ipaddress.ip_network(network) for network in settings.METRICS_ALLOW):
        return True
    return address.is_loopback and "X-Forwarded-For" not in request.headers and "Forwarded" not in request.headers
