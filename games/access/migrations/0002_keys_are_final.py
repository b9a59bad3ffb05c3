"""A room's key stays the key of that room, for those scopes: only its end and its use may be written later."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION room_key_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE'
       AND (NEW.id, NEW.room_id, NEW.scopes, NEW.salt, NEW.created_at, NEW.not_before, NEW.expires_at)
           IS NOT DISTINCT FROM
           (OLD.id, OLD.room_id, OLD.scopes, OLD.salt, OLD.created_at, OLD.not_before, OLD.expires_at)
       AND (OLD.revoked_at IS NULL OR NEW.revoked_at IS NOT DISTINCT FROM OLD.revoked_at)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'room_key_is_final: key % was issued; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'room_key_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER room_key_is_final BEFORE UPDATE OR DELETE ON access_roomkey
    FOR EACH ROW EXECUTE FUNCTION room_key_is_final();
"""

BACKWARD = """
DROP TRIGGER room_key_is_final ON access_roomkey;
DROP FUNCTION room_key_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("access", "0001_access")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
