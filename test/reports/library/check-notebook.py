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
CELLS = """\
import ctypes, os
path = os.environ["SUM_LIBRARY"]
count = 100000
unpicklable = (i for i in range(3))
%load_ext ompinst
###
%%ompinst --threads 2 --to measured
library = ctypes.CDLL(path)
library.sum.restype = ctypes.c_double
total = library.sum(ctypes.c_long(count))
print("in the cell", round(total, 3))
###
print(round(total, 3), len(measured.table("threads")), [row["name"] for row in measured.table("regions")])
print("called from", [(row["file"], row["line"], row["calls"]) for row in measured.callers().to_dict("records")])
###
%%ompinst
print(unpicklable)
###
%%ompinst --thread
pass
###
%%ompinst --page
ctypes.CDLL(path).sum(ctypes.c_long(10))
###
class Own: pass
own, changed, same = Own(), [1], {"a": 1}
alias = same
###
%%ompinst
if False: own
changed.append(2)
squares = [each * each for each in range(3)]
def local(): pass
same["a"]
###
print(changed, squares, same is alias)
###
%%ompinst
x = = 1
###
%%ompinst
import os; os.write(1, bytes([255, 10])); print("text")
###
%%ompinst --threads 2
total = "alone"
###
print("then", total, measured.cell["from_"].endswith("ns"), float(measured.threads(**measured.cell)["serial_ns"].sum()) < 1e9)
"""


def outputs_of(folder):
    """What each cell wrote: texts of its streams, errors and pages."""
    cells = [nbformat.v4.new_code_cell(text.strip("\n")) for text in CELLS.split("###\n")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=int(120 * TIME_LIMITS), allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    said = []
    for cell in notebook.cells:
        texts = []
        for output in cell.outputs:
            data = output.get("data", {})
            texts.append(output.get("text", "") + data.get("text/html", "") + data.get("text/plain", "") + "\n".join(output.get("traceback", [])))
        said.append("".join(texts))
    return said


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sum.c").write_text(PROGRAM)
        library = folder / "libsum.so"
        subprocess.run([CC, "-O1", "-fopenmp", "-fPIC", "-shared", folder / "sum.c", "-o", library], check=True)
        os.environ.update(SUM_LIBRARY=str(library), OMPINST=OMPINST, JUPYTER_DATA_DIR=str(folder / "jupyter"),
                          IPYTHONDIR=str(folder / "ipython"), JUPYTER_PLATFORM_DIRS="0")
        said = outputs_of(folder)
    # "total = ..." is the fourth line of its cell. In other versions of Python frames are not known.
    called, line = (["called from [('<cell>', 4, 1)]"], ["Called from Python"]) if sys.version_info[:2] in ((3, 11), (3, 12), (3, 13)) else ([], [])
    for cell, expected in enumerate([[], ["in the cell 12.09", "<iframe", "Made by ompreport", "Timeline", "THREAD TIME", "sum", *line], ["12.09 2", "parallel", *called],
                                     ["NameError", "unpicklable"], ["unrecognized arguments", "--thread"], ["<iframe", "Made by ompreport", "Critical path"],
                                     [], ["alike: local (they", "process: own (they"], ["[1, 2] [0, 1, 4] True"],
                                     ["%%ompinst: line 2: invalid syntax"], ["text"], ["nothing to show"], ["then alone True True"]]):
        lacking = [text for text in expected if text not in said[cell]]
        if lacking:
            sys.exit(f"check-notebook.py: cell {cell} lacks {lacking}: {said[cell][:3000]}")
    if said[0]:
        sys.exit(f"check-notebook.py: the first cell said {said[0]}")


main()
