# SPDX-License-Identifier: BSD-3-Clause
"""`mpirun -np N ompreport ...` prints what one process prints, byte for byte on both streams, and ends with the same status;
only process 0 prints. A process that is killed ends the job, and a file that cannot be written is reported once.

Each archive is read by one of the commands in turn, and one archive by all of them, with numbers of processes in turn. With `launch`
only what depends on the MPI is checked: starting, files, output, ends, and some commands; in tools/test full everything. With a PART, such
as 1/4, each of that fourth of the archives is read by each command, and nothing else is checked.

Usage: check-mpirun.py OMPREPORT MAKE_ARCHIVE RANK_ARCHIVE TROUBLE_FILES MPI PROCESSES [launch|PART/PARTS]
TROUBLE_FILES is a library for LD_PRELOAD; MPI is the suffix of mpirun; PROCESSES are the numbers of processes, such as 2,3,4. Exit status 77 where mpirun is missing.
"""
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time

from tables import IS_FULL, MAKE_ARCHIVE, OMPREPORT, TIME_LIMITS, expect, finish

RANK_ARCHIVE, TROUBLE_FILES, MPI = sys.argv[3:6]
PROCESSES = [int(number) for number in sys.argv[6].split(",")]
IS_LAUNCH = sys.argv[7:] == ["launch"] and not IS_FULL
IS_PART = len(sys.argv) > 7 and sys.argv[7] != "launch"
PART, PARTS = (int(number) for number in (sys.argv[7] if IS_PART else "1/1").split("/"))
LONGEST = 60 * TIME_LIMITS
LAUNCHER = shutil.which("mpirun." + MPI)
if LAUNCHER is None:
    print(f"mpirun.{MPI} is missing")
    sys.exit(77)
LAUNCH = [LAUNCHER, *(["--oversubscribe", "--allow-run-as-root"] if MPI == "openmpi" else []), "-np"]
# Each process writes to files of its own, and its number before that. $STDOUT is process 0's, if that is set.
STARTER = ["sh", "-c", 'rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; out=$PLACE/out.$rank; [ "$rank$STDOUT" = "0$STDOUT" ] && out=${STDOUT:-$out}; '
           'echo $$ >"$PLACE/pid.$rank.new"; mv "$PLACE/pid.$rank.new" "$PLACE/pid.$rank"; exec "$@" >"$out" 2>"$PLACE/err.$rank"', "sh"]

TABLES = ("summary", "regions", "threads", "ranks", "efficiency", "imbalance", "locks", "tasks", "messages", "critical-path", "timeline", "hot")
TARGETS = ("perfetto", "chrome", "flamegraph", "hatchet", "csv", "openmetrics", "pprof", "speedscope", "folded", "cube")
COMMANDS = ([[command, f"--format={form}"] for command in TABLES for form in ("text", "json")]
            + [["export", f"--{target}"] for target in TARGETS] + [["html", "-o", "-"], ["info"], ["check"], ["messages", "--matrix"],
            ["threads", "--ompp"], ["regions", "--sort=name", "--format=csv"], ["hot", "--paths"],
            ["summary", "--from=1ms", "--to=3ms"], ["regions", "--rank=1"], ["imbalance", "--region=for"], ["summary", "--jobs=3"],
            ["export", "--cube", "--from=1ms", "--to=3ms"], ["export", "--folded", "--region=for", "--jobs=2"], ["export", "--hatchet", "--rank=1"]])
ONE_FORMAT = [command for command in COMMANDS if command[1:] != ["--format=text"]]
# Of make-archive: more than the number 1, where others are other programs; smaller than usual where that takes long.
NUMBERS = {"accelerated": (1, 2), "cluster": (5,), "deep": (3000,), "fleet": (9,), "funneled": (1, 2, 3, 4), "hot": (1, 2),
           "large": (500,), "latecomers": (1, 2), "messages": (1, 2), "mixed": (1, 2, 3, 4, 5), "names": (1, 2), "profiled": (1, 2),
           "sampled": (20,)}
RANKS = ((2, 1, 400), (7, 3, 500), (64, 2, 300))
WRONG = ([], ["nonsense"], ["summary"], ["summary", "--nonsense", "ARCHIVE"], ["summary", "--format=nonsense", "ARCHIVE"],
         ["regions", "--from=3ms", "--to=1ms", "ARCHIVE"], ["summary", "--rank=99", "ARCHIVE"], ["summary", "--jobs=0", "ARCHIVE"],
         ["regions", "MISSING"], ["export", "ARCHIVE"], ["export", "--csv", "MISSING"], ["html", "MISSING"], ["--help"], ["help", "summary"],
         ["summary", "--help"], ["--version"])


class Outcome:
    """How a command ended: status, and the bytes of process 0 on both streams."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def one_process(command, **settings):
    done = subprocess.run([OMPREPORT, *map(str, command)], capture_output=True, timeout=LONGEST, env=os.environ | settings)
    return Outcome(done.returncode, done.stdout, done.stderr)


def start(place, processes, command, **settings):
    """The job, in a session of its own; its processes write to the folder `place`."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return subprocess.Popen([*LAUNCH, str(processes), *STARTER, OMPREPORT, *map(str, command)], stdin=subprocess.DEVNULL, start_new_session=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PLACE": str(place), "STDOUT": ""} | settings)


def end(job, where):
    """What mpirun itself prints; a job that does not end is terminated, and has failed."""
    try:
        return job.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        expect(False, f"{where}: not done after {LONGEST:.0f} s")
        job.terminate()
        try:
            return job.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            return job.communicate()


def content(path):
    return path.read_bytes() if path.exists() else b""


def many_processes(place, processes, command, where, **settings):
    job = start(place, processes, command, **settings)
    printed, _ = end(job, where)
    expect(not printed, f"{where}: mpirun itself printed {printed[:200]!r}")
    for rank in range(processes):
        expect((place / f"pid.{rank}").exists(), f"{where}: process {rank} did not start")
        for stream in ("out", "err"):
            found = content(place / f"{stream}.{rank}")
            expect(rank == 0 or not found, f"{where}: process {rank} printed on {stream}: {found[:200]!r}")
    return Outcome(job.returncode, content(place / "out.0"), content(place / "err.0"))


def first_difference(found, wanted):
    at = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), min(len(found), len(wanted)))
    return f"at byte {at}, {found[max(0, at - 60):at + 60]!r}, not {wanted[max(0, at - 60):at + 60]!r}"


def compare(found, wanted, where):
    expect(found.status == wanted.status, f"{where}: exit status {found.status}, not {wanted.status}: {found.err[:300]!r}")
    for stream in ("out", "err"):
        one, other = getattr(found, stream), getattr(wanted, stream)
        expect(one == other, f"{where}: {stream}: {first_difference(one, other)}")


def check_same(place, processes, command, where, **settings):
    where = f"{where}: {' '.join(map(str, command[:3]))}, {processes} processes"
    wanted = one_process(command, **settings)
    compare(many_processes(place, processes, command, where, **settings), wanted, where)
    return wanted


def scenarios():
    said = subprocess.run([MAKE_ARCHIVE], stderr=subprocess.PIPE, text=True).stderr
    names = said.split("scenarios:")[1].split()
    # Writing "wide" takes seconds.
    return [(name, number) for name in names if IS_PART or name != "wide" for number in NUMBERS.get(name, (1,))]


def write_scenario(folder, name, number):
    path = folder / f"{name}-{number}"
    subprocess.run([MAKE_ARCHIVE, name, path, str(number)], check=True, timeout=LONGEST)
    return path


def write_ranks(folder, *sizes):
    path = folder / ("ranks-" + "x".join(map(str, sizes)))
    subprocess.run([RANK_ARCHIVE, path, *map(str, sizes)], check=True, stdout=subprocess.DEVNULL, timeout=LONGEST)
    return path


def check_archives(folder):
    """All archives of make-archive and rank-archive: several processes, one, other makers', with accelerators, without events."""
    of_ranks = [lambda sizes=sizes: write_ranks(folder, *sizes) for sizes in RANKS]
    writers = of_ranks + [lambda chosen=chosen: write_scenario(folder, *chosen) for chosen in scenarios()]
    numbers, printed = itertools.cycle(PROCESSES), 0
    for i, write in enumerate(writers):
        # All commands read the second archive, of seven ranks, those with several formats in the last of these; at the others they take
        # turns. Each fourth archive's path leads to and fro.
        chosen = COMMANDS if IS_PART else ONE_FORMAT if i == 1 else [COMMANDS[i % len(COMMANDS)], *([["critical-path"]] if i % 4 == 0 else [])]
        if i % PARTS != PART - 1:
            continue
        path = write()
        for command in chosen:
            printed += len(check_same(folder / "job", next(numbers), [*command, path], path.name).out) > 0
        shutil.rmtree(path)
    expect(printed > len(writers) // PARTS, f"only {printed} commands printed anything")


def check_commands(folder):
    """Some commands of each kind read one archive."""
    path = write_ranks(folder, 7, 3, 500)
    for processes, command in zip(itertools.cycle(PROCESSES), ONE_FORMAT[::4]):
        check_same(folder / "job", processes, [*command, path], path.name)


def check_files(folder):
    """Files that are written: the same, and by one process."""
    path = write_ranks(folder, 7, 3, 500)
    for processes, command in zip(itertools.cycle(PROCESSES), (["html"], ["export", "--perfetto"], ["regions", "--format=json"])):
        wanted, found = folder / "wanted", folder / "found"
        expect(one_process([*command, "-o", wanted, path]).status == 0, f"{command}: no file")
        many_processes(folder / "job", processes, [*command, "-o", found, path], f"{command}")
        expect(wanted.exists() and content(found) == content(wanted),
               f"{command}, {processes} processes: the file: {first_difference(content(found), content(wanted))}")
    for kind in ("visits", "messages", "events"):
        for name, done in (("wanted", one_process), ("found", lambda command: many_processes(folder / "job", PROCESSES[-1], command, kind))):
            compare(done(["export", f"--columns={kind}", "-o", folder / f"{kind}-{name}", path]), Outcome(0, b"", b""), f"--columns={kind}")
        files = {name: {file.name: content(file) for file in (folder / f"{kind}-{name}").glob("*")} for name in ("wanted", "found")}
        expect(files["wanted"] and files["found"] == files["wanted"], f"--columns={kind}: files differ: {sorted(files['found'])}")


def check_pages(folder):
    """Pages of more ranks than have a lane each, which all processes read; of a part of the time, and of one rank."""
    path = write_ranks(folder, 300, 2, 100)
    kinds = ([], ["--to=200us"], ["--rank=17"], ["--jobs=2"])
    for processes, options in itertools.product(PROCESSES, kinds) if IS_FULL else zip(itertools.cycle(PROCESSES), kinds):
        page = check_same(folder / "job", processes, ["html", "-o", "-", *options, path], "pages").out
        expect((b'id="rank-data"' in page) != (options == ["--rank=17"]), f"pages: {options}: another page")
    shutil.rmtree(path)


def check_wrong(folder):
    """One message, and the status of one process."""
    path = write_scenario(folder, "hybrid", 1)
    words = {"ARCHIVE": path, "MISSING": folder / "missing"}
    for processes, command in zip(itertools.cycle(PROCESSES), WRONG):
        wanted = check_same(folder / "job", processes, [words.get(word, word) for word in command], "wrong")
        expect(wanted.out or wanted.err, f"{command}: nothing is said")


def cut(path):
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) // 2)


def check_damaged(folder):
    """Files that are too short or gone: of all the archive, of some of its threads, of those that one process reads."""
    for part in ("traces.otf2", "traces.def"):
        path = write_scenario(folder, "fleet", 2)
        cut(path / part)
        for processes, command in zip(itertools.cycle(PROCESSES), (["summary"], ["regions", "--format=json"], ["html", "-o", "-"])):
            check_same(folder / "job", processes, [*command, path], f"damaged {part}")
        shutil.rmtree(path)
    path = write_scenario(folder, "fleet", 9)
    traces = sorted((path / "traces").glob("*.evt"), key=lambda file: int(file.stem))
    for place in (20, 70, 100):
        cut(traces[place])
    traces[40].unlink()
    for processes, command in zip(itertools.cycle(PROCESSES), (["summary"], ["threads", "--format=json"], ["timeline"], ["check"], ["critical-path"])):
        wanted = check_same(folder / "job", processes, [*command, path], "damaged threads")
        expect(wanted.err or command == ["check"], f"damaged threads: {command}: nothing is said on stderr")


def check_full(folder):
    """A file or standard output on a file system without space."""
    path = write_scenario(folder, "hybrid", 1)
    for processes, command in zip(itertools.cycle(PROCESSES), (["summary", "-o"], ["html", "-o"], ["export", "--csv", "-o"])):
        wanted = check_same(folder / "job", processes, [*command, "/dev/full", path], "full")
        expect(wanted.status != 0 and wanted.err, f"full: {command}: {wanted.status}, {wanted.err!r}")
    for processes, command in zip(itertools.cycle(PROCESSES), (["summary"], ["regions", "--format=json"], ["html", "-o", "-"])):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([OMPREPORT, *command, path], stdout=full, stderr=subprocess.PIPE, timeout=LONGEST)
        found = many_processes(folder / "job", processes, [*command, path], f"full stdout: {command}", STDOUT="/dev/full")
        compare(found, Outcome(done.returncode, b"", done.stderr), f"full stdout: {command}, {processes} processes")
        expect(done.returncode != 0, f"full stdout: {command}: exit status 0")


def check_slow(folder):
    """One process, or all, on a file system that takes long: the same."""
    path = write_ranks(folder, 16, 2, 400)
    for processes, command in zip(itertools.cycle(PROCESSES), (["summary"], ["export", "--cube"], ["messages", "--matrix"], ["export", "--csv"])):
        wanted = one_process([*command, path])
        for rank in ("0", str(processes - 1)):
            where = f"slow: {command}, process {rank} of {processes}"
            compare(many_processes(folder / "job", processes, [*command, path], where,
                                   LD_PRELOAD=TROUBLE_FILES, TROUBLE="slow", TROUBLE_RANK=rank), wanted, where)


def check_unreadable(folder):
    """A file of events that no process can read, or only one cannot: as one process that cannot read it."""
    path = write_ranks(folder, 16, 2, 400)
    last = max(path.glob("traces/*.evt"), key=lambda file: int(file.stem)).name
    for processes, command in zip(itertools.cycle(PROCESSES), (["regions"], ["export", "--cube"], ["export", "--flamegraph"], ["info"],
                                                               ["threads", "--format=json"], ["check"])):
        wanted = check_same(folder / "job", processes, [*command, path], "unreadable", LD_PRELOAD=TROUBLE_FILES, TROUBLE=f"failing=/{last}")
        expect(b"cannot be read" in wanted.err, f"unreadable: {command}: {wanted.err!r}")
        if command == ["check"]:
            continue
        # The last process is the one that reads the last file.
        where = f"unreadable in one process: {command}"
        compare(many_processes(folder / "job", processes, [*command, path], where, LD_PRELOAD=TROUBLE_FILES, TROUBLE=f"failing=/{last}",
                               TROUBLE_RANK=str(processes - 1)), wanted, where)


def check_temporary(folder):
    """Temporary files on a full file system: the same from memory. One that cannot be read any more: one sentence, and status 1."""
    command = ["export", "--csv", "--thread=1", write_ranks(folder, 100, 2, 45000)]
    plain = one_process(command)
    for trouble, processes in zip(("full", "lost"), itertools.cycle(PROCESSES)):
        settings = {"LD_PRELOAD": TROUBLE_FILES, "TROUBLE": trouble, "TMPDIR": str(folder)}
        where = f"temporary file, {trouble}, {processes} processes"
        for found in (one_process(command, **settings), many_processes(folder / "job", processes, command, where, **settings)):
            if trouble == "full":
                compare(found, plain, where)
            else:
                expect(found.status == 1 and found.err.count(b"\n") == 1 and b"temporary file" in found.err, f"{where}: {found.status}, {found.err!r}")


def check_plain(folder):
    """As users start it: what mpirun collects from all processes is what one prints."""
    path = write_ranks(folder, 7, 3, 500)
    for processes, command in zip(itertools.cycle(PROCESSES), (["summary"], ["ranks", "--format=json"], ["html", "-o", "-"], ["export", "--csv"])):
        wanted = one_process([*command, path])
        job = subprocess.Popen([*LAUNCH, str(processes), OMPREPORT, *command, path], stdin=subprocess.DEVNULL, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = end(job, f"plain: {command}")
        compare(Outcome(job.returncode, out, err), wanted, f"plain: {command}, {processes} processes")


def reads_events(process):
    """Whether it has a file of events open; None: it has ended."""
    try:
        return any(os.readlink(entry.path).endswith(".evt") for entry in os.scandir(f"/proc/{process}/fd"))
    except FileNotFoundError:
        return None if not os.path.exists(f"/proc/{process}") else False


def wait_for(condition):
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        found = condition()
        if found is not False:
            return found
        time.sleep(0.002)
    return False


def check_named(folder):
    """OMPREPORT_MPI names another MPI, or none at all: one process reports, and says so."""
    path = write_ranks(folder, 7, 3, 500)
    wanted = one_process(["regions", path])
    for name in ("nonsense", "mpich" if MPI == "openmpi" else "openmpi"):
        found = many_processes(folder / "job", 2, ["regions", path], name, OMPREPORT_MPI=name)
        expect(found.status == 0 and found.out == wanted.out and b"by another MPI than OMPREPORT_MPI names" in found.err, f"{name}: {found.err[:300]!r}")


def check_twice(folder):
    """A script that mpirun starts reports twice. MPICH's processes can begin MPI once: then one process reports, and says why."""
    if MPI != "mpich":
        return
    path = write_ranks(folder, 7, 3, 500)
    wanted = one_process(["regions", path])
    job = subprocess.Popen([*LAUNCH, "2", "sh", "-c", '"$@" && "$@"', "sh", OMPREPORT, "regions", path], stdin=subprocess.DEVNULL,
                           start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = end(job, "twice")
    expect(job.returncode == 0 and out == 2 * wanted.out, f"twice: status {job.returncode}, {len(out)} bytes, not {2 * len(wanted.out)}: {err[:300]!r}")
    expect(err.count(b"a program before it has ended MPI, which can begin only once; one process reads alone now") == 1, f"twice: {err[:300]!r}")


def check_killed(folder):
    """A process that is killed while it reads: the job ends with a message and another status than 0, and no process is left."""
    path = write_ranks(folder, 64, 2, 60000)
    place = folder / "job"
    processes = PROCESSES[-1]
    for command, victim in ((["summary"], 0), (["summary"], processes - 1), (["export", "--cube"], processes - 1), (["info"], 0)):
        where = f"killed: {command}, process {victim} of {processes}"
        job = start(place, processes, [*command, "--jobs=1", path] if command != ["info"] else [*command, path])
        expect(wait_for(lambda: all((place / f"pid.{rank}").exists() for rank in range(processes))), f"{where}: not all have started")
        numbers = [int(content(place / f"pid.{rank}") or 0) for rank in range(processes)]
        reading = wait_for(lambda: reads_events(numbers[victim]))
        expect(reading, f"{where}: it never read events")
        if reading:
            os.kill(numbers[victim], signal.SIGKILL)
        said = b"".join(end(job, where))  # MPICH's prints it to stdout
        expect(job.returncode != 0, f"{where}: exit status 0")
        expect(b"illed" in said or b"signal 9" in said, f"{where}: no message: {said!r}")
        expect(wait_for(lambda: None if not any(os.path.exists(f"/proc/{number}") for number in numbers) else False) is None,
               f"{where}: processes are left: {numbers}")
        expect(not content(place / "out.0"), f"{where}: a report was printed")


checks = [check_files, check_full, check_slow, check_plain, check_named, check_twice, check_killed]
if not IS_LAUNCH:
    checks += [check_pages, check_wrong, check_damaged, check_unreadable, check_temporary]
finish(check_commands if IS_LAUNCH else check_archives, *([] if IS_PART else checks))
