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
from typing import Any, Dict, List, Optional, Set, Tuple

from . import measure
from ._library import Error

# Names of modules are imported before the cell begins, as they were in the notebook.
SCRIPT = """\
import importlib, pickle, sys, time
names, modules, parts = pickle.load(open(sys.argv[1], "rb"))
for name in modules:
    names[name] = importlib.import_module(modules[name])
for name in parts:
    importlib.import_module(name)
names["__name__"] = "__main__"
code = compile(open(sys.argv[3]).read(), "<cell>", "exec")
began = time.time_ns()
exec(code, names)
ended = time.time_ns()
kept, lost = {}, []
for name in sys.argv[4:]:
    try:
        kept[name] = pickle.dumps(names[name])
    except Exception:
        lost.append(name)
pickle.dump((kept, lost, began, ended), open(sys.argv[2], "wb"))
"""

# As high as what is in it, where the notebook lets it look.
FRAME = ('<iframe srcdoc="{}" style="width:100%;height:720px;border:0" title="ompreport" '
         'onload="this.style.height = this.contentDocument.documentElement.scrollHeight + 20 + \'px\'"></iframe>')


def names_of(cell: str) -> Tuple[Set[str], Set[str]]:
    """The names that a cell reads, and those that it assigns at its top level."""
    tree = ast.parse(cell)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return read, assigned


def given(names: Dict[str, Any], read: Set[str]) -> Tuple[Dict[str, Any], Dict[str, str], List[str]]:
    """Of the notebook's names those that the cell reads: values, names of modules, and what cannot be given."""
    values, modules, lost = {}, {}, []
    for name in sorted(read & set(names)):
        value = names[name]
        if isinstance(value, type(sys)):
            modules[name] = value.__name__
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
    return values, modules, lost


def parts_of(cell: str, modules: Dict[str, str]) -> List[str]:
    """Modules in those modules that the cell reads, such as sklearn.cluster, and that the notebook has imported."""
    found = set()
    for part in ast.walk(ast.parse(cell)):
        words: List[str] = []
        node: ast.AST = part
        while isinstance(node, ast.Attribute):
            words.insert(0, node.attr)
            node = node.value
        name = modules.get(node.id, "") if isinstance(node, ast.Name) else ""
        for word in words:
            name += "." + word
            if name in sys.modules:
                found.add(name)
    return sorted(found)


def options_of(line: str) -> argparse.Namespace:
    """The words behind %%ompinst."""
    parser = argparse.ArgumentParser(prog="%%ompinst", description="Measures the OpenMP of this cell.", allow_abbrev=False,
                                     exit_on_error=False)
    parser.add_argument("-t", "--threads", type=int, help="OMP_NUM_THREADS")
    parser.add_argument("-o", "--to", metavar="NAME", help="the variable that gets the run, an ompinst.Run")
    parser.add_argument("--page", action="store_true", help="show the whole page of `ompreport html`")
    return parser.parse_args(shlex.split(line))


def part_of(run: measure.Run, began: int, ended: int) -> Dict[str, str]:
    """The options for the part of the run between two moments, in ns since 1970."""
    start = run.info()["started_ns"]
    return {"from_": f"{began - start}ns", "to": f"{ended - start}ns"} if 0 < start < began else {}


def measured(cell: str, names: Dict[str, Any], threads: Any) -> Tuple[Optional[measure.Run], "subprocess.CompletedProcess[str]",
                                                                     Dict[str, Any], List[str]]:
    """Executes a cell. Returns the run (None: it has executed no OpenMP), the process, what it assigned, and the names that could
    not go there or come back. The process has failed if the cell has; nothing then comes back.
    """
    read, assigned = names_of(cell)
    values, modules, lost = given(names, read)
    with tempfile.TemporaryDirectory(prefix="ompinst-cell-") as folder:
        before, after, text, script = (pathlib.Path(folder) / name for name in ("before", "after", "cell.py", "run.py"))
        before.write_bytes(pickle.dumps((values, modules, parts_of(cell, modules))))
        # An empty line in the place of that with %%ompinst: lines that called regions have the notebook's numbers.
        text.write_text("\n" + cell, encoding="utf-8")
        script.write_text(SCRIPT, encoding="utf-8")
        done, archive, keeper = measure.execute([sys.executable, script, before, after, text, *sorted(assigned)], threads=threads,
                                                trace=None, environment=None, capture=True, options=("--quiet",))
        if done.returncode != 0:
            return None, done, {}, []
        kept, back, began, ended = pickle.loads(after.read_bytes())
    run = measure.Run(str(archive), done, keeper) if measure.has_trace(archive) else None
    if run:
        run.cell = part_of(run, began, ended)
    return run, done, {name: pickle.loads(value) for name, value in kept.items()}, sorted({*lost, *back})


def pictured(run: measure.Run, page: bool) -> Dict[str, str]:
    """What the notebook shows: the first parts of the page, or all of it; the summary where it shows only text."""
    return {"text/html": FRAME.format(html.escape(run.html(brief=not page, **run.cell))), "text/plain": run.text("summary", width=110, **run.cell)}


def register(shell: Any) -> None:
    """Makes %%ompinst known to IPython."""
    from IPython.core.error import UsageError  # pylint: disable=import-outside-toplevel
    from IPython.display import display  # pylint: disable=import-outside-toplevel

    def ompinst(line: str, cell: str) -> None:
        """Measures the OpenMP of this cell; `%%ompinst --help`."""
        try:
            options = options_of(line)
        except SystemExit:  # after --help, or words that it does not know, which it has said
            return
        except argparse.ArgumentError as error:
            print(f"%%ompinst: {error}", file=sys.stderr)
            return
        try:
            run, done, names, lost = measured(cell, shell.user_ns, options.threads)
            print(done.stdout, end="")
            print(done.stderr, end="", file=sys.stderr)
            if done.returncode != 0:
                raise UsageError(f"%%ompinst: the cell failed in its own process, with exit status {done.returncode}")
            if lost:
                print(f"%%ompinst: not in this notebook and the cell's process alike: {', '.join(lost)} (they cannot be pickled)",
                      file=sys.stderr)
            shell.push(names)
            if options.to:
                shell.push({options.to: run})
            if run:
                display(pictured(run, options.page), raw=True)
            else:
                print("%%ompinst: nothing to show: the cell has executed no OpenMP that ompinst sees", file=sys.stderr)
        except Error as error:
            raise UsageError(f"%%ompinst: {error}") from None

    shell.register_magic_function(ompinst, "cell")
