"""The key is the journal's own, a hot account's entries are its deltas, and the seal goes by the order of the ids."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_tables")]

    operations = [
        # A hot balance says from now on how far its entries are folded in: all of them, at this moment. Its trigger
        # speaks for people; ledger/sql is applied anew after the migrations.
        migrations.RunSQL(
            """
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
