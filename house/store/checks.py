"""What must hold of the books, asked of the database itself: each rule is a query that finds what breaks it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, text

from house.domain.lives import Kind
from house.store.limits import BACK, DEPOSITS, STAKES

MOST = 100
"""Breaches of one rule that are reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """Something that does not hold: which invariant, where, what was found, what was due.

    Parameters
    ----------
    record
        Record by which money went wrong, None where none did.
    overpaid_minor
        What it paid players over what was due, minor units; below 0 what they are owed.
    """

    invariant: str
    where: str
    found: str
    due: str
    record: int | None = None
    overpaid_minor: int | None = None


_LAST_EVENT = """
    SELECT '{kind} ' || serial, found, due
    FROM (SELECT serial, state || ' at ' || COALESCE(table_id, '-') || ', ' || area AS found,
    COALESCE((SELECT piece_event.state || ' at ' ||
    CASE WHEN piece_event.state = 'in_play' THEN piece_event.table_id ELSE '-' END || ', ' || piece_event.area
    FROM piece_event
    WHERE piece_event.kind = '{kind}' AND piece_event.serial = {kind}.serial
    ORDER BY piece_event.record DESC, piece_event.line DESC LIMIT 1), 'never received') AS due
    FROM {kind})
    AS pieces WHERE found <> due
"""
"""Where a die or a box is not what its last event made it."""

RULES = {
    "an entry has two lines or more, which sum to 0": """
        SELECT 'entry ' || seq, SUM(amount) || ' over ' || COUNT(*), '0 over 2 or more'
        FROM posting
        GROUP BY seq
        HAVING SUM(amount) <> 0 OR COUNT(*) < 2
    """,
    "every entry has postings": """
        SELECT 'entry ' || seq, 'none', 'two or more'
        FROM entry
        WHERE NOT EXISTS (SELECT 1
        FROM posting
        WHERE posting.seq = entry.seq)
    """,
    "every posting has an entry": """
        SELECT 'entry ' || seq, 'none', 'one'
        FROM posting
        WHERE NOT EXISTS (SELECT 1
        FROM entry
        WHERE entry.seq = posting.seq)
    """,
    "a balance is the sum of its postings": """
        SELECT 'account ' || name, balance || '', due || ''
        FROM (SELECT name, balance, COALESCE((SELECT SUM(amount)
        FROM posting
        WHERE posting.account = account.name), 0) AS due
        FROM account)
        AS sums WHERE balance <> due
    """,
    "no balance is below its floor": """
        SELECT 'account ' || name, balance * side || '', 'at least ' || lowest
        FROM account
        WHERE balance * side < lowest
    """,
    "all accounts together are 0": """
        SELECT 'all accounts', total || '', '0'
        FROM (SELECT COALESCE(SUM(balance), 0) AS total
        FROM account)
        AS sums WHERE total <> 0
    """,
    "what players and dealers own lies in the deposits": """
        SELECT 'account cage\\:deposits', held || '', owned || ''
        FROM (SELECT COALESCE((SELECT balance
        FROM account
        WHERE name = 'cage\\:deposits'), 0) AS held, COALESCE((SELECT SUM(-balance)
        FROM account
        WHERE kind = 'liability' AND name <> 'suspense' AND name NOT LIKE '%\\:trade'), 0) AS owned)
        AS sums WHERE held <> owned
    """,
    "slips of a kind are numbered without a gap": """
        SELECT 'slips ' || kind, COUNT(*) || '', MAX(number) || ''
        FROM slip
        GROUP BY kind
        HAVING MAX(number) <> COUNT(*)
    """,
    "a slip is booked once, and twice if it is void": """
        SELECT 'slip ' || kind || ' ' || number, booked || '', amount || ''
        FROM (SELECT kind, number, amount, (SELECT COALESCE(SUM(posting.amount), 0)
        FROM posting
        JOIN entry ON entry.seq = posting.seq
        WHERE entry.record = slip.record AND entry.kind = slip.kind AND entry.table_id = slip.table_id
        AND posting.amount > 0) AS booked
        FROM slip)
        AS sums WHERE booked <> amount
        UNION ALL
        SELECT 'void slip ' || kind || ' ' || number, booked || '', amount || ''
        FROM (SELECT slip.kind, slip.number, slip.amount, (SELECT COALESCE(SUM(posting.amount), 0)
        FROM posting
        JOIN entry ON entry.seq = posting.seq
        WHERE entry.record = slip_void.record AND entry.kind = 'slip_void' AND entry.table_id = slip.table_id
        AND posting.amount > 0) AS booked
        FROM slip_void
        JOIN slip ON slip.kind = slip_void.kind AND slip.number = slip_void.number)
        AS voids WHERE booked <> amount
    """,
    "every fill, credit and counter-entry has its slip": """
        SELECT 'entry ' || seq, kind, 'a slip'
        FROM entry
        WHERE (kind IN ('fill', 'credit') AND NOT EXISTS (SELECT 1
        FROM slip
        WHERE slip.record = entry.record AND slip.kind = entry.kind))
        OR (kind = 'slip_void' AND NOT EXISTS (SELECT 1
        FROM slip_void
        WHERE slip_void.record = entry.record))
    """,
    "what a player did on a day is what his entries say": """
        SELECT 'player ' || player || ' ' || gaming_day, SUM(deposited) || ' ' || SUM(staked) || ' ' || SUM(back),
            SUM(due_deposited) || ' ' || SUM(due_staked) || ' ' || SUM(due_back)
        FROM (SELECT player, gaming_day, deposited, staked, back,
        0 AS due_deposited, 0 AS due_staked, 0 AS due_back
        FROM player_day
        UNION ALL
        SELECT SUBSTR(account, 8, LENGTH(account) - 14), gaming_day, 0, 0, 0,
        CASE WHEN kind IN ({deposits}) THEN -amount ELSE 0 END,
        CASE WHEN kind IN ({stakes}) THEN amount ELSE 0 END,
        CASE WHEN kind IN ({back}) THEN -amount ELSE 0 END
        FROM posting
        JOIN entry ON entry.seq = posting.seq
        WHERE account LIKE 'player\\:%\\:wallet')
        AS days
        GROUP BY player, gaming_day
        HAVING SUM(deposited) <> SUM(due_deposited) OR SUM(staked) <> SUM(due_staked) OR SUM(back) <> SUM(due_back)
    """,
    "whoever owes on markers has a credit line": """
        SELECT 'player ' || player, owed || '', 'a line'
        FROM (SELECT SUBSTR(name, 8, LENGTH(name) - 14) AS player, balance AS owed
        FROM account
        WHERE name LIKE 'player\\:%\\:marker' AND balance > 0)
        AS markers WHERE NOT EXISTS (SELECT 1
        FROM credit_line
        WHERE credit_line.player = markers.player)
    """,
    "shifts are numbered without a gap and follow one another": """
        SELECT 'shift ' || number, end_entry || ' ' || end_record, before_entry || ' ' || before_record || ' or more'
        FROM (SELECT number, end_entry, end_record, COALESCE((SELECT MAX(end_entry)
        FROM shift AS earlier
        WHERE earlier.number < shift.number), 0) AS before_entry, COALESCE((SELECT MAX(end_record)
        FROM shift AS earlier
        WHERE earlier.number < shift.number), 0) AS before_record, (SELECT COUNT(*)
        FROM shift AS earlier
        WHERE earlier.number <= shift.number) AS place
        FROM shift)
        AS shifts WHERE number <> place OR end_entry < before_entry OR end_record < before_record
    """,
    "entries are numbered without a gap": """
        SELECT 'entries', COUNT(*) || '', (MAX(seq) + 1) || ''
        FROM entry
        HAVING MAX(seq) + 1 <> COUNT(*)
    """,
    "records are numbered without a gap": """
        SELECT 'records', COUNT(*) || '', (MAX(number) + 1) || ''
        FROM record
        HAVING MAX(number) + 1 <> COUNT(*)
    """,
    "throws of a table are numbered without a gap": """
        SELECT 'table ' || id, seen || '', next_throw || ''
        FROM (SELECT id, next_throw, (SELECT COUNT(*)
        FROM throw
        WHERE throw.table_id = gaming_table.id AND throw.number < gaming_table.next_throw) AS seen
        FROM gaming_table)
        AS counts WHERE seen <> next_throw
    """,
    "every throw has dice": """
        SELECT 'table ' || table_id || ' throw ' || number, 'none', 'one or more'
        FROM throw
        WHERE NOT EXISTS (SELECT 1
        FROM throw_die
        WHERE throw_die.table_id = throw.table_id AND throw_die.number = throw.number)
    """,
    "a throw of the generator has its draw": """
        SELECT 'table ' || table_id || ' throw ' || number, 'none', 'one'
        FROM throw
        WHERE source = 'rng' AND NOT EXISTS (SELECT 1
        FROM draw
        WHERE draw.table_id = throw.table_id AND draw.number = throw.number)
    """,
    "a draw is of a throw of the generator, or of the next one": """
        SELECT 'table ' || table_id || ' throw ' || number, 'seed ' || seed || ' nonce ' || nonce, 'none'
        FROM draw
        WHERE NOT EXISTS (SELECT 1
        FROM throw
        WHERE throw.table_id = draw.table_id AND throw.number = draw.number AND source = 'rng')
        AND NOT EXISTS (SELECT 1
        FROM gaming_table
        WHERE id = draw.table_id AND next_throw = draw.number)
    """,
    "nonces of a seed are used without a gap": """
        SELECT 'seed ' || seed, COUNT(*) || '', (MAX(nonce) + 1) || ''
        FROM draw
        GROUP BY seed
        HAVING MAX(nonce) + 1 <> COUNT(*)
    """,
    **{f"a {kind} is what its last event made it": _LAST_EVENT.format(kind=kind) for kind in Kind},
    "an incident is what its events made it": """
        SELECT 'incident ' || number, found, due
        FROM (SELECT number, status AS found, CASE WHEN EXISTS (SELECT 1
        FROM incident_event
        WHERE incident_event.incident = number AND event = 'ended') THEN 'closed' ELSE 'open' END AS due
        FROM incident)
        AS incidents WHERE found <> due
    """,
}
"""Each rule in words, and the query that finds where it does not hold: place, what was found, what was due."""

_KINDS = {
    name: ", ".join(repr(kind.value) for kind in sorted(kinds))
    for name, kinds in (("deposits", DEPOSITS), ("stakes", STAKES), ("back", BACK))
}
"""Kinds of entries that count for a player's limits, as SQL lists."""


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Find what breaks the rules, at most `MOST` of each."""
    for rule, query in RULES.items():
        for where, found, due in connection.execute(text(f"{query.format(**_KINDS)} LIMIT {MOST}")):
            yield Discrepancy(invariant=rule, where=where, found=str(found), due=str(due))
