"""What must hold of the books, asked of the database itself: each rule is a query that finds what breaks it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, text

MOST = 100
"""Breaches of one rule that are reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """Something that does not hold: which invariant, where, what was found, what was due."""

    invariant: str
    where: str
    found: str
    due: str


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
    "a die is what its last event made it": """
        SELECT 'die ' || serial, found, due
        FROM (SELECT serial, state || ' at ' || COALESCE(table_id, '-') || ', ' || area AS found,
        COALESCE((SELECT piece_event.state || ' at ' ||
        CASE WHEN piece_event.state = 'in_play' THEN piece_event.table_id ELSE '-' END || ', ' || piece_event.area
        FROM piece_event
        WHERE piece_event.kind = 'die' AND piece_event.serial = die.serial
        ORDER BY piece_event.record DESC, piece_event.line DESC LIMIT 1), 'never received') AS due
        FROM die)
        AS pieces WHERE found <> due
    """,
    "a box is what its last event made it": """
        SELECT 'box ' || serial, found, due
        FROM (SELECT serial, state || ' at ' || COALESCE(table_id, '-') || ', ' || area AS found,
        COALESCE((SELECT piece_event.state || ' at ' ||
        CASE WHEN piece_event.state = 'in_play' THEN piece_event.table_id ELSE '-' END || ', ' || piece_event.area
        FROM piece_event
        WHERE piece_event.kind = 'box' AND piece_event.serial = box.serial
        ORDER BY piece_event.record DESC, piece_event.line DESC LIMIT 1), 'never received') AS due
        FROM box)
        AS pieces WHERE found <> due
    """,
}
"""Each rule in words, and the query that finds where it does not hold: place, what was found, what was due."""


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Find what breaks the rules, at most `MOST` of each."""
    for rule, query in RULES.items():
        for where, found, due in connection.execute(text(f"{query} LIMIT {MOST}")):
            yield Discrepancy(invariant=rule, where=where, found=str(found), due=str(due))
