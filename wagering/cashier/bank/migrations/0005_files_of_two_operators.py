"""A file that an operator brings acts when another has brought the same. What had come in before has acted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

FORWARD = """
CREATE FUNCTION statement_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.sha256, NEW.kind, NEW.name, NEW.entries, NEW.received_at)
            = (OLD.id, OLD.sha256, OLD.kind, OLD.name, OLD.entries, OLD.received_at)
        AND NEW.brought_by_id IS NOT DISTINCT FROM OLD.brought_by_id
        AND (OLD.done_at IS NULL
            OR (NEW.fetched, NEW.done_at) = (OLD.fetched, OLD.done_at)
                AND NEW.confirmed_by_id IS NOT DISTINCT FROM OLD.confirmed_by_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'statement_is_final: statement %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'statement_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER statement_is_final BEFORE UPDATE OR DELETE ON bank_statement
    FOR EACH ROW EXECUTE FUNCTION statement_is_final();
"""

BACKWARD = """
DROP TRIGGER statement_is_final ON bank_statement;
DROP FUNCTION statement_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("bank", "0004_settlements"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(
            "statement",
            "fetched",
            models.BooleanField(default=True, help_text="the connection to the bank had it"),
            preserve_default=False,
        ),
        migrations.AddField(
            "statement",
            "confirmed_by",
            models.ForeignKey(
                to=settings.AUTH_USER_MODEL, on_delete=django.db.models.deletion.PROTECT, null=True, blank=True,
                related_name="+",
            ),
        ),
        migrations.AddField(
            "statement", "done_at", models.DateTimeField(null=True, blank=True, help_text="when it acted")
        ),
        migrations.RunSQL("UPDATE bank_statement SET done_at = received_at", migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddConstraint(
            "statement",
            models.CheckConstraint(
                name="statement_is_the_banks_or_confirmed_by_another",
                condition=Q(done_at=None, confirmed_by=None, fetched=False, brought_by__isnull=False)
                | Q(done_at__isnull=False, confirmed_by=None, fetched=True)
                | Q(done_at__isnull=False, confirmed_by__isnull=False, fetched=False, brought_by__isnull=False)
                & ~Q(confirmed_by=F("brought_by")),
            ),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
