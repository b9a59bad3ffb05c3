"""An erasure is final; and it may take a person's name out of a record, and empty what a provider said, which nothing
else may."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION erasure_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'erasure_is_final: player % was erased; % is refused', OLD.player_id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'erasure_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER erasure_is_final BEFORE UPDATE OR DELETE ON privacy_erasure
    FOR EACH ROW EXECUTE FUNCTION erasure_is_final();

CREATE OR REPLACE FUNCTION record_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'games_record' THEN
        IF (NEW.table_id, NEW.reported_at) = (OLD.table_id, OLD.reported_at)
            AND NEW.sha256 = encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex')
            AND EXISTS (
                SELECT FROM public.privacy_erasure e JOIN public.games_table t
                    ON e.player_id IN (t.player_1_id, t.player_2_id)
                WHERE t.id = OLD.table_id)
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'record_is_final: table % was reported; % is refused', OLD.table_id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'record_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE OR REPLACE FUNCTION event_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND (OLD.done_at IS NULL OR (NEW.done_at, NEW.outcome) = (OLD.done_at, OLD.outcome))
        AND (NEW.id, NEW.provider, NEW.event_id, NEW.kind, NEW.tells, NEW.received_at)
            IS NOT DISTINCT FROM
            (OLD.id, OLD.provider, OLD.event_id, OLD.kind, OLD.tells, OLD.received_at)
        AND (NEW.body = OLD.body OR NEW.body = '' AND OLD.done_at IS NOT NULL)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'event_is_final: event %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'event_is_final', TABLE = TG_TABLE_NAME;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("privacy", "0001_erasures"),
        ("games", "0004_cube"),
        ("deposits", "0002_deposits_are_final"),
    ]

    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
