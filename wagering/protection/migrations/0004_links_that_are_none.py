"""An operator finds that a link is none, with a reason, once; what was said of it stays."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

FORWARD = """
CREATE TRIGGER link_is_final BEFORE UPDATE OR DELETE ON protection_link
    FOR EACH ROW EXECUTE FUNCTION protection_is_final('looked_at', 'none_by_id', 'none_reason', 'none_at');
"""
BACKWARD = "DROP TRIGGER link_is_final ON protection_link;"


class Migration(migrations.Migration):
    dependencies = [
        ("protection", "0003_proven_and_spellings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "link",
            "none_by",
            models.ForeignKey(
                to=settings.AUTH_USER_MODEL, on_delete=django.db.models.deletion.PROTECT, null=True, blank=True,
                related_name="+",
            ),
        ),
        migrations.AddField(
            "link",
            "none_reason",
            models.TextField(
                blank=True, default="", help_text="why they are not one; their sums count apart"
            ),
        ),
        migrations.AddField("link", "none_at", models.DateTimeField(null=True, blank=True)),
        migrations.RemoveConstraint("link", "two_are_linked_once"),
        migrations.AddConstraint(
            "link",
            models.UniqueConstraint(name="two_are_linked_once", fields=["one", "other"], condition=Q(none_at=None)),
        ),
        migrations.AddConstraint(
            "link",
            models.UniqueConstraint(name="two_are_linked_once_because_of_it", fields=["one", "other", "why"]),
        ),
        migrations.AddConstraint(
            "link",
            models.CheckConstraint(
                name="link_is_none_by_an_operator",
                condition=Q(none_at=None, none_by=None, none_reason="")
                | Q(~Q(none_reason=""), none_at__isnull=False, none_by__isnull=False),
            ),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
