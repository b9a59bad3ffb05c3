"""Games that were left: the engine says how likely each outcome is, the rules here what that is worth (A)."""
