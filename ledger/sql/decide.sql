-- ledger_decide: ledger_post's second step, for what is more than one voucher, has holds or is not in order. Only
-- ledger_post calls it, under its settings and as book_writer.
CREATE FUNCTION public.ledger_decide(
    keys text[], events text[], fingerprints bytea[], occurred timestamptz[], details jsonb[], reverse_of bigint[],
    line_voucher int[], line_code text[], line_owner uuid[], line_currency text[], line_side text[],
    line_amount numeric[],
    open_voucher int[], open_id uuid[], open_owner uuid[], open_currency text[], open_amount numeric[],
    close_voucher int[], close_id uuid[], close_state text[]
) RETURNS TABLE (outcome text, journal bigint, posted timestamptz, balances numeric[], refusal text[])
LANGUAGE plpgsql
AS $$
DECLARE
    vouchers    CONSTANT int := cardinality(keys);
    lines       CONSTANT int := cardinality(line_voucher);
    opens       CONSTANT int := cardinality(open_voucher);
    closes      CONSTANT int := cardinality(close_voucher);
    ids         bigint[];            -- a voucher: its journal
    outcomes    text[];              -- a voucher: null until decided
    refusals    text[];              -- a voucher: '{...}' as text, since arrays of arrays must be rectangular
    written     int;                 -- rows of the last statement
    violated    text;
    account_ids bigint[];            -- a line: its account
    slots       int[];               -- a line: its cold account's place in the arrays of balances; null if hot
    effects     numeric[];           -- a line: what it adds to the account
    debits      numeric[];           -- a line: its amount, negative for a credit
    afters      numeric[];           -- a line: the balance after it; null if hot
    versions    bigint[];            -- a line: its version
    accepted    boolean[];           -- a line: of a voucher that is posted
    grows_on    text[];              -- a line: the account's own side
    digits      int[];               -- a line: the currency's minor digits
    cold_ids    bigint[];            -- a slot: account, guarded?, balance, version, moved
    cold_guard  boolean[];
    cold_amount numeric[];
    cold_next   bigint[];
    cold_moved  int[];               -- ... by which voucher last; 0 if by none
    latest      timestamptz;
    now_posted  timestamptz;
    taken       uuid[];              -- hold ids that exist already
    hold_owner  uuid[];              -- a close: what the hold is
    hold_money  text[];
    hold_amount numeric[];
    hold_state  text[];
    line_hot    boolean[];           -- a line: a hot account's?
    any_escrow  boolean;
    sound       boolean := true;     -- every amount of the call is good and every account open
    repeated    boolean;             -- the call closes a hold more than once
    any_posted  boolean := false;
    found       record;
    v int; i int; j int; s int;
    l_from int := 1; l_to int; o_from int := 1; o_to int; c_from int := 1; c_to int;
    bad text; why text[]; sums jsonb; net numeric; held numeric; covered int; after numeric;
    money text; several boolean;
BEGIN
    IF vouchers > 1000 OR current_setting('transaction_isolation') <> 'read committed' THEN
        IF vouchers > 1000 THEN
            RAISE EXCEPTION 'ledger_post: % vouchers in one call, at most 1000', vouchers USING ERRCODE = '22023';
        END IF;
        RAISE EXCEPTION 'ledger_post: runs in READ COMMITTED only' USING ERRCODE = '25001';
    END IF;

    IF vouchers > 1 THEN
        SELECT k.key INTO found FROM unnest(keys) AS k (key) GROUP BY k.key HAVING count(*) > 1 LIMIT 1;
        IF found.key IS NOT NULL THEN
            RAISE EXCEPTION 'ledger_post: key % stands twice in one call', found.key USING ERRCODE = '22023';
        END IF;
    END IF;
    outcomes := array_fill(NULL::text, ARRAY[vouchers]);
    refusals := outcomes;

    -- Ids are drawn under this lock, which the seal and the roll-up look for.
    LOCK TABLE public.ledger_journal IN ROW EXCLUSIVE MODE;

    -- Find the accounts; open those that are named for the first time.
    LOOP
        SELECT array_agg(a.id), array_agg(a.grows_on), array_agg(a.minor_digits), array_agg(a.hot)
            INTO account_ids, grows_on, digits, line_hot
            FROM (SELECT unnest(line_code) AS code, unnest(line_owner) AS owner, unnest(line_currency) AS currency) AS l
            LEFT JOIN public.ledger_account a ON a.code = l.code AND a.owner = l.owner AND a.currency = l.currency;
        EXIT WHEN array_position(account_ids, NULL) IS NULL;
        WITH opened AS (
            INSERT INTO public.ledger_account (code, owner, currency, grows_on, minor_digits, guarded, hot)
                SELECT DISTINCT k.code, line_owner[l], c.code, k.grows_on, c.minor_digits, k.guarded, k.hot
                FROM generate_series(1, lines) AS l
                JOIN public.ledger_kind k ON k.code = line_code[l]
                JOIN public.ledger_currency c ON c.code = line_currency[l]
                     AND CASE c.zone WHEN 'amateurs' THEN k.amateurs ELSE k.professionals END
                WHERE line_owner[l] IS NOT NULL
                ORDER BY k.code, line_owner[l], c.code
                ON CONFLICT (code, owner, currency) DO NOTHING
                RETURNING id, guarded, hot)
        INSERT INTO public.ledger_balance (account_id, guarded, hot, amount, version)
            SELECT id, guarded, hot, 0, 0 FROM opened;
        GET DIAGNOSTICS written = ROW_COUNT;
        IF written = 0 AND NOT EXISTS (
            SELECT FROM generate_series(1, lines) AS l
            JOIN public.ledger_account a
                 ON a.code = line_code[l] AND a.owner = line_owner[l] AND a.currency = line_currency[l]
            WHERE account_ids[l] IS NULL)
        THEN
            EXIT;  -- the rest have no place in the chart; their vouchers are refused below
        END IF;
    END LOOP;

    -- Lock the cold balances by account id, then the holds by theirs: everyone does, so nobody deadlocks.
    SELECT array_agg(b.account_id), array_agg(b.guarded), array_agg(b.amount), array_agg(b.version), max(b.posted_at)
        INTO cold_ids, cold_guard, cold_amount, cold_next, latest
        FROM (SELECT b.account_id, b.guarded, b.amount, b.version, b.posted_at FROM public.ledger_balance b
              WHERE b.account_id = ANY (account_ids) AND NOT b.hot
              ORDER BY b.account_id FOR NO KEY UPDATE) AS b;
    IF lines <= 16 THEN
        FOR i IN 1 .. lines LOOP slots[i] := array_position(cold_ids, account_ids[i]); END LOOP;
    ELSE
        slots := ARRAY(
            SELECT CASE WHEN NOT line_hot[l]
                   THEN dense_rank() OVER (PARTITION BY line_hot[l] ORDER BY account_ids[l]) END
            FROM generate_series(1, lines) AS l ORDER BY l);
    END IF;
    FOR i IN 1 .. lines LOOP
        debits[i] := CASE line_side[i] WHEN 'DR' THEN line_amount[i] WHEN 'CR' THEN -line_amount[i] END;
        sound := sound AND (debits[i] IS NOT NULL AND line_amount[i] > 0 AND line_amount[i] < 1e12
                            AND scale(line_amount[i]) <= digits[i]) IS TRUE;
        effects[i] := CASE WHEN grows_on[i] = line_side[i] THEN line_amount[i] ELSE -line_amount[i] END;
    END LOOP;
    -- What is unnested above must be what is subscripted below. (ledger_post unnests whatever it takes.)
    IF 1 <> ANY (ARRAY[array_lower(line_code, 1), array_lower(line_owner, 1), array_lower(line_currency, 1),
                       array_lower(close_id, 1), array_ndims(line_code), array_ndims(line_owner),
                       array_ndims(line_currency), array_ndims(close_id)])
    THEN
        RAISE EXCEPTION 'ledger_post: arrays have one dimension and begin at 1' USING ERRCODE = '22023';
    END IF;
    any_escrow := 'escrow' = ANY (line_code);
    IF opens > 0 THEN
        taken := ARRAY(SELECT h.id FROM public.ledger_hold h WHERE h.id = ANY (open_id));
    END IF;
    IF closes > 0 THEN
        PERFORM 1 FROM public.ledger_hold h WHERE h.id = ANY (close_id) ORDER BY h.id FOR NO KEY UPDATE;
        SELECT array_agg(h.owner), array_agg(h.currency), array_agg(h.amount), array_agg(h.state)
            INTO hold_owner, hold_money, hold_amount, hold_state
            FROM (SELECT h.owner, h.currency, h.amount, h.state
                  FROM generate_series(1, closes) AS c LEFT JOIN public.ledger_hold h ON h.id = close_id[c] ORDER BY c) AS h;
        repeated := closes > (SELECT count(DISTINCT c.id) FROM unnest(close_id) AS c (id));
    END IF;
    now_posted := greatest(clock_timestamp(), latest);

    -- What is in the book already is answered as it was.
    FOR found IN
        SELECT n AS place, j.id, j.fingerprint = fingerprints[n] AS same, j.event
        FROM generate_series(1, vouchers) AS n JOIN public.ledger_journal j ON j.key = keys[n]
    LOOP
        ids[found.place] := found.id;
        outcomes[found.place] := CASE WHEN found.same THEN 'replayed' ELSE 'key_reused' END;
        refusals[found.place] := CASE WHEN NOT found.same THEN ARRAY[found.event]::text END;
    END LOOP;

    -- Decide voucher by voucher, in their order, on the balances as the ones before left them.
    afters := array_fill(NULL::numeric, ARRAY[lines]);
    versions := array_fill(NULL::bigint, ARRAY[lines]);
    accepted := array_fill(false, ARRAY[lines]);
    cold_moved := array_fill(0, ARRAY[coalesce(cardinality(cold_ids), 0)]);
    FOR v IN 1 .. vouchers LOOP
        l_to := l_from; o_to := o_from; c_to := c_from;
        WHILE l_to <= lines AND line_voucher[l_to] = v LOOP l_to := l_to + 1; END LOOP;
        WHILE o_to <= opens AND open_voucher[o_to] = v LOOP o_to := o_to + 1; END LOOP;
        WHILE c_to <= closes AND close_voucher[c_to] = v LOOP c_to := c_to + 1; END LOOP;

        IF outcomes[v] IS NULL THEN
            bad := NULL; net := 0; several := false;
            money := CASE WHEN l_to > l_from THEN line_currency[l_from] END;  -- without lines, in no currency
            IF NOT sound THEN
                FOR i IN l_from .. l_to - 1 LOOP
                    IF (line_amount[i] > 0 AND line_amount[i] < 1e12 AND debits[i] IS NOT NULL) IS NOT TRUE
                       OR scale(line_amount[i]) > digits[i]
                    THEN
                        bad := 'invalid_amount';
                        why := ARRAY[line_code[i], line_owner[i]::text, line_currency[i], line_amount[i]::text];
                        EXIT;
                    END IF;
                END LOOP;
                FOR i IN l_from .. l_to - 1 LOOP
                    IF bad IS NULL AND account_ids[i] IS NULL THEN
                        bad := 'unknown_account'; why := ARRAY[line_code[i], line_owner[i]::text, line_currency[i]];
                    END IF;
                END LOOP;
            END IF;
            FOR i IN l_from .. l_to - 1 LOOP
                net := net + debits[i];
                several := several OR line_currency[i] <> money;
            END LOOP;
            IF bad IS NULL AND several THEN
                SELECT l.currency, sum(l.debit) INTO money, net
                    FROM unnest(line_currency[l_from : l_to - 1], debits[l_from : l_to - 1]) AS l (currency, debit)
                    GROUP BY l.currency HAVING sum(l.debit) <> 0 LIMIT 1;
                IF net IS NULL AND 1 < (SELECT count(DISTINCT c.zone) FROM public.ledger_currency c
                                        WHERE c.code = ANY (line_currency[l_from : l_to - 1]))
                THEN
                    bad := 'zones_mixed'; why := ARRAY[]::text[];
                END IF;
            END IF;
            IF bad IS NULL AND (net <> 0 OR l_to = l_from) THEN
                bad := 'unbalanced'; why := ARRAY[money, net::text];
            END IF;

            -- Holds: each closes once, and an escrow account moves by exactly what they open and close.
            IF bad IS NULL AND (any_escrow OR o_to > o_from OR c_to > c_from) THEN
                FOR i IN c_from .. c_to - 1 LOOP
                    IF hold_state[i] IS NULL THEN
                        -- Perhaps opened by an earlier voucher of this very call; refused ones may have named it too.
                        j := array_position(open_id, close_id[i]);
                        WHILE j < o_from AND outcomes[open_voucher[j]] <> 'posted' LOOP
                            j := array_position(open_id, close_id[i], j + 1);
                        END LOOP;
                        IF j IS NULL OR j >= o_from THEN
                            bad := 'unknown_hold'; why := ARRAY[close_id[i]::text];
                            EXIT;
                        END IF;
                        hold_owner[i] := open_owner[j]; hold_money[i] := open_currency[j];
                        hold_amount[i] := open_amount[j]; hold_state[i] := 'OPEN';
                    END IF;
                    IF hold_state[i] <> 'OPEN' OR (i > c_from AND close_id[i] = ANY (close_id[c_from : i - 1])) THEN
                        bad := 'hold_closed'; why := ARRAY[close_id[i]::text, hold_state[i]];
                    END IF;
                END LOOP;
                FOR i IN o_from .. o_to - 1 LOOP
                    EXIT WHEN bad IS NOT NULL;
                    j := array_position(open_id, open_id[i]);
                    WHILE j < o_from AND outcomes[open_voucher[j]] <> 'posted' LOOP
                        j := array_position(open_id, open_id[i], j + 1);
                    END LOOP;
                    IF open_id[i] = ANY (taken) OR j < i THEN
                        bad := 'hold_exists'; why := ARRAY[open_id[i]::text];
                    END IF;
                END LOOP;
                covered := 0;
                FOR i IN l_from .. l_to - 1 LOOP
                    EXIT WHEN bad IS NOT NULL;
                    CONTINUE WHEN line_code[i] <> 'escrow';
                    held := 0;
                    FOR j IN o_from .. o_to - 1 LOOP
                        IF open_owner[j] = line_owner[i] AND open_currency[j] = line_currency[i] THEN
                            held := held + open_amount[j]; covered := covered + 1;
                            IF (open_amount[j] > 0 AND open_amount[j] < 1e12 AND scale(open_amount[j]) <= digits[i])
                               IS NOT TRUE
                            THEN
                                bad := 'invalid_amount';
                                why := ARRAY['escrow', open_owner[j]::text, open_currency[j], open_amount[j]::text];
                            END IF;
                        END IF;
                    END LOOP;
                    FOR j IN c_from .. c_to - 1 LOOP
                        IF hold_owner[j] = line_owner[i] AND hold_money[j] = line_currency[i] THEN
                            held := held - hold_amount[j]; covered := covered + 1;
                        END IF;
                    END LOOP;
                    IF bad IS NULL AND held <> effects[i] THEN
                        bad := 'holds_differ';
                        why := ARRAY[line_code[i], line_owner[i]::text, line_currency[i], effects[i]::text, held::text];
                    END IF;
                END LOOP;
                IF bad IS NULL AND covered <> o_to - o_from + c_to - c_from THEN
                    bad := 'holds_differ'; why := ARRAY['escrow', NULL, NULL, '0', 'a hold without its escrow line'];
                END IF;
            END IF;

            -- Nobody falls below zero.
            FOR i IN l_from .. l_to - 1 LOOP
                s := slots[i];
                IF bad IS NULL AND cold_guard[s] AND cold_amount[s] + effects[i] < 0 THEN
                    bad := 'insufficient_funds';
                    why := ARRAY[line_code[i], line_owner[i]::text, line_currency[i], cold_amount[s]::text,
                                 line_amount[i]::text];
                END IF;
            END LOOP;

            IF bad IS NOT NULL THEN
                outcomes[v] := bad; refusals[v] := why::text;
            ELSE
                outcomes[v] := 'posted'; any_posted := true;
                ids[v] := nextval('public.ledger_journal_id_seq');
                FOR i IN l_from .. l_to - 1 LOOP
                    accepted[i] := true;
                    s := slots[i];
                    IF s IS NULL THEN
                        versions[i] := ids[v];
                    ELSE
                        after := cold_amount[s] + effects[i];
                        cold_amount[s] := after; afters[i] := after;
                        cold_next[s] := cold_next[s] + 1; versions[i] := cold_next[s];
                        IF cold_moved[s] = v THEN
                            RAISE EXCEPTION 'ledger_post: account % stands twice in one voucher', account_ids[i]
                                USING ERRCODE = '22023';
                        END IF;
                        cold_moved[s] := v;
                    END IF;
                END LOOP;
                -- A later voucher of this call that closes the same hold must find it closed.
                IF repeated THEN
                    FOR i IN c_from .. c_to - 1 LOOP
                        FOR j IN c_to .. closes LOOP
                            IF close_id[j] = close_id[i] THEN hold_state[j] := close_state[i]; END IF;
                        END LOOP;
                    END LOOP;
                END IF;
            END IF;
        END IF;
        l_from := l_to; o_from := o_to; c_from := c_to;
    END LOOP;
    IF l_from <= lines OR o_from <= opens OR c_from <= closes THEN
        RAISE EXCEPTION 'ledger_post: lines and holds come in the order of the vouchers' USING ERRCODE = '22023';
    END IF;

    IF any_posted THEN
        BEGIN
            INSERT INTO public.ledger_journal
                    (id, key, event, fingerprint, occurred_at, posted_at, reverses, xact, detail)
                SELECT ids[n], keys[n], events[n], fingerprints[n], occurred[n], now_posted, reverse_of[n],
                       pg_current_xact_id(), details[n]
                FROM generate_series(1, vouchers) AS n WHERE outcomes[n] = 'posted' ORDER BY keys[n];
        EXCEPTION WHEN unique_violation THEN
            GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
            IF violated <> 'ledger_journal_key_once' THEN
                RAISE;
            END IF;
            -- A rival has written one of the keys since they were read. Nothing of this call is written yet: again.
            RETURN QUERY SELECT * FROM public.ledger_decide(
                keys, events, fingerprints, occurred, details, reverse_of,
                line_voucher, line_code, line_owner, line_currency, line_side, line_amount,
                open_voucher, open_id, open_owner, open_currency, open_amount, close_voucher, close_id, close_state);
            RETURN;
        END;
        INSERT INTO public.ledger_entry (account_id, version, journal_id, side, amount, balance_after)
            SELECT account_ids[l], versions[l], ids[line_voucher[l]], line_side[l], line_amount[l], afters[l]
            FROM generate_series(1, lines) AS l WHERE accepted[l];
        UPDATE public.ledger_balance b SET amount = cold_amount[c], version = cold_next[c], posted_at = now_posted
            FROM generate_series(1, cardinality(cold_ids)) AS c WHERE b.account_id = cold_ids[c] AND cold_moved[c] > 0;
        IF opens > 0 THEN
            INSERT INTO public.ledger_hold (id, owner, currency, amount, state, opened_by)
                SELECT open_id[o], open_owner[o], open_currency[o], open_amount[o], 'OPEN', ids[open_voucher[o]]
                FROM generate_series(1, opens) AS o WHERE outcomes[open_voucher[o]] = 'posted';
        END IF;
        IF closes > 0 THEN
            UPDATE public.ledger_hold h SET state = close_state[c], closed_by = ids[close_voucher[c]]
                FROM generate_series(1, closes) AS c WHERE h.id = close_id[c] AND outcomes[close_voucher[c]] = 'posted';
        END IF;
    END IF;

    -- A refused voucher leaves nothing: its key may be tried again. Replays find what the first answer said.
    l_from := 1;
    FOR v IN 1 .. vouchers LOOP
        l_to := l_from;
        WHILE l_to <= lines AND line_voucher[l_to] = v LOOP l_to := l_to + 1; END LOOP;
        outcome := outcomes[v]; journal := ids[v]; posted := now_posted; balances := NULL; refusal := refusals[v]::text[];
        FOR i IN l_from .. l_to - 1 LOOP balances[i - l_from + 1] := afters[i]; END LOOP;
        IF outcome = 'replayed' THEN
            SELECT e.posted_at INTO posted FROM public.ledger_journal e WHERE e.id = ids[v];
            balances := ARRAY(
                SELECT e.balance_after
                FROM unnest(account_ids[l_from : l_to - 1]) WITH ORDINALITY AS l (account, place)
                JOIN public.ledger_entry e ON e.journal_id = ids[v] AND e.account_id = l.account
                ORDER BY l.place);
        ELSIF outcome <> 'posted' THEN
            journal := NULL; posted := NULL; balances := NULL;
        END IF;
        l_from := l_to;
        RETURN NEXT;
    END LOOP;
END
$$;
