from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Who is asking: players by token, rooms' servers by signature."""

    name = "games.access"
    label = "access"
    default_auto_field = "django.db.models.BigAutoField"
