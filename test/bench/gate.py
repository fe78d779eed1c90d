#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often the comparison of doc/ci is wrong: pairs of commits of which one region takes 10 % more work in the
later one, and pairs of the same program, each compared by compare.sh as a user's repository does it.

gate.py BUILD [--trials N] [--programs loops,tasks,regions,fasttree] [--slower PERCENT] [--source FOLDER]

The programs: three loops; small and larger tasks; 24 short parallel regions that are visited often; and fasttree,
from Debian's source (tools/fetch-source puts it into FOLDER), whose hottest region gets the work. Prints a line for
each comparison, and a table: how many failed, and of the slower ones how many named the region.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
PARTS = 24
SLOW_PART = 7

REGIONS_HEAD = """#include <stdio.h>
static unsigned long sums[1024];
static unsigned long work(unsigned long seed, int turns)
{
	for (int i = 0; i < turns; i++)
		seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return seed;
}
"""
# More work for fasttree: after each section as much processor time again, by the share.
FASTTREE_HEAD = """#include <time.h>
static double processor_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static void work_on(double begin)
{
	double end = processor_time();
	end += (end - begin) * SLOWER / 100;
	while (SLOWER && processor_time() < end)
		;
}
"""


def write_regions(path):
    """Returns the line of the part that takes more work."""
    text, line = REGIONS_HEAD, 0
    for part in range(PARTS):
        if part == SLOW_PART:
            line = text.count("\n") + 3
        turns = "60 + 60 * SLOWER / 100" if part == SLOW_PART else "60"
        text += (f"static void part_{part}(void)\n{{\n#pragma omp parallel for\n\tfor (int i = 0; i < 1024; i++)\n"
                 f"\t\tsums[i] ^= work((unsigned long)i, {turns});\n}}\n")
    calls = "".join(f"\t\tpart_{part}();\n" for part in range(PARTS))
    path.write_text(f"{text}int main(void)\n{{\n\tfor (int i = 0; i < 100; i++) {{\n{calls}\t}}\n"
                    f"\tprintf(\"%lu\\n\", sums[7]);\n\treturn 0;\n}}\n")
    return line


def write_fasttree(path, source):
    """Returns the line of `parallel` above the sections that take more work: of three calls in MLQuartetNNI()."""
    text = (source / "fasttree" / "fasttree.c").read_text(encoding="latin-1")
    begin = text.index("#pragma omp sections", text.index("bool bStarTest = false;"))
    end = text.index("/* end parallel sections */", begin)
    body = re.sub(r"(#pragma omp section\n.*?\n\t\{\n)(.*?;)([^\n;]*\n\t\})",
                  r"\1double begin = processor_time(); \2 work_on(begin);\3", text[begin:end], flags=re.S)
    if body.count("work_on(begin)") != 3:
        sys.exit("gate.py: fasttree.c: expected three sections in the first 'parallel sections'")
    path.write_text(FASTTREE_HEAD + text[:begin] + body + text[end:], encoding="latin-1")
    return (FASTTREE_HEAD + text[:begin]).count("\n")


def build(name, folder, options):
    """Builds name-0 and name-SLOWER in the folder. Returns what names the slower region (its directive, or the one on
    the next line that the same text is of), and the command's arguments."""
    path, flags, arguments = folder / f"{name}.c", ["-lm"], ""
    if name == "regions":
        line = write_regions(path)
    elif name == "fasttree":
        subprocess.run([TOP / "tools/fetch-source", "fasttree", options.source], check=True)
        line = write_fasttree(path, options.source)
        flags += ["-DOPENMP", "-DUSE_DOUBLE"]
        (folder / "in.fa").write_bytes(subprocess.run(
            [sys.executable, TOP / "test/real/alignment.py", "40", "200"], check=True, capture_output=True).stdout)
        arguments = f" -nt -quiet {folder}/in.fa"
    else:
        path.write_text((HERE / "gate" / f"{name}.c").read_text())
        slow = {"loops": "schedule(dynamic", "tasks": "task shared(sum)"}[name]
        line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if slow in text)
    for slower in (0, options.slower):
        subprocess.run(["ompinst", "gcc", "-w", "-fopenmp", "-O2", "-g", f"-DSLOWER={slower}", path.name,
                        "-o", f"{name}-{slower}", *flags], cwd=folder, check=True)
    return re.compile(rf"\| slower \| {name}\.c:({line}|{line + 1}) "), arguments


def git(repository, *arguments):
    subprocess.run(["git", "-c", "user.name=gate", "-c", "user.email=gate@localhost", *arguments], cwd=repository,
                   check=True, stdout=subprocess.DEVNULL)


def commit(repository, program):
    (repository / "program").write_text(program + "\n")
    git(repository, "add", "program")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", program)


def compare(repository, folder, arguments):
    """The exit status of compare.sh, and what it printed."""
    environment = os.environ | {"BUILD": f'cp "{folder}/$(cat program)" benchmark', "BENCHMARK": "./benchmark" + arguments}
    done = subprocess.run(["sh", TOP / "doc/ci/compare.sh", "HEAD^"], cwd=repository, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--programs", default="loops,tasks,regions,fasttree")
    parser.add_argument("--slower", type=int, default=10)
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path("build/real/source"))
    options = parser.parse_args()
    options.source = options.source.resolve()
    built = options.build.resolve()
    os.environ["PATH"] = f"{built}/instrumenter:{built}/reports:{os.environ['PATH']}"
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    table = []
    for name in options.programs.split(","):
        with tempfile.TemporaryDirectory() as temporary:
            folder, repository = pathlib.Path(temporary), pathlib.Path(temporary) / "repository"
            repository.mkdir()
            region, arguments = build(name, folder, options)
            git(repository, "init", "--quiet")
            counts = {kind: [0, 0, 0, 0] for kind in ("unchanged", "slower")}
            for trial in range(options.trials):
                for kind, after in (("unchanged", 0), ("slower", options.slower)):
                    commit(repository, f"{name}-0")
                    commit(repository, f"{name}-{after}")
                    start = time.monotonic()
                    status, output = compare(repository, folder, arguments)
                    found = (repository / "ompinst-runs/summary.md").read_text()
                    named = bool(region.search(found))
                    last = output.strip().splitlines()[-1]
                    print(f"{name} {kind} {trial}: status {status}{', named' if named else ''}, "
                          f"{time.monotonic() - start:.0f} s, load {os.getloadavg()[0]:.1f}: {last}", flush=True)
                    if status not in (0, 3):
                        sys.exit(output)
                    counts[kind][0] += status == 3
                    counts[kind][1] += named
                    counts[kind][2] += "too noisy" in last
                    counts[kind][3] += int(re.search(r"(\d+) pairs", last)[1])
            table.append((name, counts))
    print(f"\n| program | trials | unchanged: failed | undecided | pairs | {options.slower} % slower: failed | region named "
          "| undecided | pairs |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, counts in table:
        same, slower = counts["unchanged"], counts["slower"]
        print(f"| {name} | {options.trials} | {same[0]} | {same[2]} | {same[3] / options.trials:.0f} | {slower[0]} | "
              f"{slower[1]} | {slower[2]} | {slower[3] / options.trials:.0f} |")


if __name__ == "__main__":
    main()
