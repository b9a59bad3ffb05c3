-- At commit a balance is what its account's entries say: money appears and goes only through an entry.
--
-- The book's functions have made sure of it themselves and are spared; see refuse_by_hand.sql.
CREATE FUNCTION public.ledger_refuse_balances() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    standing public.ledger_balance;
    known    public.ledger_account;
    latest   record;
BEGIN
    SELECT * INTO standing FROM public.ledger_balance b WHERE b.account_id = NEW.account_id;
    SELECT * INTO known FROM public.ledger_account a WHERE a.id = NEW.account_id;
    IF (known.guarded, known.hot) IS DISTINCT FROM (standing.guarded, standing.hot) THEN
        RAISE EXCEPTION 'ledger_balance_keeps_its_nature: account % is what it was opened as, guarded or hot', NEW.account_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.hot THEN
        RAISE EXCEPTION 'ledger_by_function_only: % on ledger_balance by hand is refused', TG_OP
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT e.version, e.balance_after, j.posted_at INTO latest
        FROM public.ledger_entry e LEFT JOIN public.ledger_journal j ON j.id = e.journal_id
        WHERE e.account_id = NEW.account_id ORDER BY e.version DESC LIMIT 1;
    IF standing.amount IS DISTINCT FROM coalesce(latest.balance_after, 0)
       OR standing.version IS DISTINCT FROM coalesce(latest.version, 0)
       OR standing.posted_at IS DISTINCT FROM latest.posted_at
    THEN
        RAISE EXCEPTION 'ledger_balance_from_entries: account % stands at % (version %, %), its entries say % (version %, %)',
            NEW.account_id, standing.amount, standing.version, standing.posted_at,
            coalesce(latest.balance_after, 0), coalesce(latest.version, 0), latest.posted_at
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER ledger_balance_from_entries AFTER INSERT OR UPDATE ON public.ledger_balance
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user <> 'book_writer')
    EXECUTE FUNCTION public.ledger_refuse_balances();
