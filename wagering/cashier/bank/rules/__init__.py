"""What a bank's files say, and when it works. Pure."""
