# SPDX-License-Identifier: BSD-3-Clause
"""`%%ompinst`: a report about the OpenMP of a notebook's cell.

The cell is executed in a process of its own, on ompinst's runtime: an OpenMP runtime that this process has loaded cannot be
replaced any more. Names that the cell uses go there, and those that it assigns come back, by pickle.
"""
import argparse
import ast
import html
import pathlib
import pickle
import shlex
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Set, Tuple

from . import measure

SCRIPT = """\
import pickle, sys
names = pickle.load(open(sys.argv[1], "rb"))
names["__name__"] = "__main__"
exec(compile(open(sys.argv[3]).read(), "<cell>", "exec"), names)
kept, lost = {}, []
for name in sys.argv[4:]:
    try:
        kept[name] = pickle.dumps(names[name])
    except Exception:
        lost.append(name)
pickle.dump((kept, lost), open(sys.argv[2], "wb"))
"""


def names_of(cell: str) -> Tuple[Set[str], Set[str]]:
    """The names that a cell reads, and those that it assigns at its top level."""
    tree = ast.parse(cell)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return read, assigned


def given(names: Dict[str, Any], read: Set[str]) -> Tuple[Dict[str, Any], List[str], List[str]]:
    """Of the notebook's names those that the cell reads: values, imports of modules, and what cannot be given."""
    values, imports, lost = {}, [], []
    for name in sorted(read & set(names)):
        value = names[name]
        if isinstance(value, type(sys)):
            imports.append(f"import {value.__name__} as {name}" if "." not in value.__name__
                           else f"import importlib; {name} = importlib.import_module({value.__name__!r})")
            continue
        module, own = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if callable(value) and own and module == "__main__":
            lost.append(name)
            continue
        try:
            pickle.dumps(value)
        except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
            lost.append(name)
        else:
            values[name] = value
    return values, imports, lost


def options_of(line: str) -> argparse.Namespace:
    """The words behind %%ompinst."""
    parser = argparse.ArgumentParser(prog="%%ompinst", description="Measures the OpenMP of this cell.", allow_abbrev=False,
                                     exit_on_error=False)
    parser.add_argument("-t", "--threads", type=int, help="OMP_NUM_THREADS")
    parser.add_argument("-o", "--to", metavar="NAME", help="the variable that gets the run, an ompinst.Run")
    parser.add_argument("--page", action="store_true", help="show the whole page of `ompreport html`, too")
    return parser.parse_args(shlex.split(line))


def measured(cell: str, names: Dict[str, Any], threads: Any) -> Tuple[measure.Run, Dict[str, Any], List[str]]:
    """Executes a cell. Returns the run, what it assigned, and the names that could not go there or come back."""
    read, assigned = names_of(cell)
    values, imports, lost = given(names, read)
    with tempfile.TemporaryDirectory(prefix="ompinst-cell-") as folder:
        before, after, text, script = (pathlib.Path(folder) / name for name in ("before", "after", "cell.py", "run.py"))
        before.write_bytes(pickle.dumps(values))
        # One line in the place of that with %%ompinst: lines that called regions have the notebook's numbers.
        text.write_text("; ".join(imports) + "\n" + cell, encoding="utf-8")
        script.write_text(SCRIPT, encoding="utf-8")
        try:
            run = measure.run([sys.executable, script, before, after, text, *sorted(assigned)], threads=threads, capture=True)
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"the cell failed in its own process:\n{error.stderr}") from None
        kept, back = pickle.loads(after.read_bytes())
    return run, {name: pickle.loads(value) for name, value in kept.items()}, sorted({*lost, *back})


def pictured(run: measure.Run, page: bool) -> str:
    """The parts of the page: the efficiencies, the regions with most to gain, and the advice, or all of it."""
    if page:
        return f'<iframe srcdoc="{html.escape(run.html())}" style="width:100%;height:720px;border:0" title="ompreport"></iframe>'
    return f"<pre>{html.escape(run.text('summary', width=110))}</pre>"


def register(shell: Any) -> None:
    """Makes %%ompinst known to IPython."""
    from IPython.display import HTML, display  # pylint: disable=import-outside-toplevel

    def ompinst(line: str, cell: str) -> None:
        """Measures the OpenMP of this cell; `%%ompinst --help`."""
        try:
            options = options_of(line)
        except SystemExit:  # after --help, or words that it does not know, which it has said
            return
        except argparse.ArgumentError as error:
            print(f"%%ompinst: {error}", file=sys.stderr)
            return
        run, names, lost = measured(cell, shell.user_ns, options.threads)
        print(run.stdout, end="")
        print(run.stderr, end="", file=sys.stderr)
        if lost:
            print(f"%%ompinst: not in this notebook and the cell's process alike: {', '.join(lost)} (they cannot be pickled)",
                  file=sys.stderr)
        shell.push(names)
        if options.to:
            shell.push({options.to: run})
        display(HTML(pictured(run, options.page)))

    shell.register_magic_function(ompinst, "cell")
