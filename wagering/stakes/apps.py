from django.apps import AppConfig


class StakesConfig(AppConfig):
    """What is on the table."""

    name = "wagering.stakes"
    default_auto_field = "django.db.models.BigAutoField"
