from django.apps import AppConfig


class CommissionConfig(AppConfig):
    """What the house takes."""

    name = "wagering.commission"
    default_auto_field = "django.db.models.BigAutoField"
