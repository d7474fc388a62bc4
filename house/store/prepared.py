"""Statements of the busiest commands: compiled once for each database, and run on its driver itself.

Core keeps compiled statements too, but what it does around each call costs many times what SQLite takes for a row. What
a statement means, how values are bound and read, the listeners of the cursor and the errors are those of Core.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.selectable import SelectBase

Values = Mapping[str, Any]
_Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as one driver takes it.

    Parameters
    ----------
    order
        Names of the values by place; None where the driver takes them by name.
    fixed
        Values that the statement itself gives.
    bound, read
        How values are brought to the driver's form by name, and from it by the place of their column.
    row
        Makes a row with named columns.
    """

    sql: str
    order: tuple[str, ...] | None
    fixed: Values
    bound: Mapping[str, _Change]
    read: tuple[tuple[int, _Change], ...]
    row: Any

    def values(self, given: Values) -> Any:
        """Bring values to the form and order of the driver."""
        whole = {**self.fixed, **given} if self.fixed else given
        if self.bound:
            whole = {**whole, **{name: change(whole[name]) for name, change in self.bound.items()}}
        return dict(whole) if self.order is None else [whole[name] for name in self.order]

    def made(self, found: Sequence[Any]) -> Any:
        """Bring a row of the driver to named columns."""
        if self.read:
            found = list(found)
            for place, change in self.read:
                found[place] = change(found[place])
        return self.row(found)


class Prepared:
    """A statement that is run often, without values in lists.

    Parameters
    ----------
    statement
        A select with named columns, or a write without defaults of Python's; an insert gives the columns of its values.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._inserts = bool(getattr(statement, "is_insert", False))
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        """Read rows, each with its columns as attributes."""
        compiled = self._for(connection, values)
        found = _run(connection, compiled.sql, compiled.values(values), many=False).fetchall()
        return [compiled.made(row) for row in found]

    def first(self, connection: Connection, values: Values) -> Any:
        """Read the first row, None if there is none."""
        found = self.rows(connection, values)
        return found[0] if found else None

    def write(self, connection: Connection, *lines: Values) -> int:
        """Write once for each line of values; return the number of rows that were written."""
        compiled = self._for(connection, lines[0])
        bound = [compiled.values(line) for line in lines]
        many = len(lines) > 1
        return int(_run(connection, compiled.sql, bound if many else bound[0], many=many).rowcount)

    def _for(self, connection: Connection, values: Values) -> _Compiled:
        name = connection.dialect.name
        key = (name, *values) if self._inserts else (name,)
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = _compile(self._statement, connection.dialect, [*values])
        return found


def _compile(statement: Any, dialect: Dialect, names: list[str]) -> _Compiled:
    columns = [*statement.selected_columns] if isinstance(statement, SelectBase) else []
    keys = names if statement.is_insert else None
    compiled = statement.compile(dialect=dialect, column_keys=keys, for_executemany=not columns)
    assert not compiled.prefetch, "a default of Python's would be left out"
    binds = {name: bind.type.dialect_impl(dialect) for bind, name in compiled.bind_names.items()}
    read = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
    named = namedtuple("Row", [column.key for column in columns])  # type: ignore[misc]
    return _Compiled(
        sql=str(compiled),
        order=None if compiled.positiontup is None else tuple(compiled.positiontup),
        fixed={name: bind.effective_value for bind, name in compiled.bind_names.items() if not bind.required},
        bound={name: change for name, kind in binds.items() if (change := kind.bind_processor(dialect)) is not None},
        read=tuple((place, change) for place, change in enumerate(read) if change is not None),
        row=named._make,
    )


def run(connection: Connection, sql: str) -> None:
    """Run words that take no values and give no rows."""
    _run(connection, sql, (), many=False)


def _run(connection: Connection, sql: str, values: Any, *, many: bool) -> Any:
    """Run a statement on the driver; its errors are raised as Core's."""
    driver = connection.connection.dbapi_connection
    assert driver is not None
    cursor, listeners = driver.cursor(), connection.dispatch
    try:
        if listeners.before_cursor_execute:
            for listener in listeners.before_cursor_execute:
                listener(connection, cursor, sql, values, None, many)
        if many:
            cursor.executemany(sql, values)
        else:
            cursor.execute(sql, values)
        if listeners.after_cursor_execute:
            for listener in listeners.after_cursor_execute:
                listener(connection, cursor, sql, values, None, many)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _translated(connection, cursor, sql, error) from error
    return cursor


def _translated(connection: Connection, cursor: Any, sql: str, error: Exception) -> BaseException:
    """Say what the driver says in Core's words; a connection that was lost is let go."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, cursor)  # type: ignore[arg-type]
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        sql,
        None,
        error,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=lost,
        dialect=dialect,
    )
