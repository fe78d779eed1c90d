# SPDX-License-Identifier: BSD-3-Clause
"""Archives whose locations are not all open at once: read-apart finds the same events in the same order in every archive of the
tests, whole and damaged; reports of many ranks need little memory, and as much with ten times as many events.

Usage: check-apart.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE READ_APART
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from tables import MAKE_ARCHIVE, OMPREPORT, TIME_LIMITS, expect, finish

RANK_ARCHIVE, READ_APART = sys.argv[3:5]
LONGEST = 60 * TIME_LIMITS
NUMBERS = {"accelerated": (1, 2), "cluster": (5,), "deep": (3000,), "fleet": (9,), "funneled": (1, 2, 3, 4), "hot": (1, 2), "large": (500,),
           "latecomers": (1, 2), "messages": (1, 2), "mixed": (1, 2, 3, 4, 5), "names": (1, 2), "profiled": (1, 2), "sampled": (20,)}


def write_ranks(folder, *sizes):
    path = folder / ("ranks-" + "x".join(map(str, sizes)))
    subprocess.run([RANK_ARCHIVE, path, *map(str, sizes)], check=True, stdout=subprocess.DEVNULL, timeout=LONGEST)
    return path


def compare(paths, least):
    done = subprocess.run([READ_APART, *paths], capture_output=True, text=True, timeout=5 * LONGEST)
    expect(done.returncode == 0, f"read apart: {done.stderr}")
    expect(done.returncode != 0 or int(done.stdout) > least, f"read apart: only {done.stdout} events")


def check_archives(folder):
    names = subprocess.run([MAKE_ARCHIVE], stderr=subprocess.PIPE, text=True).stderr.split("scenarios:")[1].split()
    paths = []
    for name in names:
        for number in NUMBERS.get(name, (1,)) if name != "wide" else ():
            paths.append(folder / f"{name}-{number}")
            subprocess.run([MAKE_ARCHIVE, name, paths[-1], str(number)], check=True, timeout=LONGEST)
    compare(paths, 1000)
    compare([write_ranks(folder, 2, 1, 400), write_ranks(folder, 7, 3, 500), write_ranks(folder, 64, 2, 300)], 10000)
    damaged = folder / "fleet-9"
    traces = sorted((damaged / "traces").glob("*.evt"), key=lambda file: int(file.stem))
    for place in (20, 70, 100):
        os.truncate(traces[place], os.path.getsize(traces[place]) // 2)
    traces[40].unlink()
    compare([damaged], 100)
    for path in paths:
        shutil.rmtree(path)


def first_stacks(path, threads):
    """The stacks of all ranks in the order in which they first occur, from the slices; a rank has so many threads."""
    rows = [line.split(",") for line in subprocess.run([OMPREPORT, "export", "--csv", path], check=True, capture_output=True, text=True,
                                                       timeout=LONGEST).stdout.splitlines()[1:]]
    slices = sorted((int(row[6]), int(row[0]), int(row[2]), row[3]) for row in rows)
    around, found = {}, []
    for _, location, depth, region in slices:
        around[location] = around.get(location, [])[:depth] + [region]
        found.append((location // threads, *around[location]))
    return list(dict.fromkeys(found))


def check_order(folder):
    """The order of stacks is that of time over all ranks, whoever reads them: rank 3 may be the first in a region."""
    for sizes in ((7, 3, 500), (40, 2, 200)):
        path = write_ranks(folder, *sizes)
        wanted = first_stacks(path, sizes[1])
        expect(len({stack[0] for stack in wanted[:20]}) > 3, f"{sizes}: ranks one after the other: {wanted[:20]}")
        for jobs in "13":
            lines = subprocess.run([OMPREPORT, "export", "--flamegraph", f"--jobs={jobs}", path], check=True, capture_output=True, text=True,
                                   timeout=LONGEST).stdout.splitlines()
            found = [line.rsplit(" ", 1)[0].split(";") for line in lines]
            found = [(int(stack[0].split()[1]), *stack[1:]) for stack in found]
            expect(found == [stack for stack in wanted if stack in set(found)], f"{sizes}, {jobs} jobs: {found[:6]}, not {wanted[:6]}")


def memory_of(command, path, temporary):
    """MiB of the process."""
    with open("/dev/null", "wb") as nothing:
        process = subprocess.Popen([OMPREPORT, *command, path], stdout=nothing, stderr=subprocess.PIPE, env=os.environ | {"TMPDIR": str(temporary)})
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
    expect(os.waitstatus_to_exitcode(status) == 0 and not said, f"{command}: {status}, {said!r}")
    return used.ru_maxrss / 1024


def check_memory(folder):
    """All locations open would be 300 MiB."""
    small, large = write_ranks(folder, 600, 2, 100), write_ranks(folder, 600, 2, 2000)
    for command, most in ((["export", "--flamegraph"], 32), (["export", "--cube"], 32), (["info"], 32),
                          (["export", "--csv"], 64), (["export", "--chrome"], 64), (["export", "--perfetto"], 64), (["check"], 64)):
        few, many = memory_of(command, small, folder), memory_of(command, large, folder)
        print(f"{command}: {few:.1f} MiB, {many:.1f} MiB")
        expect(many < most, f"{command}: {many:.1f} MiB")


finish(check_archives, check_order, *([] if "SANITIZED" in os.environ else [check_memory]))
