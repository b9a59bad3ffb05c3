"""A table stays as it was opened, and what was reported of it as it was reported, whoever asks: money follows both."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION table_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'table_is_final: table % was opened; % is refused', OLD.id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'table_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE FUNCTION record_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'record_is_final: table % was reported; % is refused', OLD.table_id, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'record_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER table_is_final BEFORE UPDATE OR DELETE ON games_table
    FOR EACH ROW EXECUTE FUNCTION table_is_final();
CREATE TRIGGER record_is_final BEFORE UPDATE OR DELETE ON games_record
    FOR EACH ROW EXECUTE FUNCTION record_is_final();
CREATE TRIGGER record_is_final BEFORE UPDATE OR DELETE ON games_game
    FOR EACH ROW EXECUTE FUNCTION record_is_final();
"""

BACKWARD = """
DROP TRIGGER record_is_final ON games_game;
DROP TRIGGER record_is_final ON games_record;
DROP TRIGGER table_is_final ON games_table;
DROP FUNCTION record_is_final();
DROP FUNCTION table_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_tables_games_and_records")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
