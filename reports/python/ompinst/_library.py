# SPDX-License-Identifier: BSD-3-Clause
"""The functions and structures of ompreport.h."""
import ctypes
import functools
import os
import pathlib
import sys
import warnings
from typing import Iterable, List, Optional, Sequence

NAME = "libompreport.so.0"
FOLDER = os.path.dirname(__file__) + os.sep
TEXT, COUNT, DIFFERENCE, RATIO, PLACE, NUMBER = range(1, 7)  # enum ompreport_type
C_TYPES = {TEXT: ctypes.c_char_p, COUNT: ctypes.c_uint64, DIFFERENCE: ctypes.c_int64, RATIO: ctypes.c_double,
           PLACE: ctypes.c_uint32, NUMBER: ctypes.c_uint32}


class Error(Exception):
    """A report could not be made; the text says why."""
    __module__ = "ompinst"  # as users know it


class CColumn(ctypes.Structure):
    """struct ompreport_column"""
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p), ("type", ctypes.c_int), ("values", ctypes.c_void_p),
                ("names", ctypes.POINTER(ctypes.c_char_p)), ("name_count", ctypes.c_size_t)]


class CTable(ctypes.Structure):
    """struct ompreport_table"""
    _fields_ = [("status", ctypes.c_int), ("rows", ctypes.c_size_t), ("columns", ctypes.POINTER(CColumn)),
                ("column_count", ctypes.c_size_t), ("facts", ctypes.POINTER(CColumn)), ("fact_count", ctypes.c_size_t),
                ("notes", ctypes.POINTER(ctypes.c_char_p)), ("note_count", ctypes.c_size_t)]


def beside(*patterns: str) -> List[str]:
    """Files of the tree that the package is installed in, by their place in its folder lib."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if folder.name.startswith("lib"):
            return [str(file) for pattern in patterns for file in sorted(folder.glob(pattern))]
    return []


def load() -> ctypes.CDLL:
    """The library beside the package, or else the one that the loader finds; OMPINST_LIBRARY names another file."""
    own = os.environ.get("OMPINST_LIBRARY")
    names = [own] if own else [*beside(NAME, "*-linux-*/" + NAME), NAME]
    why: Optional[OSError] = None
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError as error:  # there may be others, of other architectures
            why = error
    raise Error(f"cannot load '{names[-1]}': {why}; expected the library of ompinst's reports, of Debian's package "
                "libompreport0 or `meson install`; OMPINST_LIBRARY names its file")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, with its functions' types."""
    found = load()
    if not hasattr(found, "ompreport_bytes"):
        raise Error(f"'{found._name}' is another or an older library: expected libompreport of this package's version; OMPINST_LIBRARY names its file")
    words = ctypes.POINTER(ctypes.c_char_p)
    for function in (found.ompreport_make, found.ompreport_read):
        function.restype = ctypes.POINTER(CTable)
        function.argtypes = [words, ctypes.POINTER(ctypes.c_void_p)]
    found.ompreport_free.argtypes = [ctypes.POINTER(CTable)]
    found.ompreport_free.restype = None
    found.ompreport_bytes.argtypes = [words, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_void_p)]
    found.ompreport_bytes.restype = ctypes.c_int
    found.ompreport_version.restype = ctypes.c_char_p
    found.free.argtypes = [ctypes.c_void_p]  # the C library's, which the library is linked with
    found.free.restype = None
    return found


def version() -> str:
    """Of the package, as `ompreport --version` has it."""
    return str(library().ompreport_version().decode())


def c_words(words: Iterable[object]) -> "ctypes.Array[ctypes.c_char_p]":
    """An array that ends with NULL."""
    encoded = [os.fsencode(str(word)) for word in words]
    for word in encoded:
        if b"\0" in word:
            raise ValueError(f"{word!r}: expected a text without zero bytes")
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


def _take(pointer: ctypes.c_void_p, size: int = -1) -> Optional[bytes]:
    """Bytes of the library, up to the first zero byte or of a size; they are freed."""
    if not pointer.value:
        return None
    taken = ctypes.string_at(pointer.value, size)
    library().free(pointer)
    return taken


def _said(pointer: ctypes.c_void_p) -> str:
    """A text of the library, which is freed."""
    return (_take(pointer) or b"").decode(errors="replace")


def _plain(messages: str) -> str:
    """Without the program's name in front of each line."""
    return "\n".join(line.removeprefix("ompreport: ") for line in messages.strip().splitlines())


def _warn(messages: str) -> None:
    """At the line of the user's that called the package."""
    if messages.strip():
        level, frame = 1, sys._getframe()  # pylint: disable=protected-access  # as warnings itself
        while frame.f_back and frame.f_code.co_filename.startswith(FOLDER):
            level, frame = level + 1, frame.f_back
        warnings.warn(_plain(messages), stacklevel=level)


def make(words: Sequence[object], of_trace: bool = False) -> "ctypes._Pointer[CTable]":
    """The table of a command, or of what a trace contains."""
    messages = ctypes.c_void_p()
    function = library().ompreport_read if of_trace else library().ompreport_make
    table: "ctypes._Pointer[CTable]" = function(c_words(words), ctypes.byref(messages))
    said = _said(messages)
    if not table:
        raise Error(_plain(said or "out of memory"))
    _warn(said)
    return table


def output_of(words: Sequence[object]) -> bytes:
    """What a command writes to standard output."""
    output, size, messages = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    status = library().ompreport_bytes(c_words(words), ctypes.byref(output), ctypes.byref(size), ctypes.byref(messages))
    written, said = _take(output, size.value), _said(messages)
    if status in (1, 2):
        raise Error(_plain(said or "out of memory"))
    _warn(said)
    return written or b""
