-- ledger_roll_up: fold what hot accounts have gathered into their balances; returns how many deltas were folded.
CREATE FUNCTION public.ledger_roll_up() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    folded bigint;
BEGIN
    -- One at a time; a second run finds nothing left to do. The number is "roll" in ASCII.
    PERFORM pg_advisory_xact_lock(x'726f6c6c'::int);
    WITH taken AS (DELETE FROM public.ledger_delta RETURNING account_id, amount),
         sums AS (SELECT account_id, sum(amount) AS amount, count(*) AS count FROM taken GROUP BY account_id),
         moved AS (UPDATE public.ledger_balance b SET amount = b.amount + s.amount FROM sums s
                   WHERE b.account_id = s.account_id RETURNING s.count)
    SELECT coalesce(sum(count), 0) INTO folded FROM moved;
    RETURN folded;
END
$$;
