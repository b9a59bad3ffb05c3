from django.apps import AppConfig


class MethodsConfig(AppConfig):
    """What players pay from and are paid to."""

    name = "wagering.cashier.methods"
    default_auto_field = "django.db.models.BigAutoField"
