-- Nothing that was written is ever changed or removed: a mistake is reversed.
CREATE FUNCTION public.ledger_refuse_changes() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION 'ledger_append_only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON public.ledger_journal
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON public.ledger_entry
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON public.ledger_sealed
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON public.ledger_seal
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON public.ledger_account
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE DELETE ON public.ledger_hold
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
CREATE TRIGGER ledger_append_only BEFORE DELETE ON public.ledger_balance
    FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_changes();
