"""An account that its player put another in the place of comes back when it is added again."""

from django.db import migrations, models
from django.db.models import Q

WERE = "UPDATE methods_method SET replaced = true WHERE blocked_at IS NOT NULL AND iban_digest <> ''"


class Migration(migrations.Migration):
    dependencies = [("methods", "0001_methods")]

    operations = [
        migrations.AddField("method", "replaced", models.BooleanField(default=False)),
        migrations.RunSQL(WERE, migrations.RunSQL.noop),
        migrations.AddConstraint(
            "method",
            models.CheckConstraint(
                name="method_that_is_replaced_is_blocked", condition=Q(replaced=False) | Q(blocked_at__isnull=False)
            ),
        ),
    ]
