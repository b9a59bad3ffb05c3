from django.apps import AppConfig


class DepositsConfig(AppConfig):
    """Money in."""

    name = "wagering.cashier.deposits"
    default_auto_field = "django.db.models.BigAutoField"
