"""Personal data at rest: each person's under a key of their own, so that destroying the key erases the person.

Whoever keeps a name, an address or an account number keeps what ``services.seal`` made of it. What has to be found
again (an account number, a person in a register) is kept beside it as ``services.digest``.
"""
