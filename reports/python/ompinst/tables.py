# SPDX-License-Identifier: BSD-3-Clause
"""A table of the library: columns that stay where the library made them, and rows made from them on demand."""
import math
import weakref
from typing import Any, Dict, Iterator, List, Optional, Union

from . import _library as lib

MISSING = {lib.COUNT: 2**64 - 1, lib.DIFFERENCE: -2**63, lib.PLACE: 2**32 - 1, lib.NUMBER: 2**32 - 1}
DTYPES = {lib.COUNT: "u8", lib.DIFFERENCE: "i8", lib.RATIO: "f8", lib.PLACE: "u4", lib.NUMBER: "u4"}


class Column:
    """The values of one column. name is that of `--format=csv`; unit is "ns" or ""."""

    def __init__(self, owner: "_Owner", column: lib.CColumn, rows: int):
        self.name: str = column.name.decode()
        self.unit: str = column.unit.decode()
        self.type: int = column.type
        # Any: ctypes lets arrays have members, and NumPy reads them, which their type hints do not say.
        self._array: Any = ((lib.C_TYPES[column.type] * rows).from_address(column.values) if rows
                            else (lib.C_TYPES[column.type] * 0)())
        self._array.owner = owner  # whose memory the values are in: NumPy keeps the array, too
        self._column = column

    def __len__(self) -> int:
        return len(self._array)

    @property
    def names(self) -> List[str]:
        """Of a column of names: each once, in the order of its code."""
        return [self._column.names[i].decode(errors="replace") for i in range(self._column.name_count)]

    def _value(self, raw: Any, names: List[str]) -> Any:
        if raw is None or (self.type in MISSING and raw == MISSING[self.type]):
            return None
        if self.type == lib.RATIO:
            return None if math.isnan(raw) else raw
        if self.type == lib.TEXT:
            return raw.decode(errors="replace")
        return names[raw] if self.type == lib.PLACE else raw

    def values(self) -> List[Any]:
        """All values as Python's own; None where nothing was measured."""
        names = self.names if self.type == lib.PLACE else []
        return [self._value(raw, names) for raw in self._array]

    def numpy(self) -> Any:
        """The values as a NumPy array, which shares the library's memory: of names, their codes (`names` has the
        texts); of texts, objects. What was not measured is the largest number of the type, or a NaN."""
        import numpy  # pylint: disable=import-outside-toplevel  # it need not be there

        if self.type == lib.TEXT:
            return numpy.array(self.values(), dtype=object)
        array = numpy.frombuffer(self._array, dtype=DTYPES[self.type]) if len(self) else numpy.empty(0, DTYPES[self.type])
        array.flags.writeable = False
        return array

    def _pandas(self) -> Any:
        import pandas  # pylint: disable=import-outside-toplevel

        if self.type == lib.TEXT:
            return pandas.Series(self.values(), dtype=object)
        array = self.numpy()
        if self.type == lib.PLACE:
            return pandas.Categorical.from_codes(array.view("i4"), self.names)  # no name is -1 in both
        missing = array == MISSING[self.type] if self.type in MISSING else None
        if missing is None or not missing.any():
            return array
        return pandas.arrays.IntegerArray(array.copy(), missing)

    def _arrow(self) -> Any:
        import pyarrow  # pylint: disable=import-outside-toplevel

        if self.type == lib.TEXT:
            return pyarrow.array(self.values(), pyarrow.string())
        array = self.numpy()
        missing = array == MISSING[self.type] if self.type in MISSING else array != array
        if self.type == lib.PLACE:
            return pyarrow.DictionaryArray.from_arrays(pyarrow.array(array.view("i4"), mask=missing), self.names)
        return pyarrow.array(array, mask=missing)


class _Owner:
    """Frees the library's table when no column of it is used any more."""

    def __init__(self, table: Any):
        self.table = table
        weakref.finalize(self, lib.library().ompreport_free, table)


class Table:
    """Rows and columns of a report. Behaves as a sequence of dictionaries; `table["name"]` is a column's values.

    columns  the columns by name
    facts    what is true of all rows together, such as the wall time
    notes    sentences about the figures
    status   of `diff`: 3 if something grew by more than its threshold
    """

    def __init__(self, pointer: Any):
        owner, table = _Owner(pointer), pointer.contents
        self._rows: int = table.rows
        self.status: int = table.status
        self.columns: Dict[str, Column] = {}
        for i in range(table.column_count):
            column = Column(owner, table.columns[i], table.rows)
            self.columns[column.name] = column
        facts = [Column(owner, table.facts[i], 1) for i in range(table.fact_count)]
        self.facts: Dict[str, Any] = {fact.name: fact.values()[0] for fact in facts}
        self.notes: List[str] = [table.notes[i].decode(errors="replace") for i in range(table.note_count)]
        self._records: Optional[List[Dict[str, Any]]] = None

    def records(self) -> List[Dict[str, Any]]:
        """A dictionary for each row."""
        if self._records is None:
            names = list(self.columns)
            self._records = [dict(zip(names, row)) for row in zip(*(c.values() for c in self.columns.values()))]
        return self._records

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.records())

    def __getitem__(self, key: Union[int, slice, str]) -> Any:
        if not isinstance(key, str):
            return self.records()[key]
        if key not in self.columns:
            raise KeyError(f"{key!r}: expected one of {', '.join(self.columns)}")
        return self.columns[key].values()

    def __repr__(self) -> str:
        return f"<ompinst.Table of {len(self)} rows: {', '.join(self.columns)}>"

    def pandas(self) -> Any:
        """A DataFrame; its attrs have the facts and notes. Names are categories."""
        import pandas  # pylint: disable=import-outside-toplevel

        frame = pandas.DataFrame({name: column._pandas() for name, column in self.columns.items()}, copy=False)
        frame.attrs.update(facts=self.facts, notes=self.notes, status=self.status,
                           units={name: column.unit for name, column in self.columns.items() if column.unit})
        return frame

    def arrow(self) -> Any:
        """A pyarrow.Table."""
        import pyarrow  # pylint: disable=import-outside-toplevel

        return pyarrow.table({name: column._arrow() for name, column in self.columns.items()})


def best(table: Table) -> Any:
    """As a DataFrame if pandas is installed, or else the Table itself."""
    try:
        return table.pandas()
    except ImportError:
        return table
