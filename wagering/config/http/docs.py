"""/v1/schema for programs and /v1/docs for people, everything from this server."""

import gzip
import re
from functools import cache
from typing import Any, Final

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from wagering.config.http.schema import GROUPS, codes
from wagering.config.http.writing import JSON
from wagering.rest.etags import etag, seen

ALLOWED: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # the page's reader sets styles on what it draws
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
POLICY: Final = "; ".join(f"{what} {whom}" for what, whom in ALLOWED.items())


class Schema(APIView):
    """The whole API, for programs: OpenAPI 3.1 as JSON. No secret is in it for its length to betray."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    renderer_classes = [JSON]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        form = "gzip" if "gzip" in request.headers.get("Accept-Encoding", "") else "identity"
        body, mark = _description(form)
        headers = {"ETag": mark, "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}
        if seen(request, mark):
            return HttpResponse(status=304, headers=headers)
        if form == "gzip":
            headers["Content-Encoding"] = form
        return HttpResponse(body, content_type=JSON.media_type, headers=headers)


@cache
def _description(form: str) -> tuple[bytes, str]:
    """As it goes over the wire, with its ETag; made once a process, since nothing changes it."""
    if form == "gzip":
        return gzip.compress(_description("identity")[0], mtime=0), etag(_description("identity")[1], form)
    made = JSON().render(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
    return made, etag(made)


class Docs(SpectacularSwaggerSplitView):
    """The same for people, with every code explained below it. No request leaves this server."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    renderer_classes = [TemplateHTMLRenderer]
    url_name = "schema"
    template_name = "config/docs.html"
    title = "Backgammon room: the API"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if isinstance(response.data, dict) and "title" in response.data:
            response.data["groups"] = [(name, f"operations-tag-{name.replace(' ', '_')}") for name in GROUPS]
            response.data["codes"] = sorted((code, status, _as_html(why)) for code, (status, why) in codes().items())
        response["Content-Security-Policy"] = POLICY
        response["Referrer-Policy"] = "no-referrer"
        return response


def _as_html(why: str) -> SafeString:
    """Backticks are code, as they are in the description."""
    return mark_safe(re.sub("`(.*?)`", r"<code>\1</code>", escape(why)))
