-- One voucher a call, from one wallet to another; the same as population.spread.
\set payer random(1, 1000)
\set payee (:payer + random(0, 998)) % 1000 + 1
\set cents random(1, 99)
SELECT p.outcome FROM (
    SELECT 'bench_transfer:' || gen_random_uuid() AS key,
           ('00000000-0000-4000-8000-' || lpad(to_hex(:payer::int), 12, '0'))::uuid AS payer,
           ('00000000-0000-4000-8000-' || lpad(to_hex(:payee::int), 12, '0'))::uuid AS payee,
           round(:cents::int * 0.01, 2) AS amount) AS g,
    LATERAL public.ledger_post(
        ARRAY[g.key], ARRAY['bench_transfer'],
        ARRAY[sha256(convert_to(concat_ws(E'\n', 'bench_transfer', 'CR wallet ' || g.payee || ' USD ' || g.amount,
                                          'DR wallet ' || g.payer || ' USD ' || g.amount), 'UTF8'))],
        ARRAY[now()], ARRAY['{}'::jsonb], ARRAY[NULL::bigint],
        ARRAY[1, 1], ARRAY['wallet', 'wallet'], ARRAY[g.payer, g.payee], ARRAY['USD', 'USD'], ARRAY['DR', 'CR'],
        ARRAY[g.amount, g.amount],
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::uuid[], ARRAY[]::text[], ARRAY[]::numeric[],
        ARRAY[]::int[], ARRAY[]::uuid[], ARRAY[]::text[]) AS p
