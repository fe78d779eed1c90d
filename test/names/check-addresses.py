#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The functions, files and lines that the namer finds for an address are addr2line's, through all levels of inlining, at
addresses all over the code of five binaries: C, the same stripped with its debug information in a file of its own, C++ with templates that are inlined
into each other, the same with link-time optimization, and Fortran.

What differs by intent is written alike first: the
namer has the source's name ("f" for "f._omp_fn.0" and "f.cold", "solver::relax" for "__solver_MOD_relax", no
parameters), and the path as the compiler got it. Where addr2line finds something else, llvm-symbolizer must agree with
the namer, and this is less than 1 % of the addresses: binutils 2.40 takes an inlined lambda for the function around it,
and a unit's first file for the one of some functions.

Usage: check-addresses.py NAME_CODE CASES OMPREPORT ADDRESSES(of each binary)
"""
import bisect
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAME_CODE, CASES, OMPREPORT = (Path(argument).resolve() for argument in sys.argv[1:4])
MOST = int(sys.argv[4])
TIME_LIMITS = float(os.environ.get("TEST_TIME_LIMITS", "1"))
MADE = re.compile(r"\.(_omp_fn|_omp_cpyfn|constprop|isra|part|cold|lto_priv)\b.*")
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=300 * TIME_LIMITS).stdout


def symbolizer():
    found = sorted(path for folder in os.environ["PATH"].split(":") for path in Path(folder).glob("llvm-symbolizer*"))
    return str(found[0]) if found else None


def code_of(binary):
    """Addresses spread over all functions; what fills the space between them is never executed."""
    spans = sorted((int(start, 16), int(size, 16)) for start, size in
                   re.findall(r"^(\w+) (\w+) [tTwWi] ", run("nm", "-S", binary), re.M))
    starts, total, end = [], 0, 0
    for start, size in spans:
        begin, end = max(start, end), max(end, start + size)
        if end > begin:
            starts.append((total, begin))
            total += end - begin
    step = max(1, total // MOST)
    places = [starts[bisect.bisect_right(starts, (at, float("inf"))) - 1] + (at,) for at in range(0, total, step)]
    return [begin + at - before for before, begin, at in places]


def as_in_source(names, program):
    """Symbols as the namer writes them."""
    plain = run("c++filt", "-p", "-i", text="".join(re.sub(r"\.\d+$", "", MADE.sub("", name)) + "\n" for name in names)).split("\n")
    for name in plain[:len(names)]:
        fortran = re.fullmatch(r"__(\w+?)_MOD_(\w+)", name)
        if fortran:
            name = f"{fortran[1]}::{fortran[2]}"
        elif program:
            name = program if name == "MAIN__" else name.removesuffix("_")
        yield name if name != "??" else "-"


def path_of(file, folder):
    return "-" if file in ("??", "", "-") else re.sub(r"/(\./)+", "/", os.path.join(folder, file))


def by_namer(binary, addresses, folder):
    build_id = re.search(r"Build ID: (\w+)", run("readelf", "-n", binary))
    questions = "".join(f"line entry {address:x} 0 {build_id[1] if build_id else '-'} {binary}\n" for address in addresses)
    rows = [line.split("\t") for line in run(NAME_CODE, text=questions).splitlines()]
    return [tuple((row[at], path_of(row[at + 1], folder), int(row[at + 2])) for at in (1, *range(8, len(row), 3))) for row in rows]


def levels(answers, program, folder):
    """The answers' lines, a name and a place for each level, as the namer gives them."""
    names = as_in_source([name for answer in answers for name in answer[0::2]], program)
    for answer in answers:
        found = []
        for place in answer[1::2]:
            file, line = re.sub(r" \(discriminator \d+\)", "", place).rsplit(":", 1)
            # Without a line, the file is the symbol table's.
            found.append((next(names), path_of(file, folder), int(line)) if line not in ("?", "0") else (next(names), "-", 0))
        yield tuple(found)


def by_addr2line(binary, addresses, folder, program):
    text = run("addr2line", "-a", "-i", "-f", "-e", binary, text="".join(f"{address:x}\n" for address in addresses))
    yield from levels([answer.splitlines()[1:] for answer in re.split(r"^(?=0x)", text, flags=re.M)[1:]], program, folder)


def by_llvm(tool, binary, addresses, folder, program):
    text = run(tool, "-e", binary, "--no-demangle", text="".join(f"0x{address:x}\n" for address in addresses))
    answers = re.sub(r"(:\d+):\d+$", r"\1", text.strip("\n"), flags=re.M).split("\n\n")
    yield from levels([answer.splitlines() for answer in answers], program, folder)


def check(what, binary, tool, debug=None, program=None, folder=None):
    symbols = debug or binary
    addresses = code_of(symbols)
    folder = folder or re.search(r"DW_AT_comp_dir.*: (\S+)$", run("objdump", "--dwarf=info", "--dwarf-depth=1", symbols), re.M)[1]
    ours = by_namer(binary, addresses, folder)
    theirs = list(by_addr2line(symbols, addresses, folder, program))
    odd = [index for index, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]]
    judged = list(by_llvm(tool, symbols, [addresses[i] for i in odd], folder, program)) if odd else []
    wrong = [(hex(addresses[i]), ours[i], theirs[i]) for i, other in zip(odd, judged) if ours[i] != other]
    with_lines, inlined = sum(found[0][2] > 0 for found in ours), sum(len(found) > 1 for found in ours)
    print(f"{what}: {len(addresses)} addresses, {with_lines} with a line, {inlined} of inlined code; addr2line's for all but {len(odd)}, of which "
          f"llvm-symbolizer's are {len(odd) - len(wrong)}")
    expect(len(ours) == len(theirs) == len(addresses) and with_lines > 0.9 * len(addresses), f"{what}: lines")
    for address, mine, other in wrong[:5]:
        failures.append(f"{what}: {address}: {mine}, addr2line {other}")
    expect(len(odd) < 0.01 * len(addresses), f"{what}: addr2line differs in {len(odd)}, as in "
                                              f"{[(hex(addresses[i]), ours[i], theirs[i]) for i in odd[:3]]}")
    return len(addresses)


def main():
    tool = symbolizer()
    missing = [name for name in ("addr2line", "c++filt", "g++", "gfortran", "objcopy") if not shutil.which(name)]
    if missing or not tool:
        print(f"not installed: {missing or 'llvm-symbolizer'}")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        (folder / "stripped").mkdir()
        program, debug = folder / "stripped" / "program", folder / "stripped" / "program.debug"
        run("objcopy", "--only-keep-debug", OMPREPORT, debug)
        run("objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", OMPREPORT, program)
        for name, *options in (("templates", "-O2"), ("linked", "-O2", "-flto=1")):
            run("g++", "-std=c++17", "-g", "-fopenmp", *options, CASES / "inlined.cpp", "-o", folder / name)
        run("gfortran", "-O2", "-g", "-fopenmp", "-J", folder, CASES / "modules.f90", "-o", folder / "fortran")
        count = check("C", OMPREPORT, tool)
        count += check("stripped C", program, tool, debug)
        count += check("C++", folder / "templates", tool, folder=CASES)
        count += check("C++ with LTO", folder / "linked", tool, folder=CASES)
        count += check("Fortran", folder / "fortran", tool, program="hello", folder=CASES)
    print(f"{count} addresses")
    for failure in failures:
        print(f"FAIL: {failure}")
    return 1 if failures else 0


sys.exit(main())
