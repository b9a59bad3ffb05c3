-- Entries come complete, in one statement, with their journal's transaction, and continue each account's chain.
CREATE FUNCTION public.ledger_refuse_entries() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bad record;
BEGIN
    SELECT n.journal_id, n.account_id INTO bad FROM added n
        LEFT JOIN public.ledger_account a ON a.id = n.account_id WHERE a.id IS NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_account_exists: journal % names account %, which is not open',
            bad.journal_id, bad.account_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id INTO bad FROM (SELECT DISTINCT a.journal_id FROM added a) n
        LEFT JOIN public.ledger_journal j ON j.id = n.journal_id AND j.xact = pg_current_xact_id()
        WHERE j.id IS NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_of_this_transaction: journal % is not of this transaction', bad.journal_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id INTO bad FROM (SELECT a.journal_id, count(*) AS count FROM added a GROUP BY a.journal_id) n
        WHERE n.count <> (SELECT count(*) FROM public.ledger_entry e WHERE e.journal_id = n.journal_id) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_one_statement: journal % has entries already', bad.journal_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id, a.currency, sum(CASE n.side WHEN 'DR' THEN n.amount ELSE -n.amount END) AS difference INTO bad
        FROM added n JOIN public.ledger_account a ON a.id = n.account_id
        GROUP BY n.journal_id, a.currency
        HAVING sum(CASE n.side WHEN 'DR' THEN n.amount ELSE -n.amount END) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_balanced: journal % has debits less credits of % %, not zero',
            bad.journal_id, bad.difference, bad.currency USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id INTO bad FROM added n JOIN public.ledger_account a ON a.id = n.account_id
        LEFT JOIN public.ledger_currency c ON c.code = a.currency
        GROUP BY n.journal_id HAVING count(DISTINCT c.zone) <> 1 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_one_zone: journal % moves both play money and real money', bad.journal_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id, n.amount, a.currency INTO bad FROM added n JOIN public.ledger_account a ON a.id = n.account_id
        WHERE scale(n.amount) > a.minor_digits LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_scale: journal % moves % %, finer than the minor unit',
            bad.journal_id, bad.amount, bad.currency USING ERRCODE = 'integrity_constraint_violation';
    END IF;

    SELECT n.journal_id, n.account_id, n.version INTO bad
        FROM added n JOIN public.ledger_account a ON a.id = n.account_id
        LEFT JOIN public.ledger_entry p ON p.account_id = n.account_id AND p.version = n.version - 1
        WHERE CASE WHEN a.hot THEN n.version <> n.journal_id OR n.balance_after IS NOT NULL
              ELSE n.version < 1 OR n.balance_after IS NULL OR (n.version > 1 AND p.version IS NULL)
                   OR n.balance_after <> coalesce(p.balance_after, 0)
                                         + CASE WHEN n.side = a.grows_on THEN n.amount ELSE -n.amount END
              END LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger_entry_continues: journal % does not continue account % at version %',
            bad.journal_id, bad.account_id, bad.version USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER ledger_entry_checked AFTER INSERT ON public.ledger_entry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (current_user <> 'book_writer') EXECUTE FUNCTION public.ledger_refuse_entries();
