# SPDX-License-Identifier: BSD-3-Clause
"""A notebook with a cell that begins with %%ompinst, executed without a browser.

check-notebook.py CC OMPINST
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

lacking = [name for name in ("nbclient", "nbformat", "ipykernel") if importlib.util.find_spec(name) is None]
if lacking:
    print(f"there is no {', '.join(lacking)}: nothing was tested")
    sys.exit(77)
import nbclient  # noqa: E402
import nbformat  # noqa: E402

CC, OMPINST = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))
# In other versions of Python frames are not known.
CALLED, PAGE_CALLED = (["called from [('<cell>', 4, 1)]"], ["Called from Python"]) if sys.version_info[:2] in ((3, 11), (3, 12), (3, 13)) else ([], [])
PROGRAM = """
double sum(long n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (long i = 0; i < n; i++)
        total += 1.0 / (i + 1);
    return total;
}
"""
# Each cell, and what its output has to have, and not, where a "not " is in front. %%ompinst is line 1 of its cell.
CELLS = [("""\
import ctypes, os
path = os.environ["SUM_LIBRARY"]
count = 100000
unpicklable = (i for i in range(3))
%load_ext ompinst""", []), ("""\
%%ompinst --threads 2 --to measured
library = ctypes.CDLL(path)
library.sum.restype = ctypes.c_double
total = library.sum(ctypes.c_long(count))
print("in the cell", round(total, 3))""", ["in the cell 12.09", "<iframe", "Made by ompreport", "Timeline", "THREAD TIME", "sum", *PAGE_CALLED, "library did not come"]), ("""\
print(round(total, 3), len(measured.table("threads")), [row["name"] for row in measured.table("regions")])
print("called from", [(row["file"], row["line"], row["calls"]) for row in measured.callers().to_dict("records")])""",
                       ["12.09 2", "parallel", *CALLED]), ("""\
%%ompinst
print(unpicklable)""", ["does not have unpicklable", "NameError", "unpicklable"]), ("""\
%%ompinst --page
ctypes.CDLL(path).sum(ctypes.c_long(10))""", ["<iframe", "Made by ompreport", "Critical path"]), ("""\
class Own: pass
own, changed, same, wordy, unwanted = Own(), [1], {"a": 1}, {}, 1
alias = same""", []), ("""\
%%ompinst
if False: own
changed.append(2)
squares = [each * each for each in range(3)]
def local():
    global made_inside
    made_inside = 4
local()
del unwanted
same["a"]""", ["cell does not have own:", "local did not come back"]), ("""\
print(changed, squares, same is alias, made_inside, "unwanted" in globals())""", ["[1, 2] [0, 1, 4] True 4 False"]), ("""\
%%ompinst
import os; os.write(1, bytes([255, 10])); print("text")""", ["text"]), ("""\
%%ompinst --threads 2
total = "alone"
""", ["nothing to show"]), ("""\
print("then", total, measured.cell["from_"].endswith("ns"), float(measured.threads(**measured.cell)["serial_ns"].sum()) < 1e9)""",
    ["then alone True True"]), ("""\
%%ompinst --to failed
changed.append(3)
before = 5
ctypes.CDLL(path).sum(ctypes.c_long(10))
def divides():
    return 1 / 0
divides()
after = 6""", ["Traceback", 'File "<cell>", line 7', 'File "<cell>", line 6, in divides', "return 1 / 0", "not _cell.py", "not magic.py", "not <iframe",
               "error ZeroDivisionError: division by zero"]), ("""\
print(changed, before, "after" in globals(), type(failed).__name__)""", ["[1, 2, 3] 5 False Run"]), ("""\
%%ompinst
class Wrong(Exception): pass
raise Wrong("in the cell's own words")""", ['File "<cell>", line 3', "Wrong: in the cell's own words", "error Error"]), ("""\
%%ompinst
import time
seen = os.path.join(os.path.dirname(path), "seen")
print("begun", end="")
for i in range(600):
    if os.path.exists(seen): break
    time.sleep(0.1)
print("", "shown while it ran" if os.path.exists(seen) else "shown later")""", ["begun shown while it ran"]), ("""\
%%ompinst
import signal, time
before = "the interrupt"
os.kill(os.getppid(), signal.SIGINT)
time.sleep(100)""", ['File "<cell>", line 5', "error KeyboardInterrupt"]), ("""\
print("before", before)""", ["before the interrupt"]), ("""\
%%ompinst
os.kill(os.getpid(), 9)""", ["by SIGKILL before the end of the cell"]), ("""\
%%ompinst
import sys; before = "exit"; sys.exit("ends here")""", ["ends here", "error Error"]), ("""\
print("before", before)
del measured, failed""", ["before exit"]), ("""\
%%ompinst
import beside
print("from", beside.WHERE)""", ["from beside the notebook"]), ("""\
import os.path
seen_by, factor = [], 2
def inner(x):
    "Uses a module, and a list that it changes."
    seen_by.append(os.path.basename("a/" + str(x)))
    return x * factor

def outer(x, more=factor):
    return inner(x) + more
lambdas = lambda: 1
def fails(x): return inner(x) / 0
iterator = iter([1])""", []), ("""\
%%ompinst
iterator = outer(3)
print("the notebook's function says", iterator)""", ["function says 8", "not does not have"]), ("""\
print("behind", seen_by, iterator, outer(1))""", ["behind ['3', '1'] 8 4"]), ("""\
%%ompinst
if False: lambdas
fails(4)""", ["does not have lambdas", 'File "<cell>", line 3', 'File "<notebook: fails>", line 11, in fails', "return inner(x) / 0", "error ZeroDivisionError"]), ("""\
%%ompinst
x = = 1""", ["%%ompinst: line 2: invalid syntax"]), ("""\
%%ompinst
return 1""", ["%%ompinst: line 2: 'return' outside function"]), ("""\
%%ompinst
exec("x = = 1")""", ['File "<cell>", line 2', "SyntaxError: invalid syntax", "not magic.py", "error Error"]),
         *[(f"%%ompinst {words}\nprint('was executed')", [*texts, "not was executed", "UsageError: %%ompinst: "]) for words, texts in (
             ("--thread", ["unrecognized arguments: --thread", "the cell was not executed"]), ("--threads 0", ["'0': expected a number of threads from 1 on"]),
             ("--threads two", ["'two': expected"]), ("--to 1x", ["'1x': expected the name of a variable"]), ("--to class", ["'class': expected"]),
             ("--to", ["--to: expected one argument"]), ("--to 'x", ["No closing quotation"]), ("x", ["unrecognized arguments: x"]))]]


class Client(nbclient.NotebookClient):
    """Makes the file that a cell waits for when its output comes."""

    def process_message(self, msg, *rest):
        if "begun" in msg["content"].get("text", ""):
            pathlib.Path(os.environ["SUM_LIBRARY"]).with_name("seen").touch()
        return super().process_message(msg, *rest)


def outputs_of(folder):
    """What each cell wrote: texts of its streams, errors and pages."""
    cells = [nbformat.v4.new_code_cell(text) for text, _ in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    Client(notebook, timeout=int(120 * TIME_LIMITS), allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    said = []
    for cell in notebook.cells:
        texts = []
        for output in cell.outputs:
            data = output.get("data", {})
            texts.append(output.get("text", "") + data.get("text/html", "") + data.get("text/plain", "") + "\n".join(output.get("traceback", [])))
            if output.output_type == "error":
                texts.append(f"\nerror {output.ename}: {output.evalue}")
        said.append("".join(texts))
    return said


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sum.c").write_text(PROGRAM)
        (folder / "beside.py").write_text("WHERE = 'beside the notebook'\n")
        library = folder / "libsum.so"
        subprocess.run([CC, "-O1", "-fopenmp", "-fPIC", "-shared", folder / "sum.c", "-o", library], check=True)
        (folder / "temporary").mkdir()
        os.environ.update(SUM_LIBRARY=str(library), OMPINST=OMPINST, JUPYTER_DATA_DIR=str(folder / "jupyter"), TMPDIR=str(folder / "temporary"),
                          IPYTHONDIR=str(folder / "ipython"), JUPYTER_PLATFORM_DIRS="0")
        said = outputs_of(folder)
        left = [path.name for path in (folder / "temporary").iterdir() if path.name.startswith("ompinst")]
    wrong = []
    for (cell, expected), found in zip(CELLS, said):
        lacking = [text for text in expected if (text[4:] in found if text.startswith("not ") else text not in found)]
        if lacking:
            wrong.append(f"check-notebook.py: the cell\n{cell}\nlacks {lacking}: {found[:3000]}")
    if said[0]:
        wrong.append(f"check-notebook.py: the first cell said {said[0]}")
    if left:
        wrong.append(f"check-notebook.py: folders are left behind: {left}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
