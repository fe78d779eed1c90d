#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does every memory order earn its place? Weakens each atomic operation of a library under test by one
step, one at a time, and runs the harnesses that execute it: one of them has to fail.

  mutants.py --check BUILD/test/check/check-runtime [--files 'runtime/core/*' ...]

An operation is a line of the source: all machine code that was made of it, inlined or not, is changed
together, while the program runs; nothing is compiled anew. Relaxed operations have no weaker order.
--left-out tries instead what happens without the operation: a load that returns what its thread knew
before (a check that is not done), a store that is not done, a compare-and-swap that does not compare.

Prints a line for each operation that is not caught, or not executed by any harness, and counts; exits 1
when fewer than --least percent (95) are caught.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

ORDERS = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]
# One step weaker, by what the operation does.
WEAKER = {
    "load": {"seq_cst": ["acquire"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release"], "release": ["relaxed"]},
    "update": {"seq_cst": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"]},
}
FAILURE_WEAKER = {"seq_cst": "acquire", "acquire": "relaxed"}
# x86-64: the registers of the orders' arguments, by kind of call.
REGISTERS = {"load": ["esi"], "store": ["edx"], "update": ["edx"], "replace": ["ecx", "r8d"]}
CALL = re.compile(r"^\s*([0-9a-f]+):\s+call\s+[0-9a-f]+ <__tsan_atomic(\d+)_(\w+?)@")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")

Operation = collections.namedtuple("Operation", "file line function kind success failure")
Mutant = collections.namedtuple("Mutant", "operation success failure")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", required=True, help="the checker with its harnesses")
    parser.add_argument("--files", nargs="+", default=["*"], help="sources whose operations are changed (patterns)")
    parser.add_argument("--harnesses", nargs="+", default=[], help="only these (patterns)")
    parser.add_argument("--left-out", choices=["ordered", "all"], help="leave operations out instead of weakening them; all: relaxed ones, too")
    parser.add_argument("--seconds", type=int, default=20, help="at most so many for a harness and an operation")
    parser.add_argument("--random", type=int, default=2000, help="random runs before every order is tried")
    parser.add_argument("--least", type=float, default=95, help="percent that have to be caught")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time")
    parser.add_argument("--verbose", action="store_true", help="what caught each one, too")
    return parser.parse_args()


def subject(check):
    """The library of the checker."""
    lines = subprocess.run(["ldd", check], capture_output=True, text=True, check=True).stdout.splitlines()
    return next(line.split("=>")[1].split()[0] for line in lines if "check-subject" in line)


def kind_of(call):
    if call.startswith("compare_exchange"):
        return "replace"
    return call if call in ("load", "store") else "update"


def constant(window, register):
    """The number that a register of 32 bits was set to last."""
    for name, operands in reversed(window):
        if not operands.endswith("%" + register):
            continue
        if name == "mov" and operands.startswith("$"):
            return int(operands.split(",")[0][1:], 16)
        if name == "xor":
            return 0
        return None
    return None


def calls(library):
    """Return addresses of atomic operations: {address: (kind, success, failure)}."""
    found = {}
    window = []
    called = None
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        match = INSTRUCTION.match(line)
        if not match:
            continue
        address = int(match[1], 16)
        if called:
            found[address] = called
            called = None
        match_call = CALL.match(line)
        if match_call:
            kind = kind_of(match_call[3])
            numbers = [constant(window, register) for register in REGISTERS[kind]]
            orders = [ORDERS[number] if number is not None else "seq_cst" for number in numbers]
            called = (kind, orders[0], orders[-1])
            window = []
        else:
            window = window[-30:] + [(match[2], match[3].split("#")[0].strip())]
    return found


def places(library, addresses):
    """{address: (file, line, function)} of the innermost function that was inlined."""
    text = "\n".join(f"{address - 1:#x}" for address in addresses)
    lines = subprocess.run(["addr2line", "-f", "-e", library], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    found = {}
    for i, address in enumerate(addresses):
        file, _, line = lines[2 * i + 1].partition(":")
        file = os.path.normpath(file)
        for room in ("test/", "runtime/", "pomp/", "include/", "ompd/"):
            if "/" + room in file:
                file = room + file.split("/" + room, 1)[1]
                break
        found[address] = (file, int(re.match(r"\d*", line)[0] or 0), lines[2 * i])
    return found


def operations(library, patterns):
    """{operation: [addresses]} in the files asked for."""
    found = collections.defaultdict(list)
    by_address = calls(library)
    where = places(library, list(by_address))
    for address, (kind, success, failure) in by_address.items():
        file, line, function = where[address]
        if file.startswith("test/") or not any(fnmatch.fnmatch(file, pattern) for pattern in patterns):
            continue
        found[Operation(file, line, function, kind, success, failure)].append(address)
    return dict(sorted(found.items()))


def mutants_of(operation, left_out):
    if left_out:
        wanted = left_out == "all" or operation.success != "relaxed"
        return [Mutant(operation, "left-out", "left-out")] if wanted else []
    steps = WEAKER["update" if operation.kind == "replace" else operation.kind]
    found = [Mutant(operation, order, operation.failure) for order in steps.get(operation.success, [])]
    if operation.kind == "replace" and operation.failure in FAILURE_WEAKER:
        found.append(Mutant(operation, operation.success, FAILURE_WEAKER[operation.failure]))
    if operation.kind != "replace":
        found = [mutant._replace(failure=mutant.success) for mutant in found]
    return found


def run(check, arguments, limit):
    try:
        done = subprocess.run([check, "--quiet", "--first", *arguments], capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return "TIME"
    if done.returncode == 0:
        return None
    if done.returncode != 1:
        sys.exit(f"{' '.join(done.args)}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip().splitlines()[0]


def names(check, patterns):
    done = subprocess.run([check, "--list", *patterns], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines()]


def executed(check, harness, folder):
    """The operations that a harness executes, at least in the first seconds of its search: {address: orders}."""
    path = os.path.join(folder, harness)
    subprocess.run([check, "--seconds", "3", "--quiet", "--sites", path, harness], capture_output=True, check=False)
    with open(path, encoding="ascii") as lines:
        return {int(address, 16): (success, failure) for address, success, failure in (line.split() for line in lines)}


def as_executed(found, reached):
    """The operations with the orders that they had, where the machine code that sets them stands elsewhere."""
    orders = {address: pair for executed_there in reached.values() for address, pair in executed_there.items()}
    corrected = {}
    for operation, addresses in found.items():
        pair = next((orders[address] for address in addresses if address in orders), (operation.success, operation.failure))
        corrected.setdefault(operation._replace(success=pair[0], failure=pair[1]), []).extend(addresses)
    return corrected


def judge(arguments, mutant, addresses, harnesses, folder):
    """What caught the mutant, or None."""
    path = os.path.join(folder, f"mutant-{addresses[0]:x}-{mutant.success}-{mutant.failure}")
    with open(path, "w", encoding="ascii") as out:
        for address in addresses:
            out.write(f"{address:x} {mutant.success} {mutant.failure}\n")
    limit = 3 * arguments.seconds + 30
    for extra in (["--random", str(arguments.random), "--seconds", "2"], ["--seconds", str(arguments.seconds)]):
        for harness in harnesses:
            caught = run(arguments.check, ["--mutants", path, *extra, harness], limit)
            if caught:
                return f"{harness}: {caught}"
    return None


def describe(mutant):
    operation = mutant.operation
    order = operation.success
    if operation.kind == "replace":
        order += "/" + operation.failure
    weaker = mutant.success if mutant.success == mutant.failure or operation.kind != "replace" else f"{mutant.success}/{mutant.failure}"
    return f"{operation.file}:{operation.line}: {operation.function}(): {operation.kind} {order} -> {weaker}"


def main():
    arguments = options()
    found = operations(subject(arguments.check), arguments.files)
    harnesses = names(arguments.check, arguments.harnesses)
    counts = collections.Counter()
    by_file = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        reached = dict(zip(harnesses, pool.map(lambda name: executed(arguments.check, name, folder), harnesses)))
        tasks = []
        for operation, addresses in as_executed(found, reached).items():
            using = [name for name in harnesses if reached[name].keys() & set(addresses)]
            using.sort(key=lambda name: len(reached[name]))
            for mutant in mutants_of(operation, arguments.left_out):
                task = pool.submit(judge, arguments, mutant, addresses, using, folder) if using else None
                tasks.append((mutant, task))
        for mutant, task in tasks:
            caught = task.result() if task else None
            outcome = "caught" if caught else "not caught" if task else "not executed"
            counts[outcome] += 1
            by_file[mutant.operation.file][outcome] += 1
            if not caught or arguments.verbose:
                print(f"{outcome}: {describe(mutant)}" + (f"   {caught}" if caught else ""), flush=True)
    for file, outcomes in sorted(by_file.items()):
        print(f"{file}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    total = sum(counts.values())
    share = 100 * counts["caught"] / total if total else 0
    print(f"{counts['caught']} of {total} caught ({share:.1f} %), {counts['not caught']} not caught, {counts['not executed']} not executed")
    sys.exit(share < arguments.least)


main()
