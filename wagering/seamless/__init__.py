"""The seamless wallet: games of a room's own server that speak the wallet protocol of game aggregators. One page.

The room's server asks, ``POST /v1/seamless/<word>``, signed with the room's key (scope ``wallet``); the wallet is ours.
A player lets the room in beforehand: ``POST /v1/seamless/sessions`` gives a token for one room and one currency.

    word          what it does here                                          needs a token in force
    authenticate  whose the token is, and what the wallet holds              yes
    balance       what the wallet holds                                      yes
    bet           the amount goes from the wallet into escrow, under a       yes
                  hold of its own, for the named round; posting wager_held
    win           the amount is due to the bettor of the bet it refers to    no: a game ends when it ends
    rollback      the bet goes back (wager_released), or the win is no       no
                  longer due. Of what never came it is remembered, and a
                  bet or win is refused when it comes late
    refund        a bet that is known goes back whole (wager_released)       no

**A round is played between people.** What is won was staked by others in the same round: the wins due are never more
than what the round's holds contain, so nothing is made out of nothing. The money moves when the round closes
(``round_closed: true`` in a win, a rollback or a refund): one posting, round_settled, empties all the round's holds
into the winners' wallets, and what they leave is the room's commission. That is checked: it is at most what the
room's tariff, as it was when the round opened, takes of the sum that the others lost (a single game's rates); a room
may take less. Until then a win is due and not yet in the wallet, and its answer's balance says so. A further bet in an
open round raises what is at stake. A round whose bets have all gone back closes without a posting. Nothing is opened
again: what a closed round paid is put right by an operator, in the book. A round that the room leaves open holds the
players' money; after a day operators are told, and one of them may give it back (``giving_back``), as if the room had
rolled back all of it.

**Once.** ``transaction_uuid`` makes a message happen once in its room. The same again, whatever its ``request_uuid``
and token, gets the first answer; another content under it is refused. What was refused is not remembered and may be
sent again, except the rollback of an unknown bet. Messages about one bet, and those about one round, wait for each
other, so the order in which they come is the order in which they are judged.

**Amounts are text**, in the currency's major unit, plain digits and a point: "5.00". The protocol's other custom,
whole numbers of 1/100000, is not spoken: a reader of both would one day mistake 500000 for 5.

**Answers** have HTTP status 200 and the protocol's ``status``, with ``code`` and ``message`` of our own beside a
refusal. What cannot be understood at all is a problem document with its HTTP status, in which ``rs_status`` says the
protocol's word: a wrong signature (401, RS_ERROR_INVALID_SIGNATURE), a key without the scope (403,
RS_ERROR_INVALID_PARTNER), no JSON (400, RS_ERROR_WRONG_SYNTAX), a field that is missing or of the wrong type (422,
RS_ERROR_WRONG_TYPES), too much at once or a busy service (429, 503, RS_ERROR_TIMEOUT: send the same again). Fields that
are not named in the description, and such protocols have many, are passed over.
"""
