"""Who has a payout tried once more is kept."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


FORWARD = """
CREATE FUNCTION attempt_keeps_who_tried() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'attempt_is_final: who tried attempt % stays; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'attempt_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER attempt_keeps_who_tried BEFORE UPDATE ON payouts_attempt
    FOR EACH ROW WHEN (OLD.tried_by_id IS DISTINCT FROM NEW.tried_by_id) EXECUTE FUNCTION attempt_keeps_who_tried();
"""

BACKWARD = """
DROP TRIGGER attempt_keeps_who_tried ON payouts_attempt;
DROP FUNCTION attempt_keeps_who_tried();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('payouts', '0002_payouts_are_final'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='attempt',
            name='tried_by',
            field=models.ForeignKey(blank=True, help_text='the operator who had it tried once more, after one that failed', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
