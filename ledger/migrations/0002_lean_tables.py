"""The key is the journal's own, a hot account's entries are its deltas, and the seal goes by the order of the ids.

For a service that stands still: what posts waits for the lock, and the code of before finds its tables gone. A book in
which an earlier seal numbered a late journal behind a later one cannot be taken over: no such book was ever released.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_tables")]

    operations = [
        # A hot balance says from now on how far its entries are folded in: all of them, at this moment. Its trigger
        # speaks for people; ledger/sql is applied anew after the migrations.
        migrations.RunSQL(
            """
            LOCK TABLE ledger_journal IN SHARE ROW EXCLUSIVE MODE;
            DO $$ BEGIN
                IF EXISTS (SELECT FROM (SELECT journal_id, lag(journal_id) OVER (ORDER BY number) AS before
                                        FROM ledger_sealed) AS x WHERE x.journal_id <= x.before)
                   OR EXISTS (SELECT FROM ledger_unsealed WHERE journal_id < (SELECT max(journal_id) FROM ledger_sealed))
                THEN
                    RAISE EXCEPTION 'ledger: journals were sealed in another order than that of their ids';
                END IF;
            END $$;
            ALTER TABLE ledger_balance DISABLE TRIGGER USER;
            UPDATE ledger_balance b SET amount = s.amount, version = s.version
            FROM (SELECT e.account_id, max(e.version) AS version,
                         sum(CASE WHEN e.side = a.grows_on THEN e.amount ELSE -e.amount END) AS amount
                  FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE a.hot GROUP BY e.account_id) AS s
            WHERE s.account_id = b.account_id;
            ALTER TABLE ledger_balance ENABLE TRIGGER USER;
            """,
            migrations.RunSQL.noop,
        ),
        migrations.AddConstraint("Journal", models.UniqueConstraint(fields=["key"], name="ledger_journal_key_once")),
        migrations.DeleteModel("Claim"),
        migrations.DeleteModel("Delta"),
        migrations.DeleteModel("Unsealed"),
    ]
