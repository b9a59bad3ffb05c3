from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    """A person's data, given and erased."""

    name = "wagering.privacy"
    default_auto_field = "django.db.models.BigAutoField"
