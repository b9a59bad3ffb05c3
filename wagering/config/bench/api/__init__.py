"""The API's bench: what a play and a look at a wallet cost beside a view that does nothing, on the same server."""
