-- ledger_balance_at: what an account held at an instant of book time (posted_at), that instant included.
--
-- Cold: what its latest entry left (ledger_version_at). Hot: the totals kept by the latest seal that lies wholly before the
-- instant, and the journals since.
CREATE FUNCTION public.ledger_balance_at(account bigint, instant timestamptz) RETURNS numeric
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    kept   record;
    known  public.ledger_account;
    after  numeric := 0;
    latest bigint;
BEGIN
    SELECT * INTO known FROM public.ledger_account a WHERE a.id = account;
    IF known.hot THEN
        SELECT s.last, coalesce((s.totals -> 'hot' ->> account::text)::numeric, 0) AS amount INTO kept
            FROM public.ledger_seal s WHERE s.posted_until <= instant ORDER BY s.last DESC LIMIT 1;
        SELECT coalesce(sum(CASE WHEN e.side = known.grows_on THEN e.amount ELSE -e.amount END), 0) INTO after
            FROM public.ledger_entry e JOIN public.ledger_journal j ON j.id = e.journal_id AND j.posted_at <= instant
            WHERE e.account_id = account
              AND e.version > coalesce((SELECT n.journal_id FROM public.ledger_sealed n WHERE n.number = kept.last), 0);
        RETURN coalesce(kept.amount, 0) + after;
    END IF;
    latest := public.ledger_version_at(account, instant);
    SELECT e.balance_after INTO after FROM public.ledger_entry e WHERE e.account_id = account AND e.version = latest;
    RETURN coalesce(after, 0);
END
$$;
