from django.apps import AppConfig
from django.contrib import admin


class AuditConfig(AppConfig):
    """Nothing but reading."""

    name = "wagering.audit"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        admin.site.index_template = "audit/overview.html"
