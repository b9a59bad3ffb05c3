from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Where the parts are joined."""

    name = "wagering.config"
    default_auto_field = "django.db.models.BigAutoField"
