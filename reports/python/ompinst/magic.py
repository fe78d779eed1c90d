# SPDX-License-Identifier: BSD-3-Clause
"""`%%ompinst`: a report about the OpenMP of a notebook's cell.

The cell is executed in a process of its own, on ompinst's runtime: an OpenMP runtime that this process has loaded cannot be
replaced any more. Names that the cell uses go there, and those that it assigns come back, by pickle.
"""
import argparse
import ast
import html
import importlib
import pathlib
import pickle
import shlex
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Set, Tuple

from . import measure
from ._library import Error

# Names of modules are imported before the cell begins, as they were in the notebook. Objects that the cell has changed come back, too.
SCRIPT = """\
import importlib, pickle, sys, time
given, modules, parts = pickle.load(open(sys.argv[1], "rb"))
names, lost = {"__name__": "__main__"}, []
for name in given:
    try:
        names[name] = pickle.loads(given[name])
    except Exception:
        lost.append(name)
for name in modules:
    names[name] = importlib.import_module(modules[name])
for name in parts:
    importlib.import_module(name)
if lost:
    print("%%ompinst: not in the cell's process: " + ", ".join(lost) + " (they cannot be pickled)", file=sys.stderr)
before = {name: pickle.dumps(names[name]) for name in given if name in names}
code = compile(open(sys.argv[3]).read(), "<cell>", "exec")
began = time.time_ns()
try:
    exec(code, names)
except SystemExit as end:
    if end.code not in (None, 0):
        raise
ended = time.time_ns()
kept, imported, lost = {}, {}, []
for name in dict.fromkeys(sys.argv[4:] + list(before)):
    if name not in names:
        continue
    if isinstance(names[name], type(sys)):
        imported[name] = names[name].__name__
        continue
    try:
        value = pickle.dumps(names[name])
    except Exception:
        lost.append(name)
        continue
    if value != before.get(name):
        kept[name] = value
pickle.dump((kept, imported, lost, began, ended), open(sys.argv[2], "wb"))
"""

# As high as what is in it, where the notebook lets it look.
FRAME = ('<iframe srcdoc="{}" style="width:100%;height:720px;border:0" title="ompreport" '
         'onload="this.style.height = this.contentDocument.documentElement.scrollHeight + 20 + \'px\'"></iframe>')


class Assigned(ast.NodeVisitor):
    """The names that a cell assigns outside of functions, classes and comprehensions."""

    def __init__(self, tree: ast.AST) -> None:
        self.names: Set[str] = set()
        self.visit(tree)

    def visit_Name(self, node: ast.Name) -> None:  # pylint: disable=invalid-name  # ast's
        """A name that is stored."""
        if isinstance(node.ctx, ast.Store):
            self.names.add(node.id)

    def visit_alias(self, node: ast.alias) -> None:
        """A name that is imported."""
        self.names.add(node.asname or node.name.split(".")[0])

    def generic_visit(self, node: ast.AST) -> None:
        """Looks into all but other scopes."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.names.add(node.name)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            super().generic_visit(node)


def names_of(cell: str) -> Tuple[Set[str], Set[str]]:
    """The names that a cell reads, and those that it assigns."""
    tree = ast.parse(cell)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, Assigned(tree).names


def given(names: Dict[str, Any], read: Set[str]) -> Tuple[Dict[str, bytes], Dict[str, str], List[str]]:
    """Of the notebook's names those that the cell reads: pickled values, names of modules, and what cannot be given."""
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
            values[name] = pickle.dumps(value)
        except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
            lost.append(name)
    return values, modules, lost


def back(kept: Dict[str, bytes], imported: Dict[str, str]) -> Tuple[Dict[str, Any], List[str]]:
    """What came back from the cell, and what could not be made of it: objects of its own classes, for example."""
    values: Dict[str, Any] = {}
    lost = []
    for name in [*kept, *imported]:
        try:
            values[name] = importlib.import_module(imported[name]) if name in imported else pickle.loads(kept[name])
        except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
            lost.append(name)
    return values, lost


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
            return None, done, {}, lost
        if not after.exists():
            raise Error("the cell ended its process before its own end, so that nothing comes back from it")
        kept, imported, unkept, began, ended = pickle.loads(after.read_bytes())
    run = measure.Run(str(archive), done, keeper) if measure.has_trace(archive) else None
    if run:
        run.cell = part_of(run, began, ended)
    made, unmade = back(kept, imported)
    return run, done, made, sorted({*lost, *unkept, *unmade})


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
            if lost:
                print(f"%%ompinst: not in this notebook and the cell's process alike: {', '.join(lost)} (they cannot be pickled)",
                      file=sys.stderr)
            if done.returncode != 0:
                raise UsageError(f"%%ompinst: the cell failed in its own process, with exit status {done.returncode}")
            shell.push(names)
            if options.to:
                shell.push({options.to: run})
            if run:
                display(pictured(run, options.page), raw=True)
            else:
                print("%%ompinst: nothing to show: the cell has executed no OpenMP that ompinst sees", file=sys.stderr)
        except SyntaxError as error:
            raise UsageError(f"%%ompinst: line {(error.lineno or 0) + 1}: {error.msg}; expected Python without magics and await") from None
        except Error as error:
            raise UsageError(f"%%ompinst: {error}") from None

    shell.register_magic_function(ompinst, "cell")
