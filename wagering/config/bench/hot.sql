-- One voucher a call, from a wallet to the room's commission; the same as population.hot.
\set payer 100000000000 + random(1, 1000)
\set cents random(10, 99)
\set high random(1152921504606846976, 9223372036854775806)
\set low random(1152921504606846976, 9223372036854775806)
SELECT outcome FROM public.ledger_post(
    ARRAY['bench_transfer:' || to_hex(:high::bigint) || to_hex(:low::bigint)], ARRAY['bench_transfer'],
    ARRAY[sha256((E'bench_transfer\nCR commission 00000000-0000-4000-9000-000000000001 USD 0.' || :cents::text
               || E'\nDR wallet 00000000-0000-4000-8000-' || :payer::text || ' USD 0.' || :cents::text)::bytea)],
    ARRAY[now()], ARRAY['{}'::jsonb], ARRAY[NULL::bigint],
    ARRAY[1, 1], ARRAY['commission', 'wallet'],
    ARRAY['00000000-0000-4000-9000-000000000001'::uuid, ('00000000-0000-4000-8000-' || :payer::text)::uuid],
    ARRAY['USD', 'USD'], ARRAY['CR', 'DR'], ARRAY[('0.' || :cents::text)::numeric, ('0.' || :cents::text)::numeric],
    '{}'::int[], '{}'::uuid[], '{}'::uuid[], '{}'::text[], '{}'::numeric[], '{}'::int[], '{}'::uuid[], '{}'::text[])
