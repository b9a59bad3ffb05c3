from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """What players and operators' endpoints are told."""

    name = "wagering.notices"
    default_auto_field = "django.db.models.BigAutoField"
