from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app
from django.core.checks import CheckMessage, Tags, register


class ConfigConfig(AppConfig):
    """Where the parts are joined."""

    name = "wagering.config"
    default_auto_field = "django.db.models.BigAutoField"
    default = True

    def ready(self) -> None:
        from wagering.config import broker_checks, checks  # noqa: F401 - registers them


class AdminConfig(SimpleAdminConfig):
    """The admin, whose pages are loaded with the URLs: it is a quarter of what starting a worker or a command takes."""

    def ready(self) -> None:
        super().ready()
        register(_loaded_and_checked, Tags.admin)


def _loaded_and_checked(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """As Django's own check, which may have come when nothing was loaded yet."""
    autodiscover()
    return check_admin_app(app_configs, **kwargs)
