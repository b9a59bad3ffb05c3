"""What was told stays told: a notice is read once, and nothing else of it changes; a delivery stays whose it is."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION notice_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.read_at IS NULL
        AND (NEW.id, NEW.player_id, NEW.kind, NEW.data, NEW.at)
            IS NOT DISTINCT FROM (OLD.id, OLD.player_id, OLD.kind, OLD.data, OLD.at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'notice_is_final: notice % was told; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'notice_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER notice_is_final BEFORE UPDATE OR DELETE ON notices_notice
    FOR EACH ROW EXECUTE FUNCTION notice_is_final();

CREATE FUNCTION delivery_is_of_a_notice() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.id, NEW.notice_id, NEW.endpoint_id) = (OLD.id, OLD.notice_id, OLD.endpoint_id) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'delivery_is_of_a_notice: delivery % stays; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'delivery_is_of_a_notice', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER delivery_is_of_a_notice BEFORE UPDATE OR DELETE ON notices_delivery
    FOR EACH ROW EXECUTE FUNCTION delivery_is_of_a_notice();
"""

BACKWARD = """
DROP TRIGGER notice_is_final ON notices_notice;
DROP FUNCTION notice_is_final();
DROP TRIGGER delivery_is_of_a_notice ON notices_delivery;
DROP FUNCTION delivery_is_of_a_notice();
"""


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_notices")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
