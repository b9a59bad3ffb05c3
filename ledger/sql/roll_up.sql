-- ledger_roll_up: fold what hot accounts have gathered into their balances; returns how many entries were folded.
--
-- A hot account's balance row has the sum of its entries up to the journal that its version names; what came since is
-- read from the entries.
CREATE FUNCTION public.ledger_roll_up() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    settled bigint;
    folded  bigint;
BEGIN
    -- One at a time; a second run finds nothing left to do. The number is "roll" in ASCII.
    PERFORM pg_advisory_xact_lock(x'726f6c6c'::int);
    settled := public.ledger_settled();
    WITH sums AS (
        SELECT b.account_id, max(e.version) AS version, count(*) AS count,
               sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END) AS amount
        FROM public.ledger_balance b JOIN public.ledger_account a ON a.id = b.account_id
        JOIN public.ledger_entry e ON e.account_id = b.account_id AND e.version > b.version AND e.version <= settled
        WHERE b.hot GROUP BY b.account_id),
    moved AS (
        UPDATE public.ledger_balance b SET amount = b.amount + s.amount, version = s.version
            FROM sums s WHERE b.account_id = s.account_id RETURNING s.count)
    SELECT coalesce(sum(count), 0) INTO folded FROM moved;
    RETURN folded;
END
$$;
