"""Cards and accounts that a player has paid from, or may be paid to: tokens and last digits, nothing that pays."""
