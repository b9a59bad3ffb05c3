from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Nothing but reading."""

    name = "wagering.audit"
    default_auto_field = "django.db.models.BigAutoField"
