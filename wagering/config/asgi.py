import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagering.config.settings")
django_application = get_asgi_application()

# These know of the apps, which are there by now.
from wagering.config import celery  # noqa: E402, F401 - before the first hint, and once for all processes
from wagering.config.http.body_limit import BodyLimitASGI  # noqa: E402
from wagering.config.http.lifespan import Lifespan  # noqa: E402

application = Lifespan(BodyLimitASGI(django_application))  # type: ignore[arg-type]  # a scope is a dict there
