# SPDX-License-Identifier: BSD-3-Clause
"""`%%ompinst`: a report about the OpenMP of a notebook's cell.

The cell is executed in a process of its own, on ompinst's runtime: an OpenMP runtime that this process has loaded cannot be
replaced any more. Names that the cell uses go there, and those that it assigns come back, by pickle (_cell.py), also of a cell
that fails.
"""
import argparse
import ast
import html
import importlib
import keyword
import pathlib
import pickle
import shlex
import signal
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from . import measure, processes
from ._library import Error
from .given import Given

# As high as what is in it, where the notebook lets it look.
FRAME = ('<iframe srcdoc="{}" style="width:100%;height:720px;border:0" title="ompreport" '
         'onload="this.style.height = this.contentDocument.documentElement.scrollHeight + 20 + \'px\'"></iframe>')


def back(values: Dict[str, bytes], modules: Dict[str, str]) -> Tuple[Dict[str, Any], List[str]]:
    """What came back from the cell, and what could not be made of it: objects of its own classes, for example."""
    made: Dict[str, Any] = {}
    lost = []
    for name in [*values, *modules]:
        try:
            made[name] = importlib.import_module(modules[name]) if name in modules else pickle.loads(values[name])
        except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
            lost.append(name)
    return made, lost


def name_of(text: str) -> str:
    """The name of a variable."""
    if not text.isidentifier() or keyword.iskeyword(text):
        raise argparse.ArgumentTypeError(f"'{text}': expected the name of a variable, such as measured")
    return text


def threads_of(text: str) -> int:
    """A number of threads."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a number of threads from 1 on")
    return int(text)


def options_of(line: str) -> argparse.Namespace:
    """The words behind %%ompinst. Raises Error for what is wrong, and SystemExit after --help."""
    parser = argparse.ArgumentParser(prog="%%ompinst", description="Measures the OpenMP of this cell.", allow_abbrev=False,
                                     exit_on_error=False)
    parser.add_argument("-t", "--threads", type=threads_of, help="OMP_NUM_THREADS")
    parser.add_argument("-o", "--to", metavar="NAME", type=name_of, help="the variable that gets the run, an ompinst.Run")
    parser.add_argument("--page", action="store_true", help="show the whole page of `ompreport html`")
    try:
        options, unknown = parser.parse_known_args(shlex.split(line))
    except (argparse.ArgumentError, ValueError) as error:
        raise Error(f"{error}; the cell was not executed") from None
    if unknown:
        raise Error(f"unrecognized arguments: {' '.join(unknown)}; expected --threads N, --to NAME or --page; the cell was not executed")
    return options


def part_of(run: measure.Run, began: int, ended: int) -> Dict[str, str]:
    """The options for the part of the run between two moments, in ns since 1970."""
    start = run.info()["started_ns"]
    return {"from_": f"{began - start}ns", "to": f"{ended - start}ns"} if 0 < start < began else {}


def exception_of(error: Dict[str, Any]) -> BaseException:
    """What the cell has raised, whose traceback in the notebook is that of the cell. Error where it does not come back itself."""
    raised: BaseException = Error(error["text"])
    try:
        loaded = pickle.loads(error["pickled"] or b"")
        # Of SyntaxError IPython shows the notebook's own frames.
        if isinstance(loaded, BaseException) and not isinstance(loaded, (SystemExit, SyntaxError)):
            raised = loaded
    except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
        pass
    setattr(raised, "_render_traceback_", lambda: error["lines"])  # which IPython shows in place of its own
    return raised


class Executed:
    """What became of a cell.

    run      None: it has executed no OpenMP
    names    what it has assigned or changed, also before it failed
    gone     what it has deleted
    lost     the names of what could not come back
    failure  what it has raised, or None
    """

    def __init__(self, done: "subprocess.CompletedProcess[str]", folder: processes.Folder, after: Dict[str, Any]) -> None:
        self.run = measure.Run(folder, done) if folder.has_trace() else None
        if self.run:
            self.run.cell = part_of(self.run, after["began"], after["ended"])
        self.names, unmade = back(after["values"], after["modules"])
        self.gone: List[str] = after["gone"]
        self.lost = sorted({*after["lost"], *unmade})
        self.failure = exception_of(after["error"]) if after["error"] else None


def ended(done: "subprocess.CompletedProcess[str]") -> BaseException:
    """Why nothing comes back from a process."""
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    if status == 128 + signal.SIGINT:
        return KeyboardInterrupt()
    how = f"with exit status {done.returncode}"
    if status > 128:
        try:
            how = f"by {signal.Signals(status - 128).name}"
        except ValueError:
            pass
    return Error(f"the cell's process ended {how} before the end of the cell, so that nothing comes back from it")


def executed(cell: str, names: Dict[str, Any], threads: Optional[int]) -> Executed:
    """Executes a cell, whose output goes to sys.stdout and sys.stderr while it runs."""
    tree = ast.parse(cell)
    compile(tree, "<cell>", "exec", dont_inherit=True)  # finds `return` outside of functions, for example
    given = Given(names, tree)
    if given.lost:
        print(f"%%ompinst: the cell does not have {', '.join(given.lost)}: classes of the notebook, functions whose text is not known, and "
              "what cannot be pickled, do not go to its process", file=sys.stderr)
    folder = processes.Folder(None)
    with tempfile.TemporaryDirectory(prefix="ompinst-cell-") as name:
        before, after, text = (pathlib.Path(name) / file for file in ("before", "after", "cell.py"))
        before.write_bytes(pickle.dumps({"values": given.values, "modules": given.modules, "parts": given.parts, "functions": given.functions,
                                         "path": sys.path, "argv": sys.argv[:1]}))
        # An empty line in the place of that with %%ompinst: lines have the notebook's numbers.
        text.write_text("\n" + cell, encoding="utf-8")
        try:
            done = processes.execute([sys.executable, str(pathlib.Path(__file__).with_name("_cell.py")), str(before), str(after), str(text)], folder,
                                     variables={"OMP_NUM_THREADS": str(threads)} if threads else {}, options=["--quiet"],
                                     streams=(sys.stdout, sys.stderr))
            if not after.exists():
                raise ended(done)
            return Executed(done, folder, pickle.loads(after.read_bytes()))
        except BaseException:
            folder.close()
            raise


def pictured(run: measure.Run, page: bool) -> Dict[str, str]:
    """What the notebook shows: the first parts of the page, or all of it; the summary where it shows only text."""
    return {"text/html": FRAME.format(html.escape(run.html(brief=not page, **run.cell))), "text/plain": run.text("summary", width=110, **run.cell)}


def keep(shell: Any, result: Executed, name: Optional[str]) -> None:
    """The notebook gets what came back, and the run under this name."""
    if result.lost:
        print(f"%%ompinst: {', '.join(result.lost)} did not come back: functions and classes of the cell, and what cannot be pickled, stay "
              "in its process", file=sys.stderr)
    shell.push(result.names)
    for gone in result.gone:
        shell.user_ns.pop(gone, None)
    if name:
        shell.push({name: result.run})


def measure_cell(shell: Any, display: Any, line: str, cell: str) -> None:
    """Executes a cell, gives the notebook what came back, and shows the page."""
    try:
        options = options_of(line)
    except SystemExit:  # after --help
        return
    result = executed(cell, shell.user_ns, options.threads)
    keep(shell, result, options.to)
    if result.failure:
        raise result.failure
    if result.run:
        display(pictured(result.run, options.page), raw=True)
    else:
        print("%%ompinst: nothing to show: the cell has executed no OpenMP that ompinst sees", file=sys.stderr)


def register(shell: Any) -> None:
    """Makes %%ompinst known to IPython."""
    from IPython.core.error import UsageError  # pylint: disable=import-outside-toplevel
    from IPython.display import display  # pylint: disable=import-outside-toplevel

    def ompinst(line: str, cell: str) -> None:
        """Measures the OpenMP of this cell; `%%ompinst --help`."""
        try:
            measure_cell(shell, display, line, cell)
        except SyntaxError as error:
            raise UsageError(f"%%ompinst: line {(error.lineno or 0) + 1}: {error.msg}; expected Python without magics and await") from None
        except Error as error:
            if hasattr(error, "_render_traceback_"):  # raised by the cell
                raise
            raise UsageError(f"%%ompinst: {error}") from None

    shell.register_magic_function(ompinst, "cell")
