from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Where the parts are joined."""

    name = "wagering.config"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from wagering.config import broker_checks, checks  # noqa: F401 - registers them
