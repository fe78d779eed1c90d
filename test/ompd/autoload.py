# SPDX-License-Identifier: BSD-3-Clause
"""The `omp` commands load by themselves: autoload.py CC PROGRAM.c BUILD-FOLDER MESON DOCUMENT

What is built is installed in a folder of its own, so its prefix is one that gdb does not know. gdb is informed of
it in the document's words, and once as it is with prefix=/usr, in whose folder it looks by itself; then
programs are run, started, attached to and looked at from core files. A program's `run` must go on after the
commands have come. Exits 77 where gdb cannot run programs.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import answers, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, source, build, meson, document = sys.argv[1:6]
environment = dict(os.environ)
environment.pop("OMP_DEBUG", None)
THREADS = r"^. +\d+ +\d+  1:1/3 +waits for lock "


def gdb(allowed, arguments, *gdb_commands):
    line = ["gdb", "-q", "-batch", "-nx", "-iex", "set debuginfod enabled off"]
    for command in allowed:
        line += ["-iex", command]
    for command in gdb_commands:
        line += ["-ex", command]
    return answers(line + arguments, environment, folder)


def install():
    """The folder of the runtime."""
    subprocess.run([meson, "install", "-C", build, "--quiet", "--destdir", folder + "/root"],
                   check=True, stdout=subprocess.DEVNULL)
    return os.path.dirname(glob.glob(folder + "/root/**/ompinst/libgomp.so.1", recursive=True)[0])


def words_of_document(prefix):
    """How to allow it."""
    with open(document, encoding="utf-8") as text:
        command = re.search(r"`(add-auto-load-safe-path) PREFIX`", text.read())
    if command is None:
        failures.append("%s does not say how to allow gdb to load the commands" % document)
    return [command.group(1) + " " + prefix] if command else []


def as_of_usr(runtime):
    """gdb's own folder of scripts with that prefix, which it need not be allowed."""
    library = os.path.realpath(runtime + "/libgomp.so.1")
    script = glob.glob(folder + "/root/**/auto-load/**/*-gdb.py", recursive=True)[0]
    scripts = folder + "/scripts"
    os.makedirs(scripts + os.path.dirname(library))
    shutil.copy(script, "%s%s-gdb.py" % (scripts, library))
    return ["add-auto-load-scripts-directory " + scripts, "add-auto-load-safe-path " + scripts]


def check(what, allowed):
    """Each as if it were the first that one does."""
    program, core = [folder + "/program"], "%s/core-%d" % (folder, len(allowed))
    expect(what + ", run", gdb(allowed, program, "break stop_here", "run", "omp threads", "generate-core-file " + core,
                               "continue"),
           r"^Thread 1 .* hit Breakpoint 1, ", THREADS, r"^\[Inferior 1 .* exited normally\]")
    expect(what + ", run to the end", gdb(allowed, program, "run"), r"^\[Inferior 1 .* exited normally\]")
    expect(what + ", start", gdb(allowed, program, "start", "break stop_here", "continue", "omp threads"),
           r"^Temporary breakpoint 1, main ", THREADS)
    expect(what + ", core", gdb(allowed, program + [core], "omp threads"), THREADS)
    with subprocess.Popen(program + ["stay"], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            process.stdout.readline()
            expect(what + ", attach", gdb(allowed, ["-p", str(process.pid)], "omp threads", "help ompd"), THREADS,
                   "^ompd init -- ")
        finally:
            process.kill()


def main():
    runtime = install()
    environment["LD_LIBRARY_PATH"] = runtime
    subprocess.run([compiler, "-g", "-O1", "-fopenmp", source, "-o", folder + "/program"], check=True)
    output = gdb([], [folder + "/program"], "break main", "run")
    if "Breakpoint 1, " not in output:
        print("gdb cannot run programs here")
        return 77
    sections = subprocess.run(["readelf", "-SW", runtime + "/libgomp.so.1"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    if ".debug_gdb_scripts" in sections:  # the build's prefix is not /usr
        expect("gdb gave no reason", output, r"libgomp\.so\.1\S*\" auto-loading has been declined",
               r"^\tadd-auto-load-safe-path " + re.escape(runtime))
        subprocess.run(["strip", os.path.realpath(runtime + "/libgomp.so.1")], check=True)
        check("the document's words", words_of_document(folder + "/root"))
    check("prefix=/usr", as_of_usr(runtime))
    print("\n".join(failures))
    return 1 if failures else 0


if shutil.which("gdb") is None:
    print("gdb is not there")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    sys.exit(main())
