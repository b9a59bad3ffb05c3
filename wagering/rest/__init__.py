"""What every door that speaks of money over HTTP shares. Knows of ours nothing but ``ledger.money``."""
