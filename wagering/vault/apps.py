from django.apps import AppConfig


class VaultConfig(AppConfig):
    """What is known of people, under a key for each."""

    name = "wagering.vault"
    default_auto_field = "django.db.models.BigAutoField"
