"""Of which entry at the bank a movement is all or a part: files may tell of one entry in different parts."""

from django.db import migrations, models
from django.db.models import Q

FORWARD = """
CREATE OR REPLACE FUNCTION bank_entry_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.statement_id, NEW.account, NEW.reference, NEW.whole, NEW.currency, NEW.amount, NEW.is_credit,
             NEW.day, NEW.end_to_end, NEW.returned, NEW.reason, NEW.came_at)
            = (OLD.id, OLD.statement_id, OLD.account, OLD.reference, OLD.whole, OLD.currency, OLD.amount, OLD.is_credit,
               OLD.day, OLD.end_to_end, OLD.returned, OLD.reason, OLD.came_at)
        AND (OLD.player_id IS NULL OR NEW.player_id = OLD.player_id)
        AND (OLD.state = 'new'
            OR OLD.state = 'suspense' AND NEW.state IN ('assigned', 'settled', 'sent_back')
            OR OLD.state = 'unexplained' AND NEW.state = 'explained')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'bank_entry_is_final: entry % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bank_entry_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""

BACKWARD = """
CREATE OR REPLACE FUNCTION bank_entry_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (NEW.id, NEW.statement_id, NEW.account, NEW.reference, NEW.currency, NEW.amount, NEW.is_credit, NEW.day,
             NEW.end_to_end, NEW.returned, NEW.reason, NEW.came_at)
            = (OLD.id, OLD.statement_id, OLD.account, OLD.reference, OLD.currency, OLD.amount, OLD.is_credit, OLD.day,
               OLD.end_to_end, OLD.returned, OLD.reason, OLD.came_at)
        AND (OLD.player_id IS NULL OR NEW.player_id = OLD.player_id)
        AND (OLD.state = 'new'
            OR OLD.state = 'suspense' AND NEW.state IN ('assigned', 'settled', 'sent_back')
            OR OLD.state = 'unexplained' AND NEW.state = 'explained')
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'bank_entry_is_final: entry % is %; % is refused', OLD.id, OLD.state, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bank_entry_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""



class Migration(migrations.Migration):
    dependencies = [("bank", "0005_files_of_two_operators")]

    operations = [
        migrations.AddField("bankentry", "whole", models.CharField(max_length=100, blank=True, default="")),
        migrations.AddIndex(
            "bankentry",
            models.Index(name="bank_entry_by_whole", fields=["account", "whole"], condition=~Q(whole="")),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
