"""What a contest did to a rating stays as it was recorded, whoever asks. The trigger refuses and never writes."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION rating_change_is_final() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'rating_change_is_final: contest % was rated; % is refused', OLD.contest, TG_OP
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'rating_change_is_final', TABLE = TG_TABLE_NAME;
END
$$;

CREATE TRIGGER rating_change_is_final BEFORE UPDATE OR DELETE ON ratings_ratingchange
    FOR EACH ROW EXECUTE FUNCTION rating_change_is_final();
"""

BACKWARD = """
DROP TRIGGER rating_change_is_final ON ratings_ratingchange;
DROP FUNCTION rating_change_is_final();
"""


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
