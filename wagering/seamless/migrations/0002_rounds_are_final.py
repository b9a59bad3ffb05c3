"""What was said stays as it was; a round is closed once, a session ended once, and nothing else of them changes."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION message_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'message_is_final: message % counted; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'message_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER message_is_final BEFORE UPDATE OR DELETE ON seamless_message
    FOR EACH ROW EXECUTE FUNCTION message_is_final();

CREATE FUNCTION round_closes_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL
       AND (NEW.id, NEW.room_id, NEW.name, NEW.currency, NEW.tariff_id, NEW.opened_at)
           = (OLD.id, OLD.room_id, OLD.name, OLD.currency, OLD.tariff_id, OLD.opened_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'round_closes_once: round %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'round_closes_once', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER round_closes_once BEFORE UPDATE OR DELETE ON seamless_round
    FOR EACH ROW EXECUTE FUNCTION round_closes_once();

CREATE FUNCTION session_ends_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
       AND (NEW.id, NEW.player_id, NEW.room_id, NEW.currency, NEW.digest, NEW.opened_at, NEW.expires_at)
           = (OLD.id, OLD.player_id, OLD.room_id, OLD.currency, OLD.digest, OLD.opened_at, OLD.expires_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'session_ends_once: session %; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'session_ends_once', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER session_ends_once BEFORE UPDATE ON seamless_session
    FOR EACH ROW EXECUTE FUNCTION session_ends_once();
"""

BACKWARD = """
DROP TRIGGER message_is_final ON seamless_message;
DROP FUNCTION message_is_final();
DROP TRIGGER round_closes_once ON seamless_round;
DROP FUNCTION round_closes_once();
DROP TRIGGER session_ends_once ON seamless_session;
DROP FUNCTION session_ends_once();
"""


class Migration(migrations.Migration):
    dependencies = [("seamless", "0001_rounds")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
