# SPDX-License-Identifier: BSD-3-Clause
"""Whether the arguments of run() are what it expects, before it does anything."""
import operator
import os
import pathlib
import shutil
from typing import Any, Dict, List, Mapping, Optional

from ._library import Error


def text_of(name: str, value: Any) -> str:
    """A text, a path or bytes as text."""
    try:
        text = os.fsdecode(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: expected a text, such as {str(value)!r}") from None
    if "\0" in text:
        raise ValueError(f"{name}={value!r}: expected a text without zero bytes")
    return text


def words_of(name: str, value: Any, example: str) -> List[str]:
    """A list of texts."""
    if isinstance(value, (str, bytes, os.PathLike, Mapping)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{name}={value!r}: expected a list of words, such as {example}")
    return [text_of(f"{name}[{place}]", word) for place, word in enumerate(value)]


def options_of(value: Any) -> List[str]:
    """Options of `ompinst run`, whose own check comes later."""
    options = words_of("options", value, "['--metrics=cpu_time']")
    for option in options:
        if not option.startswith("--") or option == "--":
            raise ValueError(f"options: {option!r}: expected options of `ompinst run` with their values in one word, such as "
                             "'--metrics=cpu_time'")
        if option == "--trace" or option.startswith("--trace="):
            raise ValueError(f"options: {option!r}: expected the folder as trace=")
    return options


def threads_of(value: Any) -> Optional[str]:
    """OMP_NUM_THREADS for a number from 1 on."""
    if value is None:
        return None
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"threads={value!r}: expected a whole number from 1 on; a list for nested levels goes to "
                        "environment={'OMP_NUM_THREADS': '4,2'}")
    if number < 1:
        raise ValueError(f"threads={value!r}: expected a number from 1 on")
    return str(number)


def variables_of(value: Any) -> Dict[str, str]:
    """Environment variables."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"environment={value!r}: expected a dictionary of texts, such as {{'OMP_PROC_BIND': 'true'}}")
    variables = {}
    for key, item in (value or {}).items():
        name = text_of("a name in environment", key)
        if not name or "=" in name:
            raise ValueError(f"environment: {name!r}: expected a variable's name")
        variables[name] = text_of(f"environment[{name!r}]", item)
    return variables


def switch_of(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}={value!r}: expected True or False")
    return value


def new_folder(value: Any) -> pathlib.Path:
    """A folder that does not exist, in one that does."""
    folder = pathlib.Path(text_of("trace", value))
    if not os.fspath(value):
        raise ValueError("trace='': expected the name of a folder to make, or None for one that exists as long as the result")
    if os.path.lexists(folder):
        raise Error(f"trace={os.fspath(folder)!r}: is there already; expected the name of a folder to make")
    if not folder.parent.is_dir():
        raise Error(f"trace={os.fspath(folder)!r}: there is no folder '{folder.parent}'; expected a new folder in one that exists")
    return folder


def check_program(word: str, variables: Mapping[str, str]) -> None:
    """Raises Error unless the word names a program, as a shell would find it."""
    if shutil.which(word, path=variables.get("PATH")):
        return
    if "/" not in word:
        raise Error(f"there is no program {word!r} in PATH; expected one of PATH, or a path such as './{word}'")
    if os.path.isdir(word):
        raise Error(f"{word!r} is a folder; expected a program")
    if os.path.exists(word):
        raise Error(f"{word!r} may not be executed; expected a program")
    raise Error(f"there is no program {word!r} (the current folder is '{os.getcwd()}')")
