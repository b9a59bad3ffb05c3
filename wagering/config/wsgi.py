import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wagering.config.settings")
application = get_wsgi_application()

from wagering.config import celery  # noqa: E402, F401 - before the first hint
