"""What was proposed wrongly is withdrawn, and proposed anew."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

FINAL = """
CREATE OR REPLACE FUNCTION adjustment_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ended public.adjustments_adjustment;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.done_at IS NULL{and_stands} THEN
        ended := OLD;
        ended.done_at := NEW.done_at;
        ended.confirmed_by_id := NEW.confirmed_by_id;{or_withdrawn}
        IF ended *= NEW THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'adjustment_is_final: adjustment %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'adjustment_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""
FORWARD = FINAL.format(
    and_stands=" AND OLD.withdrawn_at IS NULL",
    or_withdrawn="""
        ended.withdrawn_at := NEW.withdrawn_at;
        ended.withdrawn_by_id := NEW.withdrawn_by_id;""",
)
BACKWARD = FINAL.format(and_stands="", or_withdrawn="")


class Migration(migrations.Migration):

    dependencies = [
        ('adjustments', '0002_adjustments_are_final'),
        ('games', '0005_names_are_one'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(migrations.RunSQL.noop, BACKWARD),
        migrations.RemoveConstraint(
            model_name='adjustment',
            name='adjustment_is_once_for_what_it_refers_to',
        ),
        migrations.AddField(
            model_name='adjustment',
            name='withdrawn_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='adjustment',
            name='withdrawn_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('player', 'refers_to'), name='adjustment_stands_once_for_what_it_refers_to'),
        ),
        migrations.AddConstraint(
            model_name='adjustment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('done_at', None), ('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='adjustment_is_withdrawn_before_it_is_done'),
        ),
        migrations.RunSQL(FORWARD, migrations.RunSQL.noop),
    ]
