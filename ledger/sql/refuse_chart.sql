-- Kinds and currencies are what the code says. They are written while the ledger's sql is applied (ledger/sql/__init__.py),
-- when this trigger is not there, and at no other time.
CREATE FUNCTION public.ledger_refuse_chart() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION 'ledger_chart_from_code: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER ledger_chart_from_code BEFORE INSERT OR UPDATE OR DELETE ON public.ledger_kind
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_chart();
CREATE TRIGGER ledger_chart_from_code BEFORE INSERT OR UPDATE OR DELETE ON public.ledger_currency
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_chart();
