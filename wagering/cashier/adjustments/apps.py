from django.apps import AppConfig


class AdjustmentsConfig(AppConfig):
    """Corrections by hand."""

    name = "wagering.cashier.adjustments"
    default_auto_field = "django.db.models.BigAutoField"
